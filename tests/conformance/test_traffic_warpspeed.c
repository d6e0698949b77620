/* Volumes that are exact counts, beside those of Warpspeed (te42kyfo/warpspeed 5f835bf) for
 * stencils on regular grids: distinct sectors that a block loads, and sectors that its warps store
 * (each instruction's on their own).  Its blocks are whole, also where they are wider than the
 * domain.
 *
 * usage: test-traffic-warpspeed FIXTURE */
#include "traffic_cases.h"

#include "warp_totals.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct traffic_field field_of(struct fw_arena *arena, const json_t *one)
{
    struct traffic_field field = {0};
    const json_t *offsets = json_object_get(one, "offsets");
    field.count = (uint32_t)json_array_size(offsets);
    field.offsets = fw_arena_array(arena, field.count, 3 * sizeof(int64_t));
    field.bytes = (uint32_t)json_integer_value(json_object_get(one, "element_bytes"));
    field.begin = json_integer_value(json_object_get(one, "alignment_elements"));
    for (size_t d = 0; d < 3; d++) {
        field.dims[d] = json_integer_value(json_array_get(json_object_get(one, "dims"), d));
        for (uint32_t o = 0; o < field.count; o++)
            field.offsets[o][d] = json_integer_value(json_array_get(json_array_get(offsets, o), d));
    }
    return field;
}

/* A block in the middle, in sectors' bytes a thread. */
static double of_block(struct fw_footprint *sectors, const struct fw_affine_accesses *accesses,
                       enum fw_footprint_of of)
{
    int64_t block = (accesses->grid[2] / 2 * (int64_t)accesses->grid[1] + accesses->grid[1] / 2) *
                        accesses->grid[0] +
                    accesses->grid[0] / 2;
    struct fw_window window = {block, block + 1, 0, 1, of};
    return 32 * fw_footprint_count(sectors, &window, 1, FW_NONE) /
           (accesses->block[0] * accesses->block[1] * accesses->block[2]);
}

static bool is_near(double ours, double theirs, double share)
{
    return fabs(ours - theirs) <= share * theirs;
}

int main(int argc, char **argv)
{
    json_t *fixture = argc == 2 ? json_load_file(argv[1], 0, NULL) : NULL, *one;
    size_t i;
    unsigned judged = 0, loads = 0, stores = 0, skipped = 0;
    if (!fixture)
        return 2;
    json_array_foreach(json_object_get(fixture, "cases"), i, one)
    {
        struct fw_arena *arena = fw_arena_new(0);
        const json_t *theirs = json_object_get(one, "warpspeed");
        const char *device = json_string_value(json_object_get(one, "device"));
        uint32_t block[3], fold[3] = {1, 1, 1};
        int64_t points[3];
        struct traffic_field read =
            field_of(arena, json_array_get(json_object_get(one, "loads"), 0));
        struct traffic_field written =
            field_of(arena, json_array_get(json_object_get(one, "stores"), 0));
        for (size_t d = 0; d < 3; d++) {
            block[d] =
                (uint32_t)json_integer_value(json_array_get(json_object_get(one, "block"), d));
            points[d] =
                block[d] * json_integer_value(json_array_get(json_object_get(one, "grid"), d));
        }
        if (strcmp(device, "MI210") != 0 && json_array_size(json_object_get(one, "loads")) == 1) {
            struct fw_affine_accesses accesses =
                traffic_stencil(arena, &read, &written, block, points, fold);
            struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
            double load = of_block(sectors, &accesses, FW_FOOTPRINT_LOADS);
            struct fw_warp_totals totals;
            fw_warp_totals_find(&totals, fw_warp_memo_new(arena, 32, 32, 128), &accesses);
            double store =
                32 * totals.store_sectors / fw_affine_threads(&accesses.at[0], &accesses);
            double their_load =
                json_number_value(json_object_get(theirs, "l2_load_bytes_compulsory"));
            double their_store = json_number_value(json_object_get(theirs, "l2_store_bytes"));
            judged++;
            loads += is_near(load, their_load, 0.02);
            stores += is_near(store, their_store, 0.02);
            printf("%-12s %-10s %4u %3u %3u  load %8.3f %8.3f  store %6.3f %6.3f%s\n",
                   json_string_value(json_object_get(one, "kernel")), device, block[0], block[1],
                   block[2], their_load, load, their_store, store,
                   is_near(load, their_load, 0.02) && is_near(store, their_store, 0.02)
                       ? ""
                       : "  differs");
        } else {
            skipped++;
        }
        fw_arena_free(arena);
    }
    printf("%u cases (%u of another sector size left out): loads equal in %u, stores in %u\n",
           judged, skipped, loads, stores);
    json_decref(fixture);
    return judged && loads == judged && stores == judged ? 0 : 1;
}
