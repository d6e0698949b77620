/* Any bytes are read as a profiler's CSV: a complete table, written as a details page, is read as
 * the same launches.  Then they are read as one launch's volumes, or refused with a diagnostic. */
#include "counters.h"
#include "measured_volumes.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

static void count(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)diagnostic;
    ++*(unsigned *)user;
}

static void add_cell(struct fw_buffer *out, const char *text, char behind)
{
    fw_buffer_add(out, "\"", 1);
    for (; *text; text++)
        fw_buffer_add(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    fw_buffer_add(out, "\"", 1);
    fw_buffer_add(out, &behind, 1);
}

static void add_row(struct fw_buffer *out, const struct fw_counted_launch *launch,
                    const struct fw_counter_value *counter)
{
    char value[64] = "";
    if (counter)
        snprintf(value, sizeof(value), "%.17g", counter->value);
    add_cell(out, fw_arena_printf(out->arena, "%zu", launch->number), ',');
    add_cell(out, launch->kernel, ',');
    add_cell(out, launch->grid, ',');
    add_cell(out, launch->block, ',');
    add_cell(out, counter ? counter->metric : "", ',');
    add_cell(out, counter ? counter->unit : "", ',');
    add_cell(out, value, '\n');
}

/* The table as a details page; false: a launch's row is not complete. */
static bool print(struct fw_buffer *out, const struct fw_counter_table *table)
{
    fw_buffer_printf(out, "\"ID\",\"Kernel Name\",\"Grid Size\",\"Block Size\",\"Metric Name\","
                          "\"Metric Unit\",\"Metric Value\"\n");
    for (size_t l = 0; l < table->launches.count; l++) {
        const struct fw_counted_launch *launch = &table->launches.at[l];
        if (!launch->kernel || !launch->grid || !launch->block)
            return false;
        add_row(out, launch, NULL);
        for (size_t c = 0; c < launch->counters.count; c++)
            add_row(out, launch, &launch->counters.at[c]);
    }
    return true;
}

static bool same_counter(const struct fw_counter_value *one, const struct fw_counter_value *other)
{
    return strcmp(one->metric, other->metric) == 0 && strcmp(one->unit, other->unit) == 0 &&
           (one->value == other->value || (isnan(one->value) && isnan(other->value)));
}

static void compare(const struct fw_counter_table *one, const struct fw_counter_table *other)
{
    if (one->launches.count != other->launches.count)
        fail("another number of launches");
    for (size_t l = 0; l < one->launches.count; l++) {
        const struct fw_counted_launch *a = &one->launches.at[l], *b = &other->launches.at[l];
        if (strcmp(a->kernel, b->kernel) != 0 || strcmp(a->grid, b->grid) != 0 ||
            strcmp(a->block, b->block) != 0 || a->counters.count != b->counters.count)
            fail("another launch");
        for (size_t c = 0; c < a->counters.count; c++)
            if (!same_counter(&a->counters.at[c], &b->counters.at[c]))
                fail("another counter");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    struct fw_source source = {"fuzz", fw_arena_text(arena, (const char *)data, size), size};
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_counter_table table, again;
    struct fw_measured_volumes volumes;
    const struct fw_measured_launch launch = {"k", "_Z1kPf", {4, 1, 1}, {32, 1, 1}};
    unsigned errors = 0;
    const struct fw_sink sink = {count, &errors};
    fw_counters_read_csv(&table, arena, &source);
    if (print(&text, &table)) {
        struct fw_source printed = {"printed", text.text, text.length};
        fw_counters_read_csv(&again, arena, &printed);
        compare(&table, &again);
    }
    enum fw_status status =
        fw_measured_volumes_read(&volumes, arena, &source, "fuzz", &launch, &sink);
    if ((status == FW_OK) != (errors == 0))
        fail("status and diagnostics do not agree");
    for (size_t m = 0; m < FW_VOLUME_METRIC_COUNT && !status; m++)
        if (!isnan(volumes.at[m]) && !(volumes.at[m] >= 0 && isfinite(volumes.at[m])))
            fail("a volume that is none");
    fw_arena_free(arena);
    return 0;
}
