/* Memory traffic against hardware counters: what an H200 counted of each example launch beside what
 * src/memory predicts from addresses and launch.
 *
 * usage: memory-traffic ROOT [--accept | --rows]
 * Reads ROOT/kernels/launches.json, ROOT/tests/golden/kernels, ROOT/profiles/h200.json and
 * ROOT/data/h200/kernels.jsonl; writes docs/memory-traffic-h200.md with --accept, else compares
 * with it: a drift is a reviewed difference.  Nothing is fitted on single kernels. */
#include "../property/subject.h"
#include "local_volumes.h"
#include "random_access.h"
#include "occupancy.h"
#include "recorded.h"
#include "traffic_metrics.h"
#include "volume.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3, MOST_ROWS = 512 }; /* small, medium, large */

struct summary {
    double errors[METRICS][SIZES + 1][MOST_ROWS];              /* by size; all */
    double hard[METRICS][MOST_ROWS], easy[METRICS][MOST_ROWS]; /* by whether moving each byte once
                                                                * is wrong by more than 5% */
    unsigned hards[METRICS], easies[METRICS];
    bool rows; /* print what is hard */
    double l2_bytes;
    unsigned counts[METRICS][SIZES + 1];
    unsigned launches, unknown;
};

static double counter(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(json_object_get(row, "counters"), name));
}

/* Smaller counts (bytes or sectors) tell more about the device's other work. */
static const double least[METRICS] = {64, 64, 64, 64, 16384, 16384, 1 << 24, 1 << 24};

/* Volumes between caches once more, by whether the footprint alone predicts them. */
static void judge_apart(unsigned m, double once, double measured, double error, const json_t *row,
                        struct summary *summary)
{
    bool hard = fabs(once / measured - 1) > 0.05;
    unsigned *count = hard ? &summary->hards[m] : &summary->easies[m];
    if (*count < MOST_ROWS)
        (hard ? summary->hard : summary->easy)[m][(*count)++] = error;
    if (hard && summary->rows)
        printf("%-24s %-7s %-10s measured %.4g once %.4g error %.3f\n",
               json_string_value(json_object_get(row, "kernel")),
               json_string_value(json_object_get(row, "size")), metrics[m].text, measured, once,
               error);
}

static void judge(const double predicted[METRICS], const double once[2], const json_t *row,
                  unsigned size, bool leans, bool shown, bool large, struct fw_buffer *out,
                  struct summary *summary)
{
    for (unsigned m = 0; m < METRICS; m++) {
        double measured = counter(row, metrics[m].counter) * metrics[m].unit;
        double error = fabs(predicted[m] / measured - 1);
        if (shown && measured == 0)
            fw_buffer_printf(out, predicted[m] == 0 ? " |" : " %.4g, none |", predicted[m]);
        else if (shown)
            fw_buffer_printf(out, " %.4g %+.1f%% |", measured, 100 * (predicted[m] / measured - 1));
        if (leans || measured < least[m] || (m >= DRAM_READ && !large) ||
            (m == DRAM_WRITE && once[1] < 2 * summary->l2_bytes))
            continue;
        if (m >= L2_LOAD)
            judge_apart(m, once[m == L2_STORE || m == DRAM_WRITE], measured, error, row, summary);
        for (unsigned part = 0; part < 2; part++) {
            unsigned s = part ? SIZES : size;
            if (summary->counts[m][s] < MOST_ROWS)
                summary->errors[m][s][summary->counts[m][s]++] = error;
        }
    }
}

