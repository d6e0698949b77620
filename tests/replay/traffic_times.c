/* Times of the traffic model against recorded durations: what an H200 took for each example launch
 * beside what src/model/traffic predicts, with the roofline model's terms of what is no memory.
 *
 * usage: traffic-times ROOT [--accept]
 * Reads ROOT/kernels/launches.json, ROOT/tests/golden/kernels, ROOT/profiles/h200.json and
 * ROOT/data/h200/kernels.jsonl; writes docs/memory-traffic-times.md with --accept, else compares
 * with it: a drift is a reviewed difference.  Nothing is fitted on these kernels. */
#include "../property/subject.h"
#include "recorded.h"
#include "recorded_times.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 512 };

struct list {
    double errors[MOST_ROWS], ratios[MOST_ROWS];
    unsigned count;
};

struct summary {
    struct list traffic, by_counters, roofline, watts;
    const json_t *drawn; /* watts by "kernel size" */
    unsigned launches, unknown;
};

static void add(struct list *list, double ratio)
{
    if (list->count < MOST_ROWS) {
        list->ratios[list->count] = ratio;
        list->errors[list->count++] = 100 * fabs(ratio - 1);
    }
}

static void judge(const struct subject *s, const json_t *row, const struct fw_roofline *roofline,
                  const struct fw_traffic *traffic, const struct fw_traffic *by_counters,
                  struct fw_buffer *out, struct summary *summary)
{
    double measured = json_number_value(
        json_object_get(json_object_get(row, "counters"), "gpu__time_duration.sum"));
    uint32_t unknowns;
    fw_bound_unknowns(s->bound, &unknowns);
    bool leans = unknowns > 0;
    for (uint32_t a = 0; a < s->kernel->access_count; a++)
        leans |= s->kernel->accesses[a].data_dependent;
    const char *name = json_string_value(json_object_get(row, "kernel"));
    const char *size = json_string_value(json_object_get(row, "size"));
    const json_t *drawn =
        json_object_get(summary->drawn, fw_arena_printf(s->arena, "%s %s", name, size));
    if (!leans && drawn && traffic->has_power)
        add(&summary->watts, traffic->power.watts / json_number_value(drawn));
    summary->launches++;
    summary->unknown += leans;
    if (!leans) {
        add(&summary->traffic, traffic->seconds / measured);
        add(&summary->by_counters, by_counters->seconds / measured);
        add(&summary->roofline, roofline->seconds / measured);
    }
    fw_buffer_printf(out, "| %s%s | %s | %.3g ms | %.3g ms | %.2f | %.2f | %s |\n",
                     json_string_value(json_object_get(row, "kernel")), leans ? " (u)" : "",
                     json_string_value(json_object_get(row, "size")), 1e3 * traffic->seconds,
                     1e3 * measured, traffic->seconds / measured, by_counters->seconds / measured,
                     traffic->term_count ? traffic->terms[0].name : "");
}

static bool one(const char *root, const struct fw_device *device, const json_t *launches,
                const json_t *row, struct fw_buffer *out, struct summary *summary)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const json_t *launch = recorded_launch(launches, row);
    const char *kernel = json_string_value(json_object_get(row, "kernel"));
    const char *file = json_string_value(json_object_get(row, "file"));
    char *base = fw_arena_printf(s.arena, "%s", file);
    *strrchr(base, '.') = '\0';
    const char *ptx = fw_arena_printf(s.arena, "%s/tests/golden/kernels/%s.ptx", root, base);
    bool good =
        launch &&
        subject_build(&s, ptx, fw_arena_printf(s.arena, "%s/kernels/%s", root, file), kernel);
    if (good) {
        struct fw_roofline *roofline = NULL;
        struct fw_traffic *traffic = NULL, *by_counters = NULL;
        recorded_bind(&s, launch);
        s.bound = fw_bound_new(s.kernel);
        good = fw_bound_set(s.bound, s.launch) == FW_OK &&
               recorded_times(&roofline, &traffic, &by_counters, &s, device, row, NULL);
        if (good)
            judge(&s, row, roofline, traffic, by_counters, out, summary);
        fw_bound_free(s.bound);
    }
    fw_arena_free(s.arena);
    return good;
}

