/* Memory traffic by block shape: what an H200 counted of stars, a lattice-Boltzmann step and other
 * stencils beside the prediction, and how well the predicted times rank the shapes.
 *
 * usage: traffic-shapes ROOT [--accept | --rows]
 * Reads ROOT/data/h200/traffic and ROOT/profiles/h200.json; writes docs/memory-traffic-shapes.md
 * with
 * --accept, else compares with it: a drift is a reviewed difference.  The profile's cache figures
 * come from the calibrating kernels there, never from stars or lattice-Boltzmann. */
#include "../property/subject.h"
#include "recorded.h"
#include "recorded_times.h"
#include "traffic_metrics.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kernels by the first letters of their names; where their sizes stand among the arguments. */
static const struct {
    const char *name;
    uint32_t first, count;
} kernels[] = {{"star_1_1", 7, 3},        {"star_2_1", 7, 3},
               {"star_1_2", 7, 3},        {"lbm", 3, 3},
               {"box27", 2, 3},           {"five", 2, 2},
               {"box27_1_2", 2, 3},       {"cross_1_1", 2, 3},
               {"cross_2_2", 2, 3},       {"cross_wide", 2, 3},
               {"share_narrow_1", 2, 2},  {"share_narrow_4", 2, 2},
               {"share_narrow_12", 2, 2}, {"share_only_1", 2, 2},
               {"share_only_12", 2, 2}};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]), MOST_ROWS = 128, SHIFT = 96 };

struct list {
    double at[MOST_ROWS];
    unsigned count;
};

struct of_kernel {
    struct list errors[METRICS], hard[METRICS]; /* hard: each byte once is wrong by more than 5% */
    struct list predicted, measured;            /* seconds */
    struct list by_counters;                    /* seconds predicted from measured volumes */
    bool rows;                                  /* of the first: print every configuration */
};

static void add(struct list *list, double value)
{
    if (list->count < MOST_ROWS)
        list->at[list->count++] = value;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double at_share(struct list *list, unsigned tenths)
{
    qsort(list->at, list->count, sizeof(double), by_value);
    return 100 * list->at[(list->count - 1) * tenths / 10];
}

static void bind(struct subject *s, const json_t *row, unsigned kernel)
{
    s->launch = fw_launch_new(s->arena, s->kernel);
    s->launch->shared = (uint64_t)json_integer_value(json_object_get(row, "shared"));
    for (size_t d = 0; d < 3; d++) {
        s->launch->grid[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(row, "grid"), d));
        s->launch->block[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(row, "block"), d));
    }
    for (uint32_t p = 0; p < kernels[kernel].count; p++) {
        uint32_t at = kernels[kernel].first + p;
        s->launch->integers[at] =
            json_integer_value(json_array_get(json_object_get(row, "size"), p));
        s->launch->is_bound[at] = true;
    }
}

static void judge(const struct fw_traffic *traffic, const json_t *row, struct of_kernel *of)
{
    const struct fw_volumes *volumes = &traffic->volumes;
    double predicted[METRICS] = {traffic->requests.load_sectors,
                                 traffic->requests.store_sectors,
                                 traffic->lsu_wavefronts,
                                 traffic->requests.shared_wavefronts,
                                 traffic->l2_to_l1,
                                 traffic->l1_to_l2,
                                 volumes->dram_read.bytes,
                                 volumes->dram_write.bytes};
    for (unsigned m = 0; m < METRICS; m++) {
        double measured = json_number_value(json_object_get(json_object_get(row, "counters"),
                                                            metrics[m].counter)) *
                          metrics[m].unit;
        double once =
            m == L2_LOAD || m == DRAM_READ ? volumes->read_footprint : volumes->write_footprint;
        double error = fabs(predicted[m] / measured - 1);
        if (measured < (m >= L2_LOAD ? 1 << 24 : 1 << 10)) /* the device's other work */
            continue;
        add(&of->errors[m], error);
        if (m >= L2_LOAD && fabs(once / measured - 1) > 0.05)
            add(&of->hard[m], error);
    }
    add(&of->predicted, traffic->seconds);
    add(&of->measured, json_number_value(json_object_get(row, "seconds")));
}

