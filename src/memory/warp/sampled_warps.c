#include "sampled_warps.h"

#include "address_range.h"
#include "domain_point.h"
#include "local_memory.h"
#include "random_address.h"
#include "warp_request.h"
#include "wmma_fragment.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLED_BLOCKS = 3,
    MAX_SAMPLED_BLOCKS = 16,
    SAMPLED_WARPS = 8,
    MAX_LOOPS = 64,
    MAX_AROUND = 8,
    MAX_TRIPS = 1 << 24
};

/* One sampled warp, and the loops around the access, outermost first. */
struct sample {
    const struct fw_sampling *sampling;
    const struct fw_access *access;
    uint32_t block[3], warp, shift;
    uint32_t loops, loop[MAX_AROUND];
    int64_t iterations[MAX_LOOPS];
    struct fw_random_addresses *random; /* NULL: the address does not depend on loaded data */
    struct fw_sampled_warps *sums;
};

/* A thread of the block at the sampled iterations. */
static struct fw_point point_of(const struct sample *sample, uint32_t t)
{
    const uint32_t *size = sample->sampling->launch->block, *block = sample->block;
    return (struct fw_point){{block[0], block[1], block[2]},
                             {t % size[0], t / size[0] % size[1], t / size[0] / size[1]},
                             sample->iterations};
}

/* The lanes of the warp that are in a domain, as thread numbers of the block. */
static uint32_t lanes_in(const struct sample *sample, uint32_t domain, uint32_t out[],
                         uint32_t most)
{
    const uint32_t *size = sample->sampling->launch->block;
    uint32_t warp = sample->sampling->warp, count = 0, threads = size[0] * size[1] * size[2];
    for (uint32_t t = sample->warp * warp; t < (sample->warp + 1) * warp && t < threads; t++) {
        struct fw_point point = point_of(sample, t);
        if (fw_point_in_domain(sample->sampling->kernel, sample->sampling->bound, domain, &point))
            out[count++] = t;
        if (count == most)
            break;
    }
    return count;
}

static bool is_atomic(const struct fw_access *access)
{
    return access->direction == FW_ATOMIC || access->direction == FW_REDUCTION;
}

/* Passes through shared memory. */
static uint32_t shared_passes(const struct sample *sample, const struct fw_warp_request *lanes)
{
    const struct fw_sampling *s = sample->sampling;
    const struct fw_access *access = sample->access;
    if (!is_atomic(access) || access->combined || access->increments)
        return fw_request_passes(lanes, s->banks, s->width);
    return fw_request_lane_passes(lanes, s->banks, s->width);
}

/* Adds the cost of one machine load or store. */
static void add_cost(struct sample *sample, const struct fw_warp_request *lanes, double weight)
{
    const struct fw_sampling *s = sample->sampling;
    struct fw_request_cost cost = fw_request_cost(lanes, s->sector, s->line);
    sample->sums->sectors += weight * cost.sectors;
    sample->sums->lines += weight * cost.lines;
    sample->sums->partial_sectors += weight * cost.partial_sectors;
    sample->sums->wavefronts += weight * cost.wavefronts;
    sample->sums->multi_line_passes += weight * cost.multi_line_passes;
    sample->sums->hit_wavefronts += weight * cost.hit_wavefronts;
    sample->sums->passes += weight * shared_passes(sample, lanes);
    if (!is_atomic(sample->access) || sample->access->space == FW_SPACE_SHARED)
        return;
    uint32_t word = fw_type_bytes(sample->access->type);
    struct fw_atomic_cost atomic = fw_request_atomic_cost(lanes, word ? word : 1, s->sector);
    sample->sums->atomic_passes += weight * atomic.passes;
    sample->sums->atomic_whole += weight * atomic.whole;
}

/* Adds the loads of a wmma fragment that the warp of thread `t` moves.  False: an address is not
 * known. */