/* Watts of launches back to back, by "kernel size": a campaign's text has a record a line. */
static json_t *read_drawn(const char *path)
{
    FILE *file = fopen(path, "r");
    json_t *all = json_object(), *record;
    while (file && (record = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) {
        const json_t *watts = json_object_get(json_object_get(record, "energy"), "watts");
        const char *name = json_string_value(json_object_get(record, "name"));
        const char *kernel = name ? strchr(name, ' ') : NULL; /* behind the file's */
        if (watts && kernel)
            json_object_set_new(all, kernel + 1, json_real(json_number_value(watts)));
        json_decref(record);
    }
    if (file)
        fclose(file);
    return all;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double at_share(double *values, unsigned count, unsigned tenths)
{
    qsort(values, count, sizeof(*values), by_value);
    return count ? values[count * tenths / 10] : 0;
}

static void add_row(struct fw_buffer *page, const char *model, struct list *list)
{
    double sum = 0;
    for (unsigned i = 0; i < list->count; i++)
        sum += list->errors[i];
    fw_buffer_printf(page, "| %s | %u | %.1f%% | %.1f%% | %.1f%% | %.2f |\n", model, list->count,
                     at_share(list->errors, list->count, 5), at_share(list->errors, list->count, 9),
                     list->count ? sum / list->count : 0, at_share(list->ratios, list->count, 5));
}

static void finish(struct fw_buffer *page, const struct fw_buffer *table, struct summary *s)
{
    fw_buffer_printf(
        page,
        "# Times: the traffic model and an H200\n\n"
        "`traffic-times . --accept` made this page from `data/h200/kernels.jsonl`; a test "
        "recomputes\nit. The time is the duration of one launch as the profiler reports it "
        "(`gpu__time_duration`).\nThe registers are those that the compiler of the driver gave. "
        "Required: a median of at most 10%%.\n"
        "Nothing is fitted to these kernels. %u of the %u launches depend on loaded data; the "
        "page\nshows them with the mark u and does not judge them.\n\n"
        "| model | launches | median error | 90th percentile | mean (MAPE) | median of predicted / "
        "measured |\n|---|---|---|---|---|---|\n",
        s->unknown, s->launches);
    add_row(page, "traffic", &s->traffic);
    add_row(page, "traffic, measured volumes", &s->by_counters);
    add_row(page, "roofline", &s->roofline);
    fw_buffer_printf(
        page,
        "\nPower: the sum of counts times the energies of the profile, and the power that the "
        "board drew\nfor launches back to back (`data/h200/power.txt`).\n\n"
        "| model | launches | "
        "median error | 90th percentile | mean (MAPE) | median of predicted / "
        "measured |\n|---|---|---|---|---|---|\n");
    add_row(page, "watts", &s->watts);
    fw_buffer_printf(page,
                     "\n| kernel | size | predicted | measured | ratio | measured volumes: ratio "
                     "| slowest term |\n"
                     "|---|---|---|---|---|---|---|\n%s",
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
    json_t *launches =
        json_load_file(fw_arena_printf(arena, "%s/kernels/launches.json", argv[1]), 0, NULL);
    FILE *rows = fopen(fw_arena_printf(arena, "%s/data/h200/kernels.jsonl", argv[1]), "r");
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", argv[1]);
    if (!launches || !rows || fw_device_read(&device, arena, profile, NULL) != FW_OK)
        return 2;
    json_t *drawn = read_drawn(fw_arena_printf(arena, "%s/data/h200/power.txt", argv[1]));
    summary->drawn = drawn;
    struct fw_buffer table = fw_buffer_new(arena), page = fw_buffer_new(arena);
    json_t *row;
    while ((row = json_loadf(rows, JSON_DISABLE_EOF_CHECK, NULL))) {
        if (strcmp(json_string_value(json_object_get(row, "size")), "small") != 0)
            good = one(argv[1], device, launches, row, &table, summary) && good;
        json_decref(row);
    }
    fclose(rows);
    json_decref(launches);
    json_decref(drawn);
    finish(&page, &table, summary);
    const char *path = fw_arena_printf(arena, "%s/docs/memory-traffic-times.md", argv[1]);
    bool same = recorded_page(arena, path, &page, accept);
    printf("%u launches; page %s\n", summary->launches,
           same ? "as committed" : "differs: run with --accept and review");
    bool enough = summary->launches > 200 && summary->watts.count > 50;
    fw_arena_free(arena);
    return good && same && enough ? 0 : 1;
}
