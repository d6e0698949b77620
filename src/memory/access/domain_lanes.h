/* The lanes of warps that are in a domain.
 *
 * Takes a kernel at a bound launch, a domain and a warp of a block at an iteration of each loop.
 * Gives the lanes whose points are in the domain (domain_point.h).  Domains that lie in each other
 * share what their parents' conditions came out at: of an unrolled loop that data may leave at each
 * step, whose domains are a chain, each condition is evaluated once and not once a step behind it.
 * Never counts. */
#ifndef FW_DOMAIN_LANES_H
#define FW_DOMAIN_LANES_H

#include "launch.h"

/* What was found of a bound launch, for whoever asks again. */
struct fw_domain_lanes;

/* Empty; lives in the arena. */
struct fw_domain_lanes *fw_domain_lanes_new(struct fw_arena *arena);

/* A warp of so many threads at an iteration of each loop of the kernel. */
struct fw_warp_place {
    const struct fw_launch *launch;
    uint32_t block[3], warp, threads;
    const int64_t *iterations;
};

/* The point of a lane. */
struct fw_point fw_lane_point(const struct fw_warp_place *place, uint32_t lane);

/* Lanes of the warp that are threads of its block, at most 64: bits from 0 up. */
uint64_t fw_warp_place_lanes(const struct fw_warp_place *place);

/* Of these the lanes that are in a domain.  `kept`: of the same bound launch; NULL: nothing is. */
uint64_t fw_domain_lanes_find(struct fw_domain_lanes *kept, const struct fw_kernel *kernel,
                              struct fw_bound *bound, uint32_t domain,
                              const struct fw_warp_place *place);

/* Where the iterations of a loop's domain in which any lane of the warp runs are kept, or are to be
 * (-1), until the next question; the place's iteration of that loop is 0.  NULL: they are not. */
int64_t *fw_domain_lanes_trips(struct fw_domain_lanes *kept, const struct fw_kernel *kernel,
                               uint32_t domain, const struct fw_warp_place *place);

#endif