/* What --rows prints of a configuration. */
static void print_row(const char *name, const struct fw_launch *launch,
                      const struct fw_traffic *traffic, const struct fw_traffic *by_counters,
                      const json_t *row)
{
    double seconds = json_number_value(json_object_get(row, "seconds"));
    printf("%-10s %4u %4u %3u seconds %.4g of %.4g = %.3f counted %.3f |", name, launch->block[0],
           launch->block[1], launch->block[2], 1e3 * traffic->seconds, 1e3 * seconds,
           traffic->seconds / seconds, by_counters->seconds / seconds);
    for (uint32_t t = 0; t < traffic->term_count; t++)
        printf(" %s %.3g", traffic->terms[t].name, 1e3 * traffic->terms[t].seconds);
    printf("\n");
}

static bool one(const char *root, const struct fw_device *device, const json_t *row,
                struct of_kernel *all)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const char *name = json_string_value(json_object_get(row, "kernel"));
    const char *ptx = fw_arena_printf(s.arena, "%s/data/h200/traffic/kernels.ptx", root);
    const char *source = fw_arena_printf(s.arena, "%s/data/h200/traffic/kernels.cu", root);
    unsigned kernel = 0;
    while (kernel < KERNELS && strcmp(kernels[kernel].name, name) != 0)
        kernel++;
    bool good = true;
    if (kernel < KERNELS) {
        struct fw_traffic *traffic, *by_counters;
        struct fw_roofline *roofline;
        good = subject_build(&s, ptx, source, name);
        if (good) {
            uint32_t *alignments = FW_ARRAY(s.arena, uint32_t, s.kernel->parameter_count + 1);
            for (uint32_t p = 0; p < 2; p++) /* the stars' pointers begin within a line */
                alignments[p] = strncmp(name, "star", 4) == 0 ? SHIFT : 256;
            bind(&s, row, kernel);
            s.bound = fw_bound_new(s.kernel);
            good = fw_bound_set(s.bound, s.launch) == FW_OK &&
                   recorded_times(&roofline, &traffic, &by_counters, &s, device, row, alignments);
            if (good) {
                judge(traffic, row, &all[kernel]);
                add(&all[kernel].by_counters, by_counters->seconds);
            }
            if (good && all->rows)
                print_row(name, s.launch, traffic, by_counters, row);
            fw_bound_free(s.bound);
        }
    }
    fw_arena_free(s.arena);
    return good;
}

/* Kendall's tau of predicted against measured seconds. */
static double kendall(const struct of_kernel *of, const struct list *predicted)
{
    double sum = 0, pairs = 0;
    for (unsigned a = 0; a < of->measured.count; a++)
        for (unsigned b = 0; b < a; b++) {
            double x = predicted->at[a] - predicted->at[b];
            double y = of->measured.at[a] - of->measured.at[b];
            sum += (x > 0) == (y > 0) ? 1 : -1;
            pairs++;
        }
    return pairs > 0 ? sum / pairs : 0;
}

/* Speed of the shape predicted fastest, as a share of the best measured one's. */
static double chosen(const struct of_kernel *of, const struct list *predicted)
{
    unsigned best = 0;
    double least = of->measured.at[0];
    for (unsigned i = 0; i < of->measured.count; i++) {
        best = predicted->at[i] < predicted->at[best] ? i : best;
        least = of->measured.at[i] < least ? of->measured.at[i] : least;
    }
    return 100 * least / of->measured.at[best];
}

