/* Dependence: the longest chain of a warp's instructions that wait for each other.
 *
 * Takes a record's schedule at a bound launch and what each of its instructions weighs; gives how
 * often a warp waits for each, and the weight of the longest chain, barriers and conditions of
 * branches being waited for by everything after them.  Never knows a device. */
#ifndef FW_DEPENDENCE_H
#define FW_DEPENDENCE_H

#include "launch.h"

/* How often a warp goes through each instruction of the schedule one time after the other, in the
 * mean: its executions, where an assembler makes one of several iterations of a loop, whose chains
 * go side by side, by so many fewer.  kernel->schedule_count numbers of the arena. */
double *fw_dependence_times(struct fw_arena *arena, const struct fw_kernel *kernel,
                            struct fw_bound *bound, const struct fw_launch *launch);

/* The weight of the longest chain.  `weights`, `times`: by instruction of the schedule; no
 * instruction counts more than `most` times (HUGE_VAL: as often as it is there). */
double fw_dependence_longest(struct fw_arena *arena, const struct fw_kernel *kernel,
                             const double *weights, const double *times, double most);

/* Cycles in which a warp that is alone waits for results, beyond the issue of its instructions.
 * Instructions of one domain come in the order in which their operands are there, as assemblers
 * have it, and domains one after the other: what a domain waits for, each of its iterations waits
 * for.  `cycles`, `times`: by instruction of the schedule, what its result takes and how often a
 * warp goes through it.  A barrier or a branch that decides keeps back what is behind it. */
double fw_dependence_stalls(struct fw_arena *arena, const struct fw_kernel *kernel,
                            const double *cycles, const double *times);

#endif
