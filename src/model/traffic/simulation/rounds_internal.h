/* What the files of rounds share: the batches of loads that a block waits for, and what it waits
 * for each. */
#ifndef FW_ROUNDS_INTERNAL_H
#define FW_ROUNDS_INTERNAL_H

#include "new_sectors.h"
#include "rounds.h"

/* Loads that are waited for together, `times` times, in so many iterations at once. */
struct batch {
    uint32_t first, last; /* of the loads in program order */
    double iterations, times;
};

/* How often a batch's loads run. */
static inline double planner_executions(const struct batch *batch)
{
    return batch->iterations * batch->times;
}

/* What a batch waits for loads that are generated uniformly, beyond L1's latency. */
struct set_wait {
    uint32_t set;
    double share, cycles; /* of the executions that have any of them */
};

struct planner {
    struct fw_life *life;
    const struct fw_affine_accesses *accesses;
    const double *l2_miss_share;
    const struct fw_round_needs *needs;
    double *turns;          /* by access: how often a warp executes it */
    uint32_t *loads;        /* numbers of accesses */
    uint32_t *which;        /* room for as many */
    struct set_wait *waits; /* likewise */
    uint32_t load_count;
    struct batch *batches;
    uint32_t batch_count;
    struct fw_new_share *news; /* by access */
    double stored_in_loops;    /* share of the stores */
    double looped;             /* iterations of all batches in loops */
};

/* Whether load `l` of the list is of another access of the record than the one before it: one
 * access may have become several, of different threads. */
bool planner_begins_access(const struct planner *planner, uint32_t l);

/* Of the executions of a batch's load, whatever parts it has become, the share that are of load `l`
 * of the list. */
double planner_share_of_part(const struct planner *planner, const struct batch *batch, uint32_t l);

/* Whether group `group` of a block meets data of an access that miss in L2: the last ones do. */
bool planner_meets_new(const struct planner *planner, uint32_t access, uint32_t group);

/* Cycles that group `group` of a block waits for a batch's loads.  Different sets move together, so
 * that the longest counts, but one that few warps have, as of the edges of a grid, for these alone.
 */
double planner_wait(const struct planner *planner, const struct batch *batch, uint32_t group);

/* Cycles from the first to the last load of a batch: a warp has its scheduler's part of the
 * load-store unit's lanes.  What the unit has for each load at least is in its own time; data that
 * lie on several lines are processed when they come.  Source: data/h200/near, `batch`: 1 to 8 loads
 * of 1 to 8 warps. */
double planner_issue(const struct planner *planner, const struct batch *batch);

/* Cycles that the last of a batch's loads from device memory waits longer than one of them: what
 * each waits beyond the least is exponentially distributed.  Source: data/h200/near, `column`. */
double planner_last(const struct planner *planner, const struct batch *batch);

#endif
