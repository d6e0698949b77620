#include "sampled_warps.h"

#include "domain_point.h"
#include "local_memory.h"
#include "random_address.h"
#include "warp_request.h"
#include "wmma_fragment.h"

#include <math.h>
#include <string.h>

enum {
    BLOCKS = 3,
    MORE_BLOCKS = 16,
    WARPS = 8,
    MOST_LOOPS = 64,
    MOST_AROUND = 8,
    MOST_TRIPS = 1 << 24
};

/* A warp that is looked at, and the loops around the access, outermost first. */
struct look {
    const struct fw_sampling *sampling;
    const struct fw_access *access;
    uint32_t block[3], warp, shift;
    uint32_t loops, loop[MOST_AROUND];
    int64_t iterations[MOST_LOOPS];
    struct fw_random_addresses *drawn; /* NULL: no data decide on the address */
    struct fw_sampled_warps *sums;
};

/* A thread of the block at the look's iterations. */
static struct fw_point point_of(const struct look *look, uint32_t t)
{
    const uint32_t *size = look->sampling->launch->block, *block = look->block;
    return (struct fw_point){{block[0], block[1], block[2]},
                             {t % size[0], t / size[0] % size[1], t / size[0] / size[1]},
                             look->iterations};
}

/* The lanes of a warp that lie in a domain, as threads of the block. */
static uint32_t lanes_in(const struct look *look, uint32_t domain, uint32_t out[], uint32_t most)
{
    const uint32_t *size = look->sampling->launch->block;
    uint32_t warp = look->sampling->warp, count = 0, threads = size[0] * size[1] * size[2];
    for (uint32_t t = look->warp * warp; t < (look->warp + 1) * warp && t < threads; t++) {
        struct fw_point point = point_of(look, t);
        if (fw_point_in_domain(look->sampling->kernel, look->sampling->bound, domain, &point))
            out[count++] = t;
        if (count == most)
            break;
    }
    return count;
}

/* What the lanes of one load or store of the machine ask. */
static void add_demand(struct look *look, const struct fw_warp_request *lanes, double weight)
{
    const struct fw_sampling *s = look->sampling;
    struct fw_request_cost demand = fw_request_cost(lanes, s->sector, s->line);
    look->sums->sectors += weight * demand.sectors;
    look->sums->lines += weight * demand.lines;
    look->sums->partial_sectors += weight * demand.partial_sectors;
    look->sums->wavefronts += weight * demand.wavefronts;
    look->sums->multi_line_passes += weight * demand.multi_line_passes;
    look->sums->hit_wavefronts += weight * demand.hit_wavefronts;
    look->sums->passes += weight * fw_request_passes(lanes, s->banks, s->width);
}

/* A fragment that the warp of thread `t` moves at once.  False: an address is not known. */
static bool add_tile(struct look *look, uint32_t t, double weight)
{
    const struct fw_tile *tile = look->access->tile;
    struct fw_fragment_requests pieces = fw_fragment_requests(tile, look->access->space);
    struct fw_point point = point_of(look, t);
    int64_t from, apart;
    if (!fw_bound_evaluate(look->sampling->bound, tile->from, &point, &from) ||
        !fw_bound_evaluate(look->sampling->bound, tile->apart, &point, &apart))
        return false;
    for (uint32_t p = 0; p < pieces.count; p++) {
        struct fw_warp_request lanes;
        lanes.store = look->access->direction == FW_STORE;
        fw_fragment_lanes(&lanes, tile, p, from + look->shift, apart);
        add_demand(look, &lanes, weight);
    }
    return true;
}

/* The words of a stack array, of which those of a warp's lanes lie side by side, or of constant
 * memory, of which each address counts as a sector.  What data decide is drawn a few times.  False:
 * an offset is not known. */
