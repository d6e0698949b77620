/* The simulation of a launch: the blocks of its busiest multiprocessor, chosen among the classes of
 * its traces.
 *
 * Takes what trace_work.h prepares; gives the cycles that the launch takes, without what an empty
 * kernel does.  docs/trace.md ("The model") says how.  Models share it: `trace` simulates in full,
 * `traffic` shortly. */
#ifndef FW_BLOCK_CHOICE_H
#define FW_BLOCK_CHOICE_H

#include "trace_work.h"

/* Operations of a simulation, at most, beyond which it is estimated. */
#define FW_TRACE_MOST_ISSUES 500000

/* Simulates a launch that is prepared (fw_trace_prepare); `most_issues` operations at most. */
void fw_trace_simulate(struct fw_trace_work *work, struct fw_sm_result *result,
                       uint64_t most_issues);

/* Cycles that a launch takes, by a short simulation of `most_issues` operations; 0: it cannot be
 * simulated. */
double fw_trace_short_cycles(struct fw_arena *arena, const struct fw_trace_question *question,
                             uint64_t most_issues);

#endif
