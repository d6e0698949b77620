/* Intervals of expressions over all points of a bound launch: cheap, never too narrow. */
#ifndef FW_INTERVAL_H
#define FW_INTERVAL_H

#include "launch.h"

struct fw_interval {
    int64_t low, high; /* both included; beyond +-2^62: unbounded that way */
};

/* The least and greatest value that `a` can take for any thread and iteration of the launch,
 * iterations by their loops' greatest trips.  Opaque values and unbound arguments have the bounds
 * of 32-bit integers when they are 32 bits wide, else none. */
struct fw_interval fw_bound_interval(struct fw_bound *bound, fw_expression a);

/* Whether the interval is bounded on both sides. */
bool fw_interval_bounded(struct fw_interval interval);

#endif
