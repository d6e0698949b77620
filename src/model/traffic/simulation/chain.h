/* Chains: how long one warp takes for what depends on each other, loads of device memory apart.
 *
 * Takes a record's schedule at a bound launch and a profile's latencies; gives the cycles of the
 * longest chain of instructions that wait for each other's results, each as often as a warp runs
 * it, barriers and conditions of branches being waited for by everything after them.  Loads and
 * stores of device memory count nothing, since their waiting is of rounds.h, but for loads at
 * random addresses, which rounds do not have.  A latency that the profile lacks counts nothing, and
 * is named. */
#ifndef FW_CHAIN_H
#define FW_CHAIN_H

#include "device.h"
#include "launch.h"

/* Cycles of the longest chain; `in_loops`: what loops add to it (what a warp runs more than once);
 * `missing`: the latencies that the profile lacks of those asked for, as names between commas in
 * the arena, or NULL.  `waits`: by access, the cycles that a load waits for its data; NULL: 0. */
double fw_chain_cycles(double *in_loops, const char **missing, struct fw_arena *arena,
                       const struct fw_kernel *kernel, struct fw_bound *bound,
                       const struct fw_launch *launch, const struct fw_device *device,
                       const double *waits);

#endif
