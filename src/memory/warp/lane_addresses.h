/* Addresses of the lanes of sampled warps, shared by accesses that differ by a constant.
 *
 * Unrolled loops and tiles of tensors have many accesses whose addresses are one expression plus
 * different constants.  It is evaluated once for each lane of each sampled warp of a domain. */
#ifndef FW_LANE_ADDRESSES_H
#define FW_LANE_ADDRESSES_H

#include "arena.h"
#include "launch.h"

struct fw_lane_addresses;

/* None kept so far; in the arena. */
struct fw_lane_addresses *fw_lane_addresses_new(struct fw_arena *arena, const struct fw_pool *pool);

/* What is kept of an offset (without its constant, which `*constant` gets) at the instances of a
 * domain's plan; `lanes`: of a warp that have an address, 0: all.  Of several that compete for
 * room, the latest. */
struct fw_kept_lanes *fw_lane_addresses_of(struct fw_lane_addresses *addresses, uint32_t domain,
                                           fw_expression offset, uint32_t lanes, int64_t *constant);

/* Addresses at instance `i` of the plan, `count` of them, less the constant; NULL: not kept. */
const int64_t *fw_kept_lanes_find(const struct fw_kept_lanes *kept, uint32_t i, uint32_t count);

/* Keeps them: instances come in their order. */
void fw_kept_lanes_add(struct fw_lane_addresses *addresses, struct fw_kept_lanes *kept, uint32_t i,
                       const int64_t *at, uint32_t count, int64_t constant);

#endif
