#include "sampled_warps.h"

#include "address_range.h"
#include "checked.h"
#include "l1_tags.h"
#include "lane_addresses.h"
#include "local_memory.h"
#include "random_address.h"
#include "sample_plan.h"
#include "warp_request.h"
#include "wmma_fragment.h"

#include <math.h>
#include <string.h>

enum { MAX_LOOPS = 64, KEPT_COSTS = 64 };

/* What a request costs. */
struct kept_cost {
    uint64_t of;                   /* bytes, lanes and kind; 0: none is kept */
    int64_t at[FW_WARP_MAX_LANES]; /* from the begin of its lines */
    struct fw_request_cost cost;
    uint32_t passes;
};

struct fw_sample_memo {
    struct fw_arena *arena;
    struct fw_sample_memo *behind; /* where samples are looked for first; NULL: nowhere */
    struct fw_map names;           /* of keys: indices in `at` */
    FW_VECTOR(struct fw_sampled_warps) at;
    struct fw_sample_plan **plans; /* by domain */
    struct fw_domain_lanes *lanes; /* of all plans */
    struct kept_cost *costs;
    struct fw_lane_addresses *addresses;
};

/* One sampled warp at sampled iterations. */
struct sample {
    const struct fw_sampling *sampling;
    const struct fw_access *access;
    uint32_t block[3], shift;
    int64_t iterations[MAX_LOOPS];
    struct fw_random_addresses *random;  /* NULL: the address does not depend on loaded data */
    struct kept_cost cost;               /* of the request in progress, where none are kept */
    struct fw_lane_addresses *addresses; /* NULL: none are kept */
    struct fw_kept_lanes *kept;          /* of this access's offset, but for a constant */
    int64_t constant;
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

/* The lanes of an instance as thread numbers of the block. */
static uint32_t threads_of(const struct sample *sample, const struct fw_sampled_instance *instance,
                           uint32_t out[])
{
    uint32_t first = instance->warp * sample->sampling->warp, count = 0;
    for (uint64_t left = instance->lanes; left; left &= left - 1)
        out[count++] = first + (uint32_t)__builtin_ctzll(left);
    return count;
}

static bool is_atomic(const struct fw_access *access)
{
    return access->direction == FW_ATOMIC || access->direction == FW_REDUCTION;
}

/* The memory of plans and costs; NULL: there is none. */
static struct fw_sample_memo *shared_memo(const struct fw_sampling *sampling)
{
    return sampling->memo && sampling->memo->behind ? sampling->memo->behind : sampling->memo;
}

/* The cost of a request, and its passes through shared memory. */
static struct kept_cost cost_of(const struct sample *sample, const struct fw_warp_request *lanes,
                                bool by_lane)
{
    const struct fw_sampling *s = sample->sampling;
    return (struct kept_cost){.cost = fw_request_cost(lanes, s->sector, s->line),
                              .passes = by_lane ? fw_request_lane_passes(lanes, s->banks, s->width)
                                                : fw_request_passes(lanes, s->banks, s->width)};
}

/* The same, remembered: a request costs what one does that lies some FW_TAG_NEAR_LINES lines
 * further on (l1_tags.h), and most requests of a kernel are alike. */
static const struct kept_cost *find_cost(struct sample *sample, const struct fw_warp_request *lanes,
                                         bool by_lane)
{
    const struct fw_sampling *s = sample->sampling;
    const int64_t near = (int64_t)FW_TAG_NEAR_LINES * s->line;
    const int64_t row = (int64_t)s->banks * s->width;
    struct fw_sample_memo *memo = shared_memo(s);
    if (!memo || !memo->costs || lanes->at[0] < 0 || row <= 0 || near <= 0 || near % row != 0) {
        sample->cost = cost_of(sample, lanes, by_lane);
        return &sample->cost;
    }
    int64_t relative[FW_WARP_MAX_LANES];
    const int64_t begin = lanes->at[0] / near * near;
    const uint32_t of =
        lanes->lanes << 16 | lanes->bytes << 2 | (uint32_t)lanes->store << 1 | (uint32_t)by_lane;
    uint64_t hash = of;
    for (uint32_t l = 0; l < lanes->lanes; l++) {
        relative[l] = lanes->at[l] - begin;
        hash = (hash ^ (uint64_t)relative[l]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    struct kept_cost *kept = &memo->costs[hash % KEPT_COSTS];
    if (kept->of == of && memcmp(kept->at, relative, lanes->lanes * sizeof(*relative)) == 0)
        return kept;
    *kept = cost_of(sample, lanes, by_lane);
    kept->of = of;
    memcpy(kept->at, relative, lanes->lanes * sizeof(*relative));
    return kept;
}

/* Adds the cost of one machine load or store. */
static void add_cost(struct sample *sample, const struct fw_warp_request *lanes, double weight)
{
    const struct fw_sampling *s = sample->sampling;
    const struct fw_access *access = sample->access;
    const bool by_lane = is_atomic(access) && !access->combined && !access->increments;
    const struct kept_cost *found = find_cost(sample, lanes, by_lane);
    const struct fw_request_cost cost = found->cost;
    sample->sums->sectors += weight * cost.sectors;
    sample->sums->lines += weight * cost.lines;
    sample->sums->partial_sectors += weight * cost.partial_sectors;
    sample->sums->wavefronts += weight * cost.wavefronts;
    sample->sums->multi_line_passes += weight * cost.multi_line_passes;
    sample->sums->hit_wavefronts += weight * cost.hit_wavefronts;
    sample->sums->lookups += weight * cost.lookups;
    sample->sums->passes += weight * found->passes;
    if (!is_atomic(access) || access->space == FW_SPACE_SHARED)
        return;
    if (access->bulk) { /* a pass over each sector, most of which change as a whole */
        sample->sums->atomic_passes += weight * cost.sectors;
        sample->sums->atomic_whole += weight * fmax(0, cost.sectors - cost.partial_sectors);
        return;
    }
    uint32_t word = fw_type_bytes(access->type);
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
 * memory, where each distinct address counts as a sector, those of bytes within one word, too
 * (data/h100/narrow).  An index that depends on data is drawn several times.  False: an offset is
 * not known. */
static bool add_words(struct sample *sample, const uint32_t thread[], uint32_t count, double weight)
{
    enum { DRAWS = 8, WORD = 4 };
    const struct fw_sampling *s = sample->sampling;
    const struct fw_access *access = sample->access;
    uint32_t draws = access->data_dependent ? DRAWS : 1, words = fw_local_words(access);
    bool local = access->space == FW_SPACE_LOCAL;
    int64_t place = local || access->bytes == 0 || access->bytes > WORD ? WORD : access->bytes;
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
            word[l] /= place;
        }
        for (uint32_t w = 0; w < (local ? words : 1); w++) {
            struct fw_warp_request lanes = {.lanes = count, .bytes = (uint32_t)place};
            for (uint32_t l = 0; l < count; l++)
                lanes.at[l] = local ? (word[l] + w) * WORD * s->warp + WORD * (thread[l] % s->warp)
                                    : word[l] * place;
            if (local)
                add_cost(sample, &lanes, weight / draws);
            else
                sample->sums->sectors +=
                    weight / draws * fw_request_cost(&lanes, (uint32_t)place, s->line).sectors;
        }
    }
    return true;
}

/* Sets the lanes' addresses at instance `i` of the plan.  False: one is not known. */
static bool find_addresses(struct sample *sample, uint32_t i, const uint32_t thread[],
                           struct fw_warp_request *lanes)
{
    const struct fw_access *access = sample->access;
    const int64_t *kept = sample->kept ? fw_kept_lanes_find(sample->kept, i, lanes->lanes) : NULL;
    for (uint32_t l = 0; l < lanes->lanes; l++) {
        struct fw_point point;
        bool known = true;
        if (kept)
            known = !fw_add_overflows(kept[l], sample->constant, &lanes->at[l]);
        else {
            point = point_of(sample, thread[l]);
            known = sample->random
                        ? fw_random_address(sample->random, access, &point, &lanes->at[l])
                        : fw_bound_evaluate(sample->sampling->bound, access->offset, &point,
                                            &lanes->at[l]);
        }
        if (!known || !fw_is_address(lanes->at[l]))
            return false;
    }
    if (sample->kept && !kept)
        fw_kept_lanes_add(sample->addresses, sample->kept, i, lanes->at, lanes->lanes,
                          sample->constant);
    for (uint32_t l = 0; l < lanes->lanes; l++)
        lanes->at[l] += sample->shift;
    return true;
}

/* Adds the instruction of a warp at the sampled iterations.  False: an address is not known. */
static bool add_here(struct sample *sample, const struct fw_sampled_instance *instance, uint32_t i)
{
    uint32_t thread[FW_WARP_MAX_LANES];
    const uint32_t count = threads_of(sample, instance, thread);
    const double weight = instance->weight;
    struct fw_warp_request lanes = {.lanes = count, .bytes = sample->access->bytes};
    lanes.store = sample->access->direction == FW_STORE;
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
        if (!find_addresses(sample, i, thread, &lanes))
            return false;
        add_cost(sample, &lanes, weight);
    }
    sample->sums->warps += weight;
    sample->sums->lanes += weight * count;
    return true;
}

/* Adds the instances of a plan, up to a block.  False: an address is not known. */
static bool add_plan(struct sample *sample, const struct fw_sample_plan *plan, uint32_t blocks)
{
    for (uint32_t i = 0; blocks && i < plan->ends[blocks - 1]; i++) {
        const struct fw_sampled_instance *instance = &plan->at.at[i];
        memcpy(sample->block, instance->block, sizeof(sample->block));
        for (uint32_t l = 0; l < plan->loops; l++)
            sample->iterations[plan->loop[l]] = instance->iterations[l];
        if (!add_here(sample, instance, i))
            return false;
    }
    return true;
}

/* ---- requests that were seen ---- */

/* Those of an access whose lanes have addresses of their own. */
static struct fw_seen_requests seen_of(const struct fw_sampling *sampling,
                                       const struct fw_access *access)
{
    const struct fw_seen_requests *seen = sampling->launch->seen;
    const bool global = access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC;
    if (!seen || !global || !access->data_dependent || access->bulk || access->tile ||
        access->lanes || sampling->warp != FW_WARP_THREADS)
        return (struct fw_seen_requests){0};
    return seen[access - sampling->kernel->accesses];
}

static void add_seen(struct sample *sample, const struct fw_seen_requests *seen)
{
    for (uint32_t i = 0; i < seen->count; i++) {
        const struct fw_seen_request *one = &seen->at[i];
        struct fw_warp_request lanes = {.bytes = sample->access->bytes,
                                        .store = sample->access->direction == FW_STORE};
        for (uint32_t left = one->mask; left; left &= left - 1)
            lanes.at[lanes.lanes++] = (int64_t)one->at[__builtin_ctz(left)] + sample->shift;
        add_cost(sample, &lanes, 1);
        sample->sums->warps++;
        sample->sums->lanes += lanes.lanes;
    }
    sample->sums->known = sample->sums->random_address = sample->sums->seen = true;
}

/* ---- what was sampled before ---- */

/* All that the samples of an access depend on; without padding, so that its bytes are its name. */
struct sample_key {
    const struct fw_tile *tile;
    const struct fw_table_values *chosen;
    const struct fw_seen_request *seen;
    uint32_t domain, space, direction, bytes, machine_bytes, array, lanes, lane_bytes, bulk,
        data_dependent, counts_lanes, shift;
    fw_expression offset;
};

struct fw_sample_memo *fw_sample_memo_new(struct fw_arena *arena, struct fw_sample_memo *behind)
{
    struct fw_sample_memo *memo = FW_NEW(arena, struct fw_sample_memo);
    memo->arena = arena;
    memo->behind = behind;
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
    key.seen = seen_of(sampling, access).at;
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
        const struct fw_map_entry *before =
            memo->behind ? fw_map_find(&memo->behind->names, (const char *)&key, sizeof(key))
                         : NULL;
        entry->value = (uint32_t)memo->at.count;
        *FW_APPEND(memo->arena, &memo->at) = (struct fw_sampled_warps){0};
        if (before && !memo->behind->at.at[before->value].skipped &&
            memo->at.count <= FW_MOST_SAMPLED) {
            memo->at.at[entry->value] = memo->behind->at.at[before->value];
            *known = true;
        }
    }
    return &memo->at.at[entry->value];
}