static bool add_words(struct look *look, const uint32_t thread[], uint32_t count, double weight)
{
    enum { DRAWS = 8, WORD = 4 };
    const struct fw_sampling *s = look->sampling;
    const struct fw_access *access = look->access;
    uint32_t draws = access->data_dependent ? DRAWS : 1, words = fw_local_words(access);
    bool local = access->space == FW_SPACE_LOCAL;
    for (uint32_t d = 0; d < draws; d++) {
        int64_t word[FW_WARP_MAX_LANES];
        for (uint32_t l = 0; l < count; l++) {
            struct fw_point point = point_of(look, thread[l]);
            word[l] = fw_local_random_word(s->kernel, access, d * FW_WARP_MAX_LANES + l);
            if (access->data_dependent)
                continue;
            if (!fw_bound_evaluate(s->bound, access->offset, &point, &word[l]))
                return false;
            word[l] /= WORD;
        }
        for (uint32_t w = 0; w < (local ? words : 1); w++) {
            struct fw_warp_request lanes = {.lanes = count, .bytes = WORD};
            for (uint32_t l = 0; l < count; l++)
                lanes.at[l] = local ? (word[l] + w) * WORD * s->warp + WORD * (thread[l] % s->warp)
                                    : word[l] * WORD;
            if (local)
                add_demand(look, &lanes, weight / draws);
            else
                look->sums->sectors +=
                    weight / draws * fw_request_cost(&lanes, WORD, s->line).sectors;
        }
    }
    return true;
}

/* Adds the instruction at the look's iterations.  False: an address is not known. */
static bool add_here(struct look *look, double weight)
{
    uint32_t thread[FW_WARP_MAX_LANES];
    uint32_t count = lanes_in(look, look->access->domain, thread, FW_WARP_MAX_LANES);
    struct fw_warp_request lanes = {.lanes = count, .bytes = look->access->bytes};
    lanes.store = look->access->direction == FW_STORE;
    if (!count)
        return true;
    if (look->access->space == FW_SPACE_SHARED && !look->access->bulk)
        lanes.bytes = fw_access_machine_bytes(look->sampling->kernel, look->access);
    if (look->access->lanes) { /* ldmatrix: rows at the addresses of the first lanes */
        lanes.lanes = count < look->access->lanes ? count : look->access->lanes;
        lanes.bytes = look->access->lane_bytes;
    }
    if (look->access->tile) {
        if (!add_tile(look, thread[0], weight))
            return false;
    } else if (look->access->space == FW_SPACE_LOCAL || look->access->space == FW_SPACE_CONST) {
        if (!add_words(look, thread, count, weight))
            return false;
    } else {
        for (uint32_t l = 0; l < lanes.lanes; l++) {
            struct fw_point point = point_of(look, thread[l]);
            bool known = look->drawn
                             ? fw_random_address(look->drawn, look->access, &point, &lanes.at[l])
                             : fw_bound_evaluate(look->sampling->bound, look->access->offset,
                                                 &point, &lanes.at[l]);
            if (!known)
                return false;
            lanes.at[l] += look->shift;
        }
        add_demand(look, &lanes, weight);
    }
    look->sums->warps += weight;
    look->sums->lanes += weight * count;
    return true;
}

/* The domain in which a loop of the access runs. */
static uint32_t domain_of(const struct fw_kernel *kernel, uint32_t domain, uint32_t loop)
{
    for (uint32_t steps = 0; steps < kernel->domain_count; steps++) {
        const struct fw_domain *at = &kernel->domains[domain];
        if (at->kind == FW_DOMAIN_LOOP && at->loop == loop)
            return domain;
        if (at->kind == FW_DOMAIN_UNION)
            domain = at->members[0];
        else if (at->kind == FW_DOMAIN_LOOP || at->kind == FW_DOMAIN_RESTRICT ||
                 at->kind == FW_DOMAIN_LEAVE)
            domain = at->parent;
        else
            break;
    }
    return FW_NONE;
}

/* Iterations of a loop in which any lane still runs, by doubling and halving: lanes that left come
 * back in none.  At most `most`. */
static int64_t trips_of(struct look *look, uint32_t domain, uint32_t loop, int64_t most)
{
    int64_t low = -1, high = 1; /* runs; not known to */
    uint32_t any[1];
    look->iterations[loop] = 0;
    if (!lanes_in(look, domain, any, 1))
        return 0;
    low = 0;
    while (high < most) {
        look->iterations[loop] = high;
        if (!lanes_in(look, domain, any, 1))
            break;
        low = high;
        high *= 2;
    }
    if (high >= most)
        return most;
    while (high - low > 1) {
        look->iterations[loop] = low + (high - low) / 2;
        if (lanes_in(look, domain, any, 1))
            low = look->iterations[loop];
        else
            high = look->iterations[loop];
    }
    return low + 1;
}

