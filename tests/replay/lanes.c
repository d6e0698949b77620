/* Wavefronts of single warp instructions against hardware counters: patterns of lanes on an H200
 * beside what src/memory says of them.
 *
 * usage: lanes ROOT
 * Reads ROOT/data/h200/lanes/counted.jsonl.  Tags are looked up exactly as often as counted where
 * the places are known; wavefronts are within 10% in seven to nine of ten patterns (the others are
 * random ones).
 * Reads ROOT/data/h200/tags/hits.jsonl: a load that L1 holds takes as many cycles as its lookups or
 * its passes by banks, whichever are more, within 10% in nineteen of twenty patterns that take two
 * cycles or more. */
#include "l1_tags.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 128 };

struct sums {
    unsigned rows, near;
};

static bool is_row(const json_t *row, const char *operation, bool moves)
{
    const char *name = json_string_value(json_object_get(row, "operation"));
    bool steps = json_integer_value(json_object_get(row, "step")) != 0;
    return strcmp(name, operation) == 0 && steps == moves &&
           json_integer_value(json_object_get(row, "warps")) == 4;
}

static struct fw_warp_request lanes_of(const json_t *row)
{
    struct fw_warp_request request = {0};
    size_t lane;
    json_t *offset;
    request.bytes = (uint32_t)json_integer_value(json_object_get(row, "bytes"));
    json_array_foreach(json_object_get(row, "offsets"), lane, offset)
    {
        if (json_integer_value(offset) >= 0)
            request.at[request.lanes++] = json_integer_value(offset);
    }
    return request;
}

static double number(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

static void add(struct sums *sums, const char *what, const json_t *row, double wanted, double got)
{
    bool near = fabs(got / wanted - 1) < 0.1;
    sums->rows++;
    sums->near += near;
    if (!near)
        printf("%s %s of %lld bytes: counted %.2f, expected %.2f\n", what,
               json_string_value(json_object_get(row, "pattern")),
               (long long)json_integer_value(json_object_get(row, "bytes")), wanted, got);
}

/* Stores that L1 merges before they are written take fewer wavefronts: a few lines stored again and
 * again. */
static bool is_merged(const json_t *row, const struct fw_warp_request *access)
{
    struct fw_request_cost demand = fw_request_cost(access, 32, LINE);
    return number(row, "l2_write_sectors") < 0.9 * demand.sectors;
}

/* Cycles of loads that L1 holds, with 32 warps. */
static struct sums check_cycles(const char *root)
{
    enum { WARPS = 32, LEAST = 2 };
    struct sums cycles = {0};
    char path[4096];
    snprintf(path, sizeof(path), "%s/data/h200/tags/hits.jsonl", root);
    FILE *rows = fopen(path, "r");
    json_t *row;
    while (rows && (row = json_loadf(rows, JSON_DISABLE_EOF_CHECK, NULL))) {
        struct fw_warp_request request = lanes_of(row);
        double passes = fw_request_cost(&request, 32, LINE).passes;
        bool full = number(row, "warps") == WARPS && number(row, "step") == 0;
        if (full && number(row, "cycles") >= LEAST)
            add(&cycles, "cycles", row, number(row, "cycles"),
                fmax(passes, fw_tag_lookups(&request, LINE)));
        json_decref(row);
    }
    if (rows)
        fclose(rows);
    return cycles;
}

int main(int argc, char **argv)
{
    char path[4096];
    struct sums missed = {0}, found = {0}, stored = {0}, lookups = {0};
    if (argc < 2)
        return 2;
    snprintf(path, sizeof(path), "%s/data/h200/lanes/counted.jsonl", argv[1]);
    FILE *rows = fopen(path, "r");
    json_t *row;
    while (rows && (row = json_loadf(rows, JSON_DISABLE_EOF_CHECK, NULL))) {
        struct fw_warp_request request = lanes_of(row);
        struct fw_request_cost demand = fw_request_cost(&request, 32, LINE);
        double counted = number(row, "wavefronts");
        if (is_row(row, "ld", true))
            add(&missed, "load", row, counted, demand.wavefronts);
        if (is_row(row, "ld", false))
            add(&found, "load found in L1", row, counted, demand.hit_wavefronts);
        if (is_row(row, "st", false) && !is_merged(row, &request))
            add(&stored, "store", row, counted, demand.wavefronts);
        const char *key = is_row(row, "st", false) ? "store_lookups" : "load_lookups";
        if (is_row(row, "ld", false) || is_row(row, "st", false))
            add(&lookups, "tags", row, number(row, key),
                fw_tag_lookups(&request,
                               LINE)); /* its memory begins at 2 MiB: at no bit that counts */
        json_decref(row);
    }
    if (rows)
        fclose(rows);
    printf(
        "of patterns within 10%%: %u of %u loads from L2, %u of %u from L1, %u of %u stores; tags "
        "of %u of %u\n",
        missed.near, missed.rows, found.near, found.rows, stored.near, stored.rows, lookups.near,
        lookups.rows);
    struct sums cycles = check_cycles(argv[1]);
    printf("cycles of loads from L1 within 10%%: %u of %u\n", cycles.near, cycles.rows);
    if (cycles.rows < 100 || 20 * cycles.near < 19 * cycles.rows)
        return 1;
    bool good = 10 * missed.near >= 8 * missed.rows && 10 * found.near >= 9 * found.rows &&
                10 * stored.near >= 7 * stored.rows && lookups.near == lookups.rows;
    return good && missed.rows > 100 && found.rows > 100 && lookups.rows > 200 ? 0 : 1;
}
