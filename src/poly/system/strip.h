/* Strips: the integer points of a rectangle under one line, a * x + b * y + c >= 0, in plain
 * 64-bit integers.  The commonest thing that is left of a kernel's domain: a triangle, a ragged
 * tile, a grid-stride loop. */
#ifndef FW_STRIP_H
#define FW_STRIP_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 fw_wide;

/* A variable's range; either side may be open. */
struct strip_range {
    int64_t low;
    int64_t high;
    bool has_low;
    bool has_high;
};

/* The number of points into `count`; false when numbers are too large for this way, or when there
 * are infinitely many. */
bool fw_strip_count(fw_wide *count, int64_t a, int64_t b, int64_t c, struct strip_range x,
                    struct strip_range y);

#endif