static bool add_tile(struct sample *sample, uint32_t t, double weight)
{
    const struct fw_tile *tile = sample->access->tile;
    struct fw_fragment_requests fragment = fw_fragment_requests(tile, sample->access->space);
    struct fw_point point = point_of(sample, t);
    int64_t from, row_stride;
    if (!fw_bound_evaluate(sample->sampling->bound, tile->from, &point, &from) ||
        !fw_bound_evaluate(sample->sampling->bound, tile->apart, &point, &row_stride) ||
        !fw_is_address(from) || !fw_is_address(row_stride))
        return false;
    for (uint32_t p = 0; p < fragment.count; p++) {
        struct fw_warp_request lanes;
        lanes.store = sample->access->direction == FW_STORE;
        fw_fragment_lanes(&lanes, tile, p, from + sample->shift, row_stride);
        add_cost(sample, &lanes, weight);
    }
    return true;
}

/* Adds the words of a stack array, where the words of a warp's lanes are adjacent, or of constant
 * memory, where each distinct address counts as a sector.  An index that depends on data is drawn
 * several times.  False: an offset is not known. */
static bool add_words(struct sample *sample, const uint32_t thread[], uint32_t count, double weight)
{
    enum { DRAWS = 8, WORD = 4 };
    const struct fw_sampling *s = sample->sampling;
    const struct fw_access *access = sample->access;
    uint32_t draws = access->data_dependent ? DRAWS : 1, words = fw_local_words(access);
    bool local = access->space == FW_SPACE_LOCAL;
    for (uint32_t d = 0; d < draws; d++) {
        int64_t word[FW_WARP_MAX_LANES];
        for (uint32_t l = 0; l < count; l++) {
            struct fw_point point = point_of(sample, thread[l]);
            word[l] = fw_local_random_word(s->kernel, access, d * FW_WARP_MAX_LANES + l);
            if (access->data_dependent)
                continue;
            if (!fw_bound_evaluate(s->bound, access->offset, &point, &word[l]) ||
                !fw_is_address(word[l]))
                return false;
            word[l] /= WORD;
        }
        for (uint32_t w = 0; w < (local ? words : 1); w++) {
            struct fw_warp_request lanes = {.lanes = count, .bytes = WORD};
            for (uint32_t l = 0; l < count; l++)
                lanes.at[l] = local ? (word[l] + w) * WORD * s->warp + WORD * (thread[l] % s->warp)
                                    : word[l] * WORD;
            if (local)
                add_cost(sample, &lanes, weight / draws);
            else
                sample->sums->sectors +=
                    weight / draws * fw_request_cost(&lanes, WORD, s->line).sectors;
        }
    }
    return true;
}

/* Adds the instruction at the sampled iterations.  False: an address is not known. */
static bool add_here(struct sample *sample, double weight)
{
    uint32_t thread[FW_WARP_MAX_LANES];
    uint32_t count = lanes_in(sample, sample->access->domain, thread, FW_WARP_MAX_LANES);
    struct fw_warp_request lanes = {.lanes = count, .bytes = sample->access->bytes};
    lanes.store = sample->access->direction == FW_STORE;
    if (!count)
        return true;
    if (sample->access->space == FW_SPACE_SHARED && !sample->access->bulk)
        lanes.bytes = fw_access_machine_bytes(sample->sampling->kernel, sample->access);
    if (sample->access->lanes) { /* ldmatrix: the first lanes give the addresses of rows */
        lanes.lanes = count < sample->access->lanes ? count : sample->access->lanes;
        lanes.bytes = sample->access->lane_bytes;
    }
    if (sample->access->tile) {
        if (!add_tile(sample, thread[0], weight))
            return false;
    } else if (sample->access->space == FW_SPACE_LOCAL || sample->access->space == FW_SPACE_CONST) {
        if (!add_words(sample, thread, count, weight))
            return false;
    } else {
        for (uint32_t l = 0; l < lanes.lanes; l++) {
            struct fw_point point = point_of(sample, thread[l]);
            bool known =
                sample->random
                    ? fw_random_address(sample->random, sample->access, &point, &lanes.at[l])
                    : fw_bound_evaluate(sample->sampling->bound, sample->access->offset, &point,
                                        &lanes.at[l]);
            if (!known || !fw_is_address(lanes.at[l]))
                return false;
            lanes.at[l] += sample->shift;
        }
        add_cost(sample, &lanes, weight);
    }
    sample->sums->warps += weight;
    sample->sums->lanes += weight * count;
    return true;
}

