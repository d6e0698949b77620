/* Sample plans: the warps of a domain that are sampled, and their active lanes.
 *
 * Takes a domain of a kernel at a bound launch.  Gives warps of sampled blocks at sampled
 * iterations of the loops around the domain, each with the iterations that it stands for.  All
 * accesses of a domain share its plan: the conditions of the domain are evaluated once, not once an
 * access.  Never looks at addresses. */
#ifndef FW_SAMPLE_PLAN_H
#define FW_SAMPLE_PLAN_H

#include "domain_lanes.h"

enum {
    FW_SAMPLED_BLOCKS = 3,       /* which are always sampled */
    FW_DRAWN_BLOCKS = 8,         /* which are sampled where data decide addresses */
    FW_MOST_SAMPLED_BLOCKS = 16, /* where none of these runs the domain */
    FW_SAMPLED_LOOPS = 8         /* around a domain, the innermost ones */
};

/* A warp at sampled iterations; some lane of it is in the domain. */
struct fw_sampled_instance {
    uint32_t block[3], warp;
    uint64_t lanes;
    int64_t iterations[FW_SAMPLED_LOOPS]; /* of the plan's loops */
    double weight;                        /* iterations that it stands for */
};

struct fw_sample_plan {
    struct fw_arena *arena;
    struct fw_domain_lanes *lanes;            /* that plans share; NULL: they share none */
    uint32_t domain, warp;                    /* threads of a warp */
    uint32_t loops, loop[FW_SAMPLED_LOOPS];   /* around the domain, outermost first */
    FW_VECTOR(struct fw_sampled_instance) at; /* of one block after the other */
    uint32_t blocks;                          /* that are in `at`, from 0 */
    uint32_t ends[FW_MOST_SAMPLED_BLOCKS];    /* in `at` */
};

/* An empty plan of a domain; `warp`: threads of a warp, at most 64; `lanes`: what plans of the same
 * bound launch share, or NULL. */
void fw_sample_plan_open(struct fw_sample_plan *plan, struct fw_arena *arena,
                         const struct fw_kernel *kernel, uint32_t domain, uint32_t warp,
                         struct fw_domain_lanes *lanes);

/* Adds blocks to the plan until it has `blocks` of them at least, and an instance if one of
 * FW_MOST_SAMPLED_BLOCKS has any.  Gives how many blocks count. */
uint32_t fw_sample_plan_fill(struct fw_sample_plan *plan, const struct fw_kernel *kernel,
                             struct fw_bound *bound, const struct fw_launch *launch,
                             uint32_t blocks);

#endif
