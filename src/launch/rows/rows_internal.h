/* What the files about rows of supposed lengths share.
 *
 * Loaded numbers say where rows begin and end, or how long they are (record_rows.c).  For lengths
 * that are supposed, conditions on them can be evaluated. */
#ifndef FW_ROWS_INTERNAL_H
#define FW_ROWS_INTERNAL_H

#include "bound_internal.h"

enum { ROW_LENGTHS = 17, ROW_ARRAYS = 4, ROW_ENDS = 8 };

/* What a condition asks for beside indices and arguments. */
struct row_asked {
    uint32_t arrays[ROW_ARRAYS]; /* that tell rows or lengths; FW_NONE is one, too */
    uint32_t array_count;
    bool thread;     /* places of threads or blocks */
    bool iterations; /* of loops other than the one that was named */
    bool more;       /* anything else that data decide */
};

/* row_trips.c: finds it; the iteration of `loop` (FW_NONE: of none) goes without saying. */
void row_asks(struct row_asked *asked, const struct fw_bound *bound, fw_condition condition,
              uint32_t loop);

/* The parts of a loop's condition that lengths, indices and arguments decide: each ends it, and
 * what else data decide may end it before. */
struct row_ends {
    uint32_t loop;
    fw_condition at[ROW_ENDS];
    uint32_t count;
    struct row_asked asked; /* by these together */
};

/* row_trips.c: finds them; false: there are none that ask for rows or lengths, unless `any`. */
bool row_ends_find(struct row_ends *ends, const struct fw_bound *bound, uint32_t loop, bool any);

/* Lengths that are supposed of all arrays. */
struct row_supposed {
    struct fw_bound *bound;
    bool by_mean;    /* each array has its own mean, and `number` counts, not `length` */
    uint32_t number; /* of ROW_LENGTHS lengths from half to one and a half of the mean */
    int64_t length;
};

/* row_trips.c: for fw_bound_suppose. */
bool row_suppose(void *user, fw_atom atom, const struct fw_point *point, int64_t *value);

/* row_trips.c: how often the header of a loop runs at a point, its own iteration aside, where
 * lengths are supposed.  Each part of the condition is taken to hold up to some iteration, and none
 * after.  False: it is not known, or the loop does not end. */
bool row_trips_at(struct fw_bound *bound, const struct row_ends *ends, struct fw_point *point,
                  int64_t *iterations, int64_t *trips);

/* row_length.c: of an array of the record, or FW_NONE.  Not to be asked for the first time while
 * lengths are supposed. */
const struct row_length *row_length_of(struct fw_bound *bound, uint32_t array);

#endif