/* The loop domain of `loop` around an access's domain; FW_NONE. */
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

/* Iterations of a loop in which any lane still runs, found by bisection: a lane that left does not
 * come back.  At most `most`. */
static int64_t trips_of(struct sample *sample, uint32_t domain, uint32_t loop, int64_t most)
{
    int64_t low = -1, high = 1; /* the last iteration known to run; the first not known to */
    uint32_t any[1];
    sample->iterations[loop] = 0;
    if (!lanes_in(sample, domain, any, 1))
        return 0;
    low = 0;
    while (high < most) {
        sample->iterations[loop] = high;
        if (!lanes_in(sample, domain, any, 1))
            break;
        low = high;
        high *= 2;
    }
    if (high >= most)
        return most;
    while (high - low > 1) {
        sample->iterations[loop] = low + (high - low) / 2;
        if (lanes_in(sample, domain, any, 1))
            low = sample->iterations[loop];
        else
            high = sample->iterations[loop];
    }
    return low + 1;
}

/* Adds the access at a few iterations of the loops from `depth` on, weighted by the iterations that
 * each stands for.  False: an address is not known. */
static bool add_loops(struct sample *sample, uint32_t depth, double weight)
{
    if (depth == sample->loops)
        return add_here(sample, weight);
    const struct fw_kernel *kernel = sample->sampling->kernel;
    uint32_t loop = sample->loop[depth], domain = domain_of(kernel, sample->access->domain, loop);
    uint32_t left = sample->loops - depth;
    int64_t few = left == 1 ? 4 : left == 2 ? 2 : 1;
    int64_t trips = domain == FW_NONE ? 1 : trips_of(sample, domain, loop, MAX_TRIPS);
    few = trips < few ? trips : few;
    bool known = true;
    for (int64_t i = 0; i < few && known; i++) {
        sample->iterations[loop] = trips >= MAX_TRIPS ? i : (2 * i + 1) * trips / (2 * few);
        known = add_loops(sample, depth + 1, weight * (double)trips / (double)few);
    }
    sample->iterations[loop] = 0;
    return known;
}

/* Loops around a domain, outermost first; of more than MAX_AROUND, the innermost ones. */
static uint32_t loops_around(const struct fw_kernel *kernel, uint32_t domain, uint32_t *out)
{
    uint32_t count = 0, inner[MAX_AROUND];
    uint32_t loop = kernel->domains[domain].innermost;
    for (; loop != FW_NONE && count < MAX_AROUND; loop = kernel->loops[loop].parent)
        inner[count++] = loop;
    for (uint32_t i = 0; i < count; i++)
        out[i] = inner[count - 1 - i];
    return count;
}

/* The first sampled blocks lie on the grid's diagonal.  If none of them runs the access, the first
 * and the last block and quasi-random ones follow. */
