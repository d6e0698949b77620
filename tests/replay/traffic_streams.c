/* The traffic model beside the calibrating kernels that only move data (streams) or only compute
 * (mixes): what figures of a profile are chosen by, family by family.
 *
 * usage: traffic-streams ROOT [--accept | --rows]
 * Reads ROOT/data/h200/traffic and ROOT/profiles/h200.json; writes docs/memory-traffic-streams.md
 * with --accept, else compares with it; --rows prints every configuration instead. */
#include "recorded.h"
#include "recorded_times.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 256, MOST_FAMILIES = 64, NAME = 48, LEAST = 1 << 24 /* bytes */ };

struct family {
    char name[NAME];
    double ratios[MOST_ROWS], counted[MOST_ROWS], reads[MOST_ROWS], writes[MOST_ROWS];
    unsigned count, read, written; /* the latter: of those that read or write enough to tell */
};

struct all {
    struct family families[MOST_FAMILIES];
    unsigned count;
    bool rows;
};

/* Streams of a kind and element: sheet_float of sheet_float_4_1; mixes all together. */
static struct family *family_of(struct all *all, const char *kernel)
{
    size_t length = strcspn(kernel, "0123456789");
    while (length && kernel[length - 1] == '_')
        length--;
    for (unsigned f = 0; f < all->count; f++)
        if (strlen(all->families[f].name) == length &&
            strncmp(all->families[f].name, kernel, length) == 0)
            return &all->families[f];
    if (all->count == MOST_FAMILIES || length >= NAME)
        return NULL;
    memcpy(all->families[all->count].name, kernel, length);
    return &all->families[all->count++];
}

static void bind(struct subject *s, const json_t *row)
{
    s->launch = fw_launch_new(s->arena, s->kernel);
    s->launch->shared = (uint64_t)json_integer_value(json_object_get(row, "shared"));
    for (size_t d = 0; d < 3; d++) {
        s->launch->grid[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(row, "grid"), d));
        s->launch->block[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(row, "block"), d));
    }
    for (uint32_t p = 2; p < s->kernel->parameter_count && p < 5; p++) { /* behind a and b */
        s->launch->integers[p] =
            json_integer_value(json_array_get(json_object_get(row, "size"), p - 2));
        s->launch->is_bound[p] = true;
    }
}

static double counter(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(json_object_get(row, "counters"), name));
}

static void judge(struct all *all, const struct fw_traffic *traffic,
                  const struct fw_traffic *by_counters, const json_t *row)
{
    const char *kernel = json_string_value(json_object_get(row, "kernel"));
    double seconds = json_number_value(json_object_get(row, "seconds"));
    struct family *family = family_of(all, kernel);
    if (!family || family->count == MOST_ROWS)
        return;
    double read = traffic->volumes.dram_read.bytes / counter(row, "dram__bytes_read.sum");
    double write = traffic->volumes.dram_write.bytes / counter(row, "dram__bytes_write.sum");
    unsigned n = family->count++;
    family->ratios[n] = traffic->seconds / seconds;
    family->counted[n] = by_counters->seconds / seconds;
    if (counter(row, "dram__bytes_read.sum") > LEAST)
        family->reads[family->read++] = fabs(read - 1);
    if (counter(row, "dram__bytes_write.sum") > LEAST)
        family->writes[family->written++] = fabs(write - 1);
    if (!all->rows)
        return;
    char *block = json_dumps(json_object_get(row, "block"), JSON_COMPACT);
    char *size = json_dumps(json_object_get(row, "size"), JSON_COMPACT);
    printf("%s\t%s\t%s\t%lld\t%.9g\t%.9g\t%.9g\t%.3f\t%.3f\t%s\t%.9g\t%.9g\t%.9g\t%.9g\n", kernel,
           block, size, (long long)json_integer_value(json_object_get(row, "resident_blocks")),
           seconds, traffic->seconds, by_counters->seconds, read, write, traffic->terms[0].name,
           traffic->terms[0].seconds, counter(row, "dram__bytes_read.sum"),
           counter(row, "dram__bytes_write.sum"), counter(row, "smsp__inst_executed.sum"));
    free(block);
    free(size);
}