static void finish(struct fw_buffer *page, struct of_kernel *all)
{
    fw_buffer_printf(
        page,
        "# Memory traffic by block shape: predictions and an H200\n\n"
        "`traffic-shapes . --accept` made this page from `data/h200/traffic`; a test recomputes "
        "it.\n`memory-traffic-properties.md` says which kernels are held out.\n\n"
        "The error of a configuration is |predicted / measured - 1|. The table gives the median "
        "and\nthe 90th percentile in per cent. It leaves out the calibration kernels whose "
        "addresses are\nnot boxes (stream, planes).\n\n"
        "| kernel (shapes) |");
    for (unsigned m = 0; m < METRICS; m++)
        fw_buffer_printf(page, " %s |", metrics[m].text);
    fw_buffer_printf(page, "\n|---|---|---|---|---|---|---|---|---|\n");
    for (unsigned k = 0; k < KERNELS; k++) {
        fw_buffer_printf(page, "| %s (%u) |", kernels[k].name, all[k].measured.count);
        for (unsigned m = 0; m < METRICS; m++)
            if (all[k].errors[m].count)
                fw_buffer_printf(page, " %.1f, %.1f |", at_share(&all[k].errors[m], 5),
                                 at_share(&all[k].errors[m], 9));
            else
                fw_buffer_printf(page, " none |");
        fw_buffer_printf(page, "\n");
    }
    fw_buffer_printf(
        page, "\nThe same for configurations in which moving each byte once is off by more than "
              "5%% (their\nnumber stands in brackets). Required of the stars and lbm: "
              "median 8%%, 90th percentile 25%%.\n\n"
              "| kernel | L2 to L1 | L1 to L2 | DRAM read | DRAM write |\n"
              "|---|---|---|---|---|\n");
    for (unsigned k = 0; k < KERNELS; k++) {
        fw_buffer_printf(page, "| %s |", kernels[k].name);
        for (unsigned m = L2_LOAD; m < METRICS; m++)
            if (all[k].hard[m].count)
                fw_buffer_printf(page, " %.1f, %.1f (%u) |", at_share(&all[k].hard[m], 5),
                                 at_share(&all[k].hard[m], 9), all[k].hard[m].count);
            else
                fw_buffer_printf(page, " none |");
        fw_buffer_printf(page, "\n");
    }
    fw_buffer_printf(
        page,
        "\nTimes of the traffic model and of single launches. `chosen` is the speed of the shape "
        "that\nthe model predicts to be the fastest, as a share of the speed of the fastest "
        "measured shape\n(required: stars 98%%, lbm 97%%). `tau` is Kendall's tau over all shapes "
        "(required: 0.85).\n`time` is the median error of the time. The last three columns are the "
        "same with measured\nvolumes in place of predicted ones.\n\n"
        "| kernel | chosen | tau | time | measured volumes: chosen | tau | time |\n"
        "|---|---|---|---|---|---|---|\n");
    for (unsigned k = 0; k < KERNELS; k++) {
        const struct list *lists[2] = {&all[k].predicted, &all[k].by_counters};
        fw_buffer_printf(page, "| %s |", kernels[k].name);
        for (unsigned l = 0; l < 2; l++) {
            struct list errors = {.count = 0};
            for (unsigned i = 0; i < all[k].measured.count; i++)
                add(&errors, fabs(lists[l]->at[i] / all[k].measured.at[i] - 1));
            fw_buffer_printf(page, " %.1f%% | %.2f | %.1f%% |", chosen(&all[k], lists[l]),
                             kendall(&all[k], lists[l]), at_share(&errors, 5));
        }
        fw_buffer_printf(page, "\n");
    }
}

int main(int argc, char **argv)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct of_kernel *all = FW_ARRAY(arena, struct of_kernel, KERNELS);
    struct fw_device *device;
    bool good = true, accept = argc > 2 && strcmp(argv[2], "--accept") == 0;
    if (argc < 2)
        return 2;
    all->rows = argc > 2 && strcmp(argv[2], "--rows") == 0;
    FILE *rows = fopen(fw_arena_printf(arena, "%s/data/h200/traffic/measured.jsonl", argv[1]), "r");
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", argv[1]);
    if (!rows || fw_device_read(&device, arena, profile, NULL) != FW_OK)
        return 2;
    struct fw_buffer page = fw_buffer_new(arena);
    json_t *row;
    while ((row = json_loadf(rows, JSON_DISABLE_EOF_CHECK, NULL))) {
        good = one(argv[1], device, row, all) && good;
        json_decref(row);
    }
    fclose(rows);
    for (unsigned k = 0; k < KERNELS; k++)
        if (all[k].measured.count == 0)
            return 1;
    finish(&page, all);
    const char *path = fw_arena_printf(arena, "%s/docs/memory-traffic-shapes.md", argv[1]);
    bool same = recorded_page(arena, path, &page, accept);
    printf("page %s\n", same ? "as committed" : "differs: run with --accept and review");
    fw_arena_free(arena);
    return good && same ? 0 : 1;
}
