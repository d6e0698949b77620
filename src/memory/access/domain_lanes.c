#include "domain_lanes.h"

#include "domain_point.h"

#include <string.h>

enum { ENTRIES = 1 << 11 /* a power of two: those of one plan of a domain and of its parents */ };

/* Lanes in a domain at a place; `place` 0: none are kept. */
struct entry {
    uint32_t domain, place;
    uint64_t lanes;
};

/* The same of iterations. */
struct trips {
    uint32_t domain, place;
    int64_t trips;
};

struct fw_domain_lanes {
    struct fw_map places; /* numbers of blocks, warps and iterations, from 1 */
    struct entry at[ENTRIES];
    struct trips trips[ENTRIES];
};

/* One question. */
struct asking {
    struct fw_domain_lanes *kept; /* NULL: nothing is */
    uint32_t number;              /* of the place, from 1 */
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_warp_place *place;
};

struct fw_domain_lanes *fw_domain_lanes_new(struct fw_arena *arena)
{
    struct fw_domain_lanes *kept = FW_NEW(arena, struct fw_domain_lanes);
    kept->places = fw_map_new(arena);
    return kept;
}

struct fw_point fw_lane_point(const struct fw_warp_place *place, uint32_t lane)
{
    const uint32_t *size = place->launch->block, t = place->warp * place->threads + lane;
    return (struct fw_point){{place->block[0], place->block[1], place->block[2]},
                             {t % size[0], t / size[0] % size[1], t / size[0] / size[1]},
                             place->iterations};
}

uint64_t fw_warp_place_lanes(const struct fw_warp_place *place)
{
    const uint32_t *size = place->launch->block, threads = size[0] * size[1] * size[2];
    const uint32_t first = place->warp * place->threads;
    const uint32_t left = first < threads ? threads - first : 0;
    const uint32_t lanes = left < place->threads ? left : place->threads;
    return lanes >= 64 ? UINT64_MAX : ((uint64_t)1 << lanes) - 1;
}

/* The number of a place, from 1, by all that its points have in common. */
static uint32_t number_of(struct fw_domain_lanes *kept, const struct fw_kernel *kernel,
                          const struct fw_warp_place *place)
{
    enum { MOST_LOOPS = 64 };
    int64_t name[MOST_LOOPS + 4] = {place->block[0], place->block[1], place->block[2], place->warp};
    bool added;
    if (kernel->loop_count > MOST_LOOPS)
        return 0;
    memcpy(name + 4, place->iterations, kernel->loop_count * sizeof(*name));
    struct fw_map_entry *entry = fw_map_add(&kept->places, (const char *)name,
                                            (4 + kernel->loop_count) * sizeof(*name), &added);
    if (added)
        entry->value = (uint32_t)kept->places.count;
    return entry->value;
}

static uint64_t find(const struct asking *ask, uint32_t domain);

/* Those of the lanes that a domain takes from its parent. */
static uint64_t taken(const struct asking *ask, const struct fw_domain *at, uint64_t lanes)
{
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const struct fw_point point = fw_lane_point(ask->place, lane);
        if (!fw_point_stays_in(ask->kernel, ask->bound, at, &point))
            lanes &= ~((uint64_t)1 << lane);
    }
    return lanes;
}

static uint64_t find_in(const struct asking *ask, const struct fw_domain *at)
{
    uint64_t lanes = 0;
    switch (at->kind) {
    case FW_DOMAIN_EMPTY:
        return 0;
    case FW_DOMAIN_ALL:
        return fw_warp_place_lanes(ask->place);
    case FW_DOMAIN_UNION:
        for (uint32_t m = 0; m < at->member_count; m++)
            lanes |= find(ask, at->members[m]);
        return lanes;
    default:
        return taken(ask, at, find(ask, at->parent));
    }
}

static uint32_t entry_of(uint32_t domain, uint32_t number)
{
    const uint32_t hash = (domain * 0x9e3779b1u + number) * 0x85ebca6bu;
    return hash / (UINT32_MAX / ENTRIES + 1);
}

static uint64_t find(const struct asking *ask, uint32_t domain)
{
    if (!ask->number)
        return find_in(ask, &ask->kernel->domains[domain]);
    struct entry *entry = &ask->kept->at[entry_of(domain, ask->number)];
    if (entry->place == ask->number && entry->domain == domain)
        return entry->lanes;
    const uint64_t lanes = find_in(ask, &ask->kernel->domains[domain]);
    *entry = (struct entry){domain, ask->number, lanes};
    return lanes;
}

uint64_t fw_domain_lanes_find(struct fw_domain_lanes *kept, const struct fw_kernel *kernel,
                              struct fw_bound *bound, uint32_t domain,
                              const struct fw_warp_place *place)
{
    const struct asking ask = {.kept = kept,
                               .number = kept ? number_of(kept, kernel, place) : 0,
                               .kernel = kernel,
                               .bound = bound,
                               .place = place};
    return find(&ask, domain);
}

int64_t *fw_domain_lanes_trips(struct fw_domain_lanes *kept, const struct fw_kernel *kernel,
                               uint32_t domain, const struct fw_warp_place *place)
{
    const uint32_t number = kept ? number_of(kept, kernel, place) : 0;
    if (!number)
        return NULL;
    struct trips *trips = &kept->trips[entry_of(domain, number)];
    if (trips->place != number || trips->domain != domain)
        *trips = (struct trips){domain, number, -1};
    return &trips->trips;
}