static bool one(const char *root, const struct fw_device *device, const json_t *row,
                struct all *all)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const char *name = json_string_value(json_object_get(row, "kernel"));
    const char *file = strncmp(name, "mix", 3) == 0 ? "mixes" : "streams";
    const char *ptx = fw_arena_printf(s.arena, "%s/data/h200/traffic/%s.ptx", root, file);
    const char *source = fw_arena_printf(s.arena, "%s/data/h200/traffic/%s.cu", root, file);
    bool good = subject_build(&s, ptx, source, name);
    if (good) {
        struct fw_roofline *roofline;
        struct fw_traffic *traffic = NULL, *by_counters = NULL;
        bind(&s, row);
        s.bound = fw_bound_new(s.kernel);
        good = fw_bound_set(s.bound, s.launch) == FW_OK &&
               recorded_times(&roofline, &traffic, &by_counters, &s, device, row, NULL);
        if (good)
            judge(all, traffic, by_counters, row);
        fw_bound_free(s.bound);
    }
    if (!good)
        fprintf(stderr, "%s: %s\n", name, s.message);
    fw_arena_free(s.arena);
    return good;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double at_share(double *values, unsigned count, unsigned tenths)
{
    qsort(values, count, sizeof(*values), by_value);
    return count ? values[(count - 1) * tenths / 10] : 0;
}

/* Median and 90th percentile of |ratio - 1|, in per cent. */
static void add_errors(struct fw_buffer *page, const double *ratios, unsigned count)
{
    double errors[MOST_ROWS];
    for (unsigned i = 0; i < count; i++)
        errors[i] = 100 * fabs(ratios[i] - 1);
    double median = at_share(errors, count, 5);
    fw_buffer_printf(page, " %.1f%%, %.1f%% |", median, at_share(errors, count, 9));
}

static void finish(struct fw_buffer *page, struct all *all)
{
    fw_buffer_printf(
        page,
        "# Kernels that only move data or only compute: predictions and an H200\n\n"
        "`traffic-streams . --accept` made this page from `data/h200/traffic`; a test recomputes "
        "it.\nProperties of the profile are chosen by these kernels and by the calibration kernels "
        "of\n`memory-traffic-shapes.md`, and never by the stars, lattice-Boltzmann or the example "
        "kernels\n(`memory-traffic-properties.md`).\n\n"
        "The error of a configuration is |predicted / measured - 1|. The table gives the median "
        "and\nthe 90th percentile; for device memory, of configurations that move at least 16 "
        "MiB.\n\n"
        "| family | configurations | DRAM read | DRAM write | time | time, measured volumes | "
        "median of predicted / measured |\n|---|---|---|---|---|---|---|\n");
    for (unsigned f = 0; f < all->count; f++) {
        struct family *family = &all->families[f];
        unsigned n = family->count;
        bool memory = strncmp(family->name, "mix", 3) != 0;
        fw_buffer_printf(page, "| %s | %u |", family->name, n);
        if (memory) {
            double read = at_share(family->reads, family->read, 5);
            double write = at_share(family->writes, family->written, 5);
            if (family->read)
                fw_buffer_printf(page, " %.1f%%, %.1f%% |", 100 * read,
                                 100 * at_share(family->reads, family->read, 9));
            else
                fw_buffer_printf(page, " |");
            if (family->written)
                fw_buffer_printf(page, " %.1f%%, %.1f%% |", 100 * write,
                                 100 * at_share(family->writes, family->written, 9));
            else
                fw_buffer_printf(page, " |");
        } else {
            fw_buffer_printf(page, " | |");
        }
        add_errors(page, family->ratios, n);
        add_errors(page, family->counted, n);
        fw_buffer_printf(page, " %.2f |\n", at_share(family->ratios, n, 5));
    }
}

int main(int argc, char **argv)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct all *all = FW_NEW(arena, struct all);
    struct fw_device *device;
    bool good = true, accept = argc > 2 && strcmp(argv[2], "--accept") == 0;
    unsigned rows = 0;
    if (argc < 2)
        return 2;
    all->rows = argc > 2 && strcmp(argv[2], "--rows") == 0;
    FILE *file = fopen(fw_arena_printf(arena, "%s/data/h200/traffic/streams.jsonl", argv[1]), "r");
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", argv[1]);
    if (!file || fw_device_read(&device, arena, profile, NULL) != FW_OK)
        return 2;
    json_t *row;
    while ((row = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) {
        good = one(argv[1], device, row, all) && good;
        rows++;
        json_decref(row);
    }
    fclose(file);
    bool same = true;
    if (!all->rows) {
        struct fw_buffer page = fw_buffer_new(arena);
        finish(&page, all);
        same = recorded_page(arena,
                             fw_arena_printf(arena, "%s/docs/memory-traffic-streams.md", argv[1]),
                             &page, accept);
        printf("%u configurations; page %s\n", rows,
               same ? "as committed" : "differs: run with --accept and review");
    }
    fw_arena_free(arena);
    return good && same && rows > 300 ? 0 : 1;
}
