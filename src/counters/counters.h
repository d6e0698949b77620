/* Counters: what a profiler counted, launch by launch, under the profiler's own names.
 *
 * Takes Nsight Compute's CSV, either the raw page (a row a launch, a column a metric, units in the
 * row below the names) or the details page (a row a metric), or a JSON object of metrics.  Gives
 * plain records: for each launch its kernel, grid and block as the profiler writes them, its number
 * in the table, and its metrics in SI units.  What the profiled program and the profiler print
 * around the table is passed over.  Never opens a file and never decides which metrics matter;
 * what is wrong with a table is for the caller to say, who knows what it is for. */
#ifndef FW_COUNTERS_H
#define FW_COUNTERS_H

#include "arena.h"
#include "diagnostic.h"

#include <jansson.h>
#include <stdbool.h>

/* A metric's value.  Prefixed bytes and seconds ("Kbyte", "usecond") become bytes and seconds, and
 * `unit` says "byte" or "second" then; other units stay as they are.  "" without a unit. */
struct fw_counter_value {
    const char *metric, *unit;
    double value; /* may be infinite or no number: the text said so */
};

/* FW_APPEND takes it.  A metric may occur twice: the later one stands. */
struct fw_counter_list {
    struct fw_counter_value *at;
    size_t count, capacity;
};

/* Texts as in the table; NULL where the launch's row has no such cell. */
struct fw_counted_launch {
    const char *kernel;       /* "void tile<2>(float *)" */
    const char *grid, *block; /* "(4, 1, 1)" */
    size_t number;            /* among the table's launches, from 0 */
    struct fw_counter_list counters;
    struct fw_span place; /* the launch's first row */
};

struct fw_counter_table {
    bool has_kernels, has_grids, has_blocks; /* columns */
    struct fw_span head;                     /* the row of names; length 0: there is no table */
    FW_VECTOR(struct fw_counted_launch) launches;
};

/* Reads a profiler's CSV.  The table begins at the first line with the words "Kernel Name"; lines
 * below belong to it that open with a quote, as the profiler's do, or have a cell for each column.
 * Texts are the arena's. */
void fw_counters_read_csv(struct fw_counter_table *table, struct fw_arena *arena,
                          const struct fw_source *source);

/* Adds an object's numbers, {"dram__bytes_read.sum": 1e9, ...}; members that are no numbers are
 * passed over.  Values are in SI units already. */
void fw_counters_add_json(struct fw_counter_list *list, struct fw_arena *arena,
                          const json_t *object);

/* Whether the profiler's text for a grid or block, "(4, 1, 1)", states these extents; NULL states
 * any. */
bool fw_counters_same_extents(const char *text, const uint32_t extents[3]);

#endif