/* The access at a few iterations of the loops from `depth` on, each for its share of them.  False:
 * an address is not known. */
static bool add_loops(struct look *look, uint32_t depth, double weight)
{
    if (depth == look->loops)
        return add_here(look, weight);
    const struct fw_kernel *kernel = look->sampling->kernel;
    uint32_t loop = look->loop[depth], domain = domain_of(kernel, look->access->domain, loop);
    uint32_t left = look->loops - depth;
    int64_t few = left == 1 ? 4 : left == 2 ? 2 : 1;
    int64_t trips = domain == FW_NONE ? 1 : trips_of(look, domain, loop, MOST_TRIPS);
    few = trips < few ? trips : few;
    bool known = true;
    for (int64_t i = 0; i < few && known; i++) {
        look->iterations[loop] = trips >= MOST_TRIPS ? i : (2 * i + 1) * trips / (2 * few);
        known = add_loops(look, depth + 1, weight * (double)trips / (double)few);
    }
    look->iterations[loop] = 0;
    return known;
}

/* Loops around a domain, outermost first; the outermost ones beyond MOST_AROUND are left out. */
static uint32_t loops_around(const struct fw_kernel *kernel, uint32_t domain, uint32_t *out)
{
    uint32_t count = 0, inner[MOST_AROUND];
    uint32_t loop = kernel->domains[domain].innermost;
    for (; loop != FW_NONE && count < MOST_AROUND; loop = kernel->loops[loop].parent)
        inner[count++] = loop;
    for (uint32_t i = 0; i < count; i++)
        out[i] = inner[count - 1 - i];
    return count;
}

/* The first blocks are on the grid's diagonal; where none of them runs the access, its ends and
 * blocks all over the grid follow. */
static void set_block(uint32_t block[3], const uint32_t grid[3], uint32_t b)
{
    static const double golden[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    for (uint32_t d = 0; d < 3; d++) {
        if (b < BLOCKS)
            block[d] = (uint32_t)((uint64_t)grid[d] * (2 * b + 1) / (2 * BLOCKS));
        else if (b < BLOCKS + 2)
            block[d] = b == BLOCKS ? 0 : grid[d] - 1;
        else
            block[d] = (uint32_t)(fmod(b * golden[d], 1) * grid[d]);
    }
}

void fw_sample_warps(struct fw_sampled_warps *sampled, const struct fw_sampling *sampling,
                     const struct fw_access *access, uint32_t shift)
{
    const uint32_t *size = sampling->launch->block, *grid = sampling->launch->grid;
    uint32_t threads = size[0] * size[1] * size[2];
    uint32_t warps = (threads + sampling->warp - 1) / sampling->warp;
    struct look look = {.sampling = sampling, .access = access, .shift = shift, .sums = sampled};
    memset(sampled, 0, sizeof(*sampled));
    bool words = access->space == FW_SPACE_LOCAL || access->space == FW_SPACE_CONST;
    if (words ? !fw_local_is_modelled(sampling->kernel, access)
              : access->data_dependent && access->bulk)
        return;
    if (sampling->kernel->loop_count > MOST_LOOPS)
        return;
    struct fw_arena *arena = fw_bound_arena(sampling->bound);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    sampled->random_address = access->data_dependent;
    if (access->data_dependent && !words)
        look.drawn = fw_random_addresses_new(arena, sampling->kernel, sampling->bound);
    look.loops = loops_around(sampling->kernel, access->domain, look.loop);
    uint32_t blocks = look.drawn ? MORE_BLOCKS : BLOCKS; /* chance evens out */
    for (uint32_t b = 0; b < blocks || (b < MORE_BLOCKS && !(sampled->warps > 0)); b++) {
        set_block(look.block, grid, b);
        for (uint32_t w = 0; w < (warps < WARPS ? warps : WARPS); w++) {
            look.warp = warps <= WARPS ? w : w * warps / WARPS;
            if (!add_loops(&look, 0, 1)) {
                fw_arena_release(arena, mark);
                return;
            }
        }
    }
    fw_arena_release(arena, mark);
    sampled->known = sampled->warps > 0;
}
