/* Demand: what a launch asks of each resource, by source line.
 *
 * Takes a kernel at a bound launch.  Gives amounts in each resource's unit (resource.h): results of
 * arithmetic units, issue slots, flops of matrix units.  What memory is asked for, models add by
 * themselves, each in its way.  Uses exact counts and the schedule alone; knows no device. */
#ifndef FW_DEMAND_H
#define FW_DEMAND_H

#include "launch.h"
#include "resource.h"

/* Amounts of one source line (0: of none), by resource, in its unit. */
struct fw_demand_line {
    uint32_t line;
    double amounts[FW_RESOURCE_COUNT];
};

struct fw_demand {
    struct fw_arena *arena; /* that it grows in */
    FW_VECTOR(struct fw_demand_line) lines;
    uint32_t newest; /* line looked up last */
    uint32_t calls;  /* executed calls of code that is not there */
    double either;   /* results of FW_RESOURCE_INTEGER that the f32 unit can give as well */
    double places;   /* times that a warp goes to a further place of a branch through a table */
    double expanded; /* executions of divisions and others that are many on the machine */
    bool by_warps;   /* matrix instructions are of single warps */
};

/* The amounts of a line, made when it is new; valid until the next line is made. */
double *fw_demand_amounts(struct fw_demand *demand, uint32_t line);

/* The sum over all lines. */
double fw_demand_sum(const struct fw_demand *demand, enum fw_resource resource);

/* Adds arithmetic and issue of the launch that `bound` is bound to. */
void fw_demand_arithmetic(struct fw_demand *demand, const struct fw_kernel *kernel,
                          struct fw_bound *bound);

/* A sentence where a kernel has match.any or match.all, which go through the distinct values of a
 * warp's lanes one by one (data/h200/match), or NULL. */
const char *fw_match_caveat(const struct fw_kernel *kernel);

/* A sentence where the PTX is one for debugging, which ptxas does not optimise (ptxas 13.0 makes
 * 2448 instructions of a product of tiles of which it makes 96 without), or NULL. */
const char *fw_debug_caveat(const struct fw_kernel *kernel);

/* Sentences about what such a demand leans on: an estimate of machine instructions, operations that
 * are many on the machine, calls that are not followed.  Ends with NULL. */
const char *const *fw_demand_caveats(const struct fw_demand *demand,
                                     const struct fw_kernel *kernel);

#endif