static void predict(struct subject *s, const struct fw_device *device, const json_t *row,
                    double predicted[METRICS], double once[2])
{
    struct fw_kernel_accesses traffic;
    struct fw_requests requests;
    struct fw_block_needs needs = {.carve_out = -1};
    struct fw_occupancy occupancy = {0};
    struct fw_caches caches;
    struct fw_volumes volumes;
    enum fw_figure missing;
    needs.threads = s->launch->block[0] * s->launch->block[1] * s->launch->block[2];
    needs.registers = (uint32_t)json_integer_value(json_object_get(row, "registers"));
    needs.shared_static = s->kernel->resources.static_shared;
    needs.shared_dynamic = s->launch->shared;
    fw_occupancy(&occupancy, device, &needs, NULL);
    fw_caches_of(&caches, device, occupancy.carve_out_bytes,
                 occupancy.blocks ? occupancy.blocks : 1, &missing);
    caches.registers = needs.registers;
    caches.warm = true;
    fw_kernel_accesses_find(&traffic, s->arena, s->kernel, s->bound, s->launch, NULL);
    fw_requests_find(&requests, s->arena, s->kernel, s->bound, s->launch, device, &traffic, NULL);
    fw_caches_set_requests(&caches, &requests, &traffic);
    fw_volumes_find(&volumes, s->arena, &traffic.affine, &caches);
    fw_requests_apply_l1_hits(&requests, caches.requested_load_bytes, volumes.warp_distinct_bytes,
                              volumes.l2_to_l1.bytes);
    struct fw_local_volumes local;
    const uint32_t *grid = s->launch->grid;
    fw_local_volumes_find(&local, s->kernel, &requests, &caches,
                          (double)grid[0] * grid[1] * grid[2], needs.threads,
                          volumes.l2_to_l1.bytes + requests.non_affine_load_bytes, &volumes);
    struct fw_random_accesses random;
    fw_random_accesses_find(&random, s->arena, s->kernel, s->bound, s->launch, &caches, &volumes,
                            traffic.data, &requests);
    predicted[LOAD_SECTORS] = requests.load_sectors + random.load_sectors;
    predicted[STORE_SECTORS] = requests.store_sectors + random.store_sectors;
    predicted[LSU] = requests.global_wavefronts + requests.shared_wavefronts + random.wavefronts;
    predicted[SHARED] = requests.shared_wavefronts;
    predicted[L2_LOAD] =
        volumes.l2_to_l1.bytes + requests.non_affine_load_bytes + local.l2_to_l1 + random.l2_to_l1;
    predicted[L2_STORE] =
        volumes.l1_to_l2 + requests.non_affine_store_bytes + local.l1_to_l2 + random.l1_to_l2;
    predicted[DRAM_READ] = volumes.dram_read.bytes + local.dram_read + random.dram_read;
    predicted[DRAM_WRITE] = volumes.dram_write.bytes + local.dram_write + random.dram_write;
    once[0] = volumes.read_footprint;
    once[1] = volumes.write_footprint;
}