static void set_block(uint32_t block[3], const uint32_t grid[3], uint32_t b)
{
    static const double golden[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    for (uint32_t d = 0; d < 3; d++) {
        if (b < SAMPLED_BLOCKS)
            block[d] = (uint32_t)((uint64_t)grid[d] * (2 * b + 1) / (2 * SAMPLED_BLOCKS));
        else if (b < SAMPLED_BLOCKS + 2)
            block[d] = b == SAMPLED_BLOCKS ? 0 : grid[d] - 1;
        else
            block[d] = (uint32_t)(fmod(b * golden[d], 1) * grid[d]);
    }
}

/* ---- what was sampled before ---- */

/* All that the samples of an access depend on; without padding, so that its bytes are its name. */
struct sample_key {
    const struct fw_tile *tile;
    const struct fw_table_values *chosen;
    uint32_t domain, space, direction, bytes, machine_bytes, array, lanes, lane_bytes, bulk,
        data_dependent, counts_lanes, shift;
    fw_expression offset;
};

struct fw_sample_memo {
    struct fw_arena *arena;
    struct fw_map names; /* of keys: indices in `at` */
    FW_VECTOR(struct fw_sampled_warps) at;
};

struct fw_sample_memo *fw_sample_memo_new(struct fw_arena *arena)
{
    struct fw_sample_memo *memo = FW_NEW(arena, struct fw_sample_memo);
    memo->arena = arena;
    memo->names = fw_map_new(arena);
    return memo;
}

/* Where the samples of an access are to be kept; `*known`: they are there. */
static struct fw_sampled_warps *find_samples(const struct fw_sampling *sampling,
                                             const struct fw_access *access, uint32_t shift,
                                             bool *known)
{
    struct fw_sample_memo *memo = sampling->memo;
    struct sample_key key;
    bool added;
    memset(&key, 0, sizeof(key));
    key.tile = access->tile;
    key.chosen = access->chosen;
    key.domain = access->domain;
    key.space = access->space;
    key.direction = access->direction;
    key.bytes = access->bytes;
    key.machine_bytes = fw_access_machine_bytes(sampling->kernel, access);
    key.array = access->array;
    key.lanes = access->lanes;
    key.lane_bytes = access->lane_bytes;
    key.bulk = access->bulk;
    key.data_dependent = access->data_dependent;
    key.counts_lanes = access->combined || access->increments;
    key.shift = shift;
    key.offset = access->offset;
    struct fw_map_entry *entry = fw_map_add(&memo->names, (const char *)&key, sizeof(key), &added);
    *known = !added;
    if (added) {
        entry->value = (uint32_t)memo->at.count;
        *FW_APPEND(memo->arena, &memo->at) = (struct fw_sampled_warps){0};
    }
    return &memo->at.at[entry->value];
}

static void sample_warps(struct fw_sampled_warps *sampled, const struct fw_sampling *sampling,
                         const struct fw_access *access, uint32_t shift)
{
    const uint32_t *size = sampling->launch->block, *grid = sampling->launch->grid;
    uint32_t threads = size[0] * size[1] * size[2];
    uint32_t warps = (threads + sampling->warp - 1) / sampling->warp;
    struct sample sample = {
        .sampling = sampling, .access = access, .shift = shift, .sums = sampled};
    memset(sampled, 0, sizeof(*sampled));
    bool words = access->space == FW_SPACE_LOCAL || access->space == FW_SPACE_CONST;
    if (words ? !fw_local_is_modelled(sampling->kernel, access)
              : access->data_dependent && access->bulk)
        return;
    if (sampling->kernel->loop_count > MAX_LOOPS)
        return;
    struct fw_arena *arena = fw_bound_arena(sampling->bound);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    sampled->random_address = access->data_dependent;
    if (access->data_dependent && !words)
        sample.random =
            fw_random_addresses_new(arena, sampling->kernel, sampling->bound, sampling->data);
    sample.loops = loops_around(sampling->kernel, access->domain, sample.loop);
    uint32_t blocks = sample.random ? MAX_SAMPLED_BLOCKS
                                    : SAMPLED_BLOCKS; /* random addresses need more samples */
    for (uint32_t b = 0; b < blocks || (b < MAX_SAMPLED_BLOCKS && !(sampled->warps > 0)); b++) {
        set_block(sample.block, grid, b);
        for (uint32_t w = 0; w < (warps < SAMPLED_WARPS ? warps : SAMPLED_WARPS); w++) {
            sample.warp = warps <= SAMPLED_WARPS ? w : w * warps / SAMPLED_WARPS;
            if (!add_loops(&sample, 0, 1)) {
                fw_arena_release(arena, mark);
                return;
            }
        }
    }
    fw_arena_release(arena, mark);
    sampled->known = sampled->warps > 0;
}

void fw_sample_warps(struct fw_sampled_warps *sampled, const struct fw_sampling *sampling,
                     const struct fw_access *access, uint32_t shift)
{
    bool known = false;
    struct fw_sampled_warps *kept =
        sampling->memo ? find_samples(sampling, access, shift, &known) : NULL;
    if (kept && !known && sampling->memo->at.count <= FW_MOST_SAMPLED)
        sample_warps(kept, sampling, access, shift);
    else if (kept && !known)
        kept->skipped = true;
    if (kept)
        *sampled = *kept;
    else
        sample_warps(sampled, sampling, access, shift);
}