/* The plan of an access's domain: that of the accesses before, where samples are remembered. */
static struct fw_sample_plan *plan_of(const struct fw_sampling *sampling,
                                      const struct fw_access *access)
{
    struct fw_sample_memo *memo = shared_memo(sampling);
    struct fw_arena *arena = memo ? memo->arena : fw_bound_arena(sampling->bound);
    if (memo && !memo->plans) {
        memo->plans = FW_ARRAY(arena, struct fw_sample_plan *, sampling->kernel->domain_count + 1);
        memo->lanes = fw_domain_lanes_new(arena);
    }
    if (memo && memo->plans[access->domain])
        return memo->plans[access->domain];
    struct fw_sample_plan *plan = FW_NEW(arena, struct fw_sample_plan);
    fw_sample_plan_open(plan, arena, sampling->kernel, access->domain, sampling->warp,
                        memo ? memo->lanes : NULL);
    if (memo)
        memo->plans[access->domain] = plan;
    if (memo && !memo->costs) {
        memo->costs = FW_ARRAY(arena, struct kept_cost, KEPT_COSTS);
        memo->addresses = fw_lane_addresses_new(arena, &sampling->kernel->pool);
    }
    return plan;
}

static void sample_warps(struct fw_sampled_warps *sampled, const struct fw_sampling *sampling,
                         const struct fw_access *access, uint32_t shift)
{
    struct sample sample = {
        .sampling = sampling, .access = access, .shift = shift, .sums = sampled};
    memset(sampled, 0, sizeof(*sampled));
    const struct fw_seen_requests seen = seen_of(sampling, access);
    if (seen.count) {
        add_seen(&sample, &seen);
        return;
    }
    bool words = access->space == FW_SPACE_LOCAL || access->space == FW_SPACE_CONST;
    if (words ? !fw_local_is_modelled(sampling->kernel, access)
              : access->data_dependent && access->bulk)
        return;
    if (sampling->kernel->loop_count > MAX_LOOPS)
        return;
    struct fw_arena *arena = fw_bound_arena(sampling->bound);
    struct fw_arena_mark unplanned = fw_arena_mark(arena);
    struct fw_sample_plan *plan = plan_of(sampling, access);
    const bool drawn = access->data_dependent && !words; /* which needs more samples */
    const uint32_t most = !drawn                          ? FW_SAMPLED_BLOCKS
                          : sampling->launch->few_samples ? 1
                                                          : FW_DRAWN_BLOCKS;
    uint32_t blocks =
        fw_sample_plan_fill(plan, sampling->kernel, sampling->bound, sampling->launch, most);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    sampled->random_address = access->data_dependent;
    if (drawn)
        sample.random =
            fw_random_addresses_new(arena, sampling->kernel, sampling->bound, sampling->data);
    struct fw_sample_memo *memo = shared_memo(sampling);
    if (memo && memo->arena != arena && !drawn && !words && !access->tile) {
        sample.addresses = memo->addresses;
        sample.kept = fw_lane_addresses_of(memo->addresses, access->domain, access->offset,
                                           access->lanes, &sample.constant);
    }
    sampled->known = add_plan(&sample, plan, blocks) && sampled->warps > 0;
    fw_arena_release(arena, sampling->memo ? mark : unplanned);
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