static bool one(const char *root, const struct fw_device *device, const json_t *launches,
                const json_t *row, struct fw_buffer *out, struct summary *summary)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const json_t *launch = recorded_launch(launches, row);
    const char *kernel = json_string_value(json_object_get(row, "kernel"));
    const char *file = json_string_value(json_object_get(row, "file"));
    const char *size = json_string_value(json_object_get(row, "size"));
    char *base = fw_arena_printf(s.arena, "%s", file);
    *strrchr(base, '.') = '\0';
    const char *ptx = fw_arena_printf(s.arena, "%s/tests/golden/kernels/%s.ptx", root, base);
    bool good =
        launch &&
        subject_build(&s, ptx, fw_arena_printf(s.arena, "%s/kernels/%s", root, file), kernel);
    if (good) {
        uint32_t unknowns;
        double predicted[METRICS], once[2];
        unsigned class = strcmp(size, "small") == 0 ? 0 : strcmp(size, "medium") == 0 ? 1 : 2;
        bool shown = class == 1;
        recorded_bind(&s, launch);
        s.bound = fw_bound_new(s.kernel);
        good = fw_bound_set(s.bound, s.launch) == FW_OK;
        predict(&s, device, row, predicted, once);
        fw_bound_unknowns(s.bound, &unknowns);
        bool leans = unknowns > 0;
        for (uint32_t a = 0; a < s.kernel->access_count; a++)
            leans |= s.kernel->accesses[a].data_dependent;
        summary->launches++;
        summary->unknown += leans;
        if (shown)
            fw_buffer_printf(out, "| %s%s |", kernel, leans ? " (u)" : "");
        judge(predicted, once, row, class, leans, shown, once[0] + once[1] > 2 * summary->l2_bytes,
              out, summary);
        if (shown)
            fw_buffer_printf(out, "\n");
        fw_bound_free(s.bound);
    }
    fw_arena_free(s.arena);
    return good;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void finish(struct fw_buffer *page, const struct fw_buffer *table, struct summary *s)
{
    fw_buffer_printf(
        page,
        "# Memory traffic: predictions and the counters of an H200\n\n"
        "`memory-traffic . --accept` made this page from `data/h200/kernels.jsonl`; a test\n"
        "recomputes it. `memory-traffic.md` defines the quantities.\n\n"
        "The error of a launch is |predicted / measured - 1|. The table gives its median and its\n"
        "90th percentile over %u of the %u launches: those that do not depend on loaded data. It\n"
        "leaves out a counter that is too small to judge: fewer than 64 sectors or wavefronts,\n"
        "fewer than 16 KiB from or to L2, fewer than 16 MiB from or to device memory. For device\n"
        "memory it also leaves out launches that touch less than twice the size of L2, and for\n"
        "writes those that store less than that, for two reasons: what L2 held before the launch\n"
        "was not recorded, and the profiler restores data before the pass, which L2 writes back\n"
        "during the launch.\n\n"
        "| | small | | medium | | large | | all | |\n"
        "|---|---|---|---|---|---|---|---|---|\n"
        "| | median | 90th | median | 90th | median | 90th | median | 90th |\n",
        s->launches - s->unknown, s->launches);
    for (unsigned m = 0; m < METRICS; m++) {
        fw_buffer_printf(page, "| %s |", metrics[m].text);
        for (unsigned c = 0; c <= SIZES; c++) {
            unsigned count = s->counts[m][c];
            qsort(s->errors[m][c], count, sizeof(double), by_value);
            if (count)
                fw_buffer_printf(page, " %.1f%% (%u) | %.1f%% |", 100 * s->errors[m][c][count / 2],
                                 count, 100 * s->errors[m][c][count * 9 / 10]);
            else
                fw_buffer_printf(page, " | |");
        }
        fw_buffer_printf(page, "\n");
    }
    fw_buffer_printf(
        page, "\nThe next table divides the launches of all sizes in two: those for which moving "
              "each\nbyte once is off by more than 5%% (required: median 8%%, 90th percentile "
              "25%%), and those for\nwhich it is not (required: 3%%).\n\n"
              "| | each byte once is off: launches | median | 90th | each byte once is right: "
              "launches | median | 90th |\n|---|---|---|---|---|---|---|\n");
    for (unsigned m = L2_LOAD; m < METRICS; m++) {
        unsigned hards = s->hards[m], easies = s->easies[m];
        qsort(s->hard[m], hards, sizeof(double), by_value);
        qsort(s->easy[m], easies, sizeof(double), by_value);
        if (hards && easies)
            fw_buffer_printf(page, "| %s | %u | %.1f%% | %.1f%% | %u | %.1f%% | %.1f%% |\n",
                             metrics[m].text, hards, 100 * s->hard[m][hards / 2],
                             100 * s->hard[m][hards * 9 / 10], easies, 100 * s->easy[m][easies / 2],
                             100 * s->easy[m][easies * 9 / 10]);
    }
    fw_buffer_printf(
        page,
        "\nThe medium size: what the device counted (sectors, wavefronts, bytes), and the "
        "error of the\nprediction. A kernel with the mark u depends on loaded data and is "
        "not judged.\n\n"
        "| kernel | load sectors | store sectors | LSU wavefronts | shared wavefronts "
        "| L2 to L1 | L1 to L2 | DRAM read | DRAM write |\n"
        "|---|---|---|---|---|---|---|---|---|\n%s",
        table->text);
}

int main(int argc, char **argv)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct summary *summary = FW_NEW(arena, struct summary);
    struct fw_device *device;
    bool good = true, accept = argc > 2 && strcmp(argv[2], "--accept") == 0;
    if (argc < 2)
        return 2;
    summary->rows = argc > 2 && strcmp(argv[2], "--rows") == 0;
    json_t *launches =
        json_load_file(fw_arena_printf(arena, "%s/kernels/launches.json", argv[1]), 0, NULL);
    FILE *rows = fopen(fw_arena_printf(arena, "%s/data/h200/kernels.jsonl", argv[1]), "r");
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", argv[1]);
    if (!launches || !rows || fw_device_read(&device, arena, profile, NULL) != FW_OK)
        return 2;
    fw_device_figure(device, FW_FIGURE_L2_BYTES, &summary->l2_bytes);
    struct fw_buffer table = fw_buffer_new(arena), page = fw_buffer_new(arena);
    json_t *row;
    while ((row = json_loadf(rows, JSON_DISABLE_EOF_CHECK, NULL))) {
        good = one(argv[1], device, launches, row, &table, summary) && good;
        json_decref(row);
    }
    fclose(rows);
    json_decref(launches);
    finish(&page, &table, summary);
    const char *path = fw_arena_printf(arena, "%s/docs/memory-traffic-h200.md", argv[1]);
    bool same = recorded_page(arena, path, &page, accept);
    printf("%u launches; page %s\n", summary->launches,
           same ? "as committed" : "differs: run with --accept and review");
    bool enough = summary->launches > 300;
    fw_arena_free(arena);
    return good && same && enough ? 0 : 1;
}
