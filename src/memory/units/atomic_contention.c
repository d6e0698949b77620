#include "atomic_contention.h"

#include "address_range.h"
#include "atomic_words.h"
#include "footprint.h"
#include "memory_sizes.h"
#include "min_max.h"
#include "random_address.h"
#include "sampled_warps.h"
#include "warp.h"

#include <math.h>
#include <string.h>

/* Granules by which the extent of an array's words is found: the widest that footprints have. */
enum { WIDE = 256, HALF = WIDE / 2 };

static bool is_atomic(const struct fw_access *access)
{
    return (access->direction == FW_ATOMIC || access->direction == FW_REDUCTION) &&
           (access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC);
}

static bool is_floating(const struct fw_access *access)
{
    return fw_type_class(access->type) == 'f';
}

static enum fw_atomic_kind kind_of(const struct fw_access *access)
{
    if (!is_floating(access))
        return FW_ATOMIC_INTEGER;
    return fw_type_bytes(access->type) > FW_WORD_BYTES ? FW_ATOMIC_F64 : FW_ATOMIC_F32;
}

static struct fw_atomic_array *array_of(struct fw_atomics *atomics, uint32_t array)
{
    for (uint32_t i = 0; i < atomics->count; i++)
        if (atomics->at[i].array == array && array != FW_NONE)
            return &atomics->at[i];
    struct fw_atomic_array *added = &atomics->at[atomics->count++];
    added->array = array;
    return added;
}

/* Adds the passes of one access. */
static void add_passes(struct fw_atomic_array *to, const struct fw_sampling *sampling,
                       const struct fw_access *access, uint32_t shift, bool drawn)
{
    struct fw_sampled_warps means;
    enum fw_atomic_kind kind = kind_of(access);
    double threads = fw_bound_count(sampling->bound, access->domain)->estimate;
    double warps = fw_bound_count_warps(sampling->bound, access->domain)->estimate;
    double lanes = access->vector > 1 ? access->vector : 1, operations = threads * lanes;
    if (access->combined) {
        operations = fmin(threads, warps);
        to->passes[kind] += operations;
    } else {
        fw_sample_warps(&means, sampling, access, shift);
        bool known = means.known && means.lanes > 0;
        double passes = known ? threads * means.atomic_passes / means.lanes : threads;
        double whole = known ? threads * means.atomic_whole / means.lanes : 0;
        to->passes[kind] += passes - whole;
        to->whole[kind] += whole;
    }
    to->operations += operations;
    to->returning += access->returns ? operations : 0;
    to->drawn += drawn ? operations : 0;
    to->floating += is_floating(access) ? operations : 0;
}

/* Distinct granules that the array's atomics touch. */
static double granules_of(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                          uint32_t granule)
{
    struct fw_window all = {0, (int64_t)fw_affine_blocks(accesses), 0, 1, FW_FOOTPRINT_STORES};
    return fw_footprint_count(fw_footprint_new(arena, accesses, granule), &all, 1, FW_NONE);
}

/* Words of the affine atomics on an array, and the bytes over which they lie.  Words that lie close
 * fill their granules; of words far apart, each has a granule of its own, as large as a slice's. */
static void add_affine(struct fw_atomic_array *to, struct fw_arena *arena,
                       const struct fw_kernel_accesses *found, const struct fw_kernel *kernel)
{
    struct fw_affine_accesses own = found->affine;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    uint32_t word = WIDE;
    own.at = FW_ARRAY(arena, struct fw_affine_access, found->affine.count + 1);
    own.count = 0;
    own.bounded = NULL;
    for (uint32_t i = 0; i < found->affine.count; i++) {
        const struct fw_access *access = &kernel->accesses[found->affine.at[i].kernel_access];
        if (!is_atomic(access) || access->array != to->array || to->array == FW_NONE)
            continue;
        own.at[own.count++] = found->affine.at[i];
        uint32_t bytes = fw_type_bytes(access->type);
        word = bytes > 0 && bytes < word ? bytes : word;
    }
    if (own.count) {
        double wide = fmax(1, granules_of(arena, &own, WIDE));
        double filled = HALF * granules_of(arena, &own, HALF) / (WIDE * wide); /* from a half on */
        to->words += fmax(1, granules_of(arena, &own, word));
        to->bytes += WIDE * wide * fmax(1, 3 - 2 * filled);
    }
    fw_arena_release(arena, mark);
}

/* Where an address is no line in indices, its line's words are not those that it comes back to. */
static void add_sampled(struct fw_atomic_array *to, struct fw_arena *arena,
                        const struct fw_kernel_accesses *found, const struct fw_kernel *kernel,
                        struct fw_bound *bound, const struct fw_launch *launch)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    uint32_t *own = FW_ARRAY(arena, uint32_t, kernel->access_count + 1), count = 0, word = WIDE;
    bool linearized = false;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (!is_atomic(access) || access->array != to->array || to->array == FW_NONE ||
            !(fw_bound_count(bound, access->domain)->estimate > 0))
            continue;
        uint32_t bytes = fw_type_bytes(access->type);
        word = bytes > 0 && bytes < word ? bytes : word;
        linearized |= found->by_access[a].linearized;
        own[count++] = a;
    }
    double words = linearized ? fw_atomic_words(bound, kernel, launch, own, count, word) : 0;
    if (words > to->words) {
        to->words = words;
        to->bytes = fmax(to->bytes, words * word);
    }
    fw_arena_release(arena, mark);
}

/* No more words than the offsets of all accesses leave room for: a remainder of an index, which
 * footprints linearise, comes back to the same words. */
static void bound_by_range(struct fw_atomic_array *to, const struct fw_kernel *kernel,
                           struct fw_bound *bound)
{
    int64_t from = INT64_MAX, end = INT64_MIN, low, high;
    uint32_t word = UINT32_MAX;
    if (to->array == FW_NONE)
        return;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        uint32_t bytes = fw_type_bytes(access->type);
        if (!is_atomic(access) || access->array != to->array || bytes == 0 ||
            !(fw_bound_count(bound, access->domain)->estimate > 0))
            continue;
        if (!fw_bound_range(bound, access->domain, access->offset, &low, &high) ||
            !fw_is_address(low) || !fw_is_address(high))
            return;
        from = fw_min(from, low);
        end = fw_max(end, high + access->bytes);
        word = bytes < word ? bytes : word;
    }
    if (end <= from)
        return;
    to->words = fmin(to->words, ceil((double)(end - from) / word));
    to->bytes = fmin(to->bytes, (double)(end - from));
}

static bool is_iteration(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_ITERATION;
}

bool fw_atomic_is_drawn(const struct fw_kernel *kernel, const struct fw_access *access)
{
    const fw_expression rest = access->data ? access->data->rest : access->offset;
    return access->data_dependent && !fw_expression_any(&kernel->pool, rest, is_iteration, NULL);
}

void fw_atomics_find(struct fw_atomics *atomics, struct fw_arena *arena,
                     const struct fw_kernel *kernel, struct fw_bound *bound,
                     const struct fw_launch *launch, const struct fw_caches *caches,
                     const struct fw_requests *requests, const struct fw_kernel_accesses *accesses,
                     const uint32_t *alignments)
{
    struct fw_sampling sampling = {.kernel = kernel,
                                   .bound = bound,
                                   .launch = launch,
                                   .sector = caches->sector,
                                   .line = caches->line,
                                   .banks = FW_SHARED_BANKS,
                                   .width = FW_WORD_BYTES,
                                   .warp = caches->warp ? caches->warp : FW_WARP_THREADS,
                                   .data = accesses->data};
    const struct fw_request_sizes own = {sampling.sector, sampling.line, sampling.banks,
                                         sampling.width, sampling.warp};
    memset(atomics, 0, sizeof(*atomics));
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (!is_atomic(access) || !(fw_bound_count(bound, access->domain)->estimate > 0))
            continue;
        if (!atomics->at) {
            atomics->at = FW_ARRAY(arena, struct fw_atomic_array, kernel->access_count);
            sampling.memo =
                fw_sample_memo_new(fw_bound_arena(bound), fw_requests_samples(requests, &own));
        }
        struct fw_atomic_array *to = array_of(atomics, access->array);
        const double drawn = fw_random_access_extent(kernel, launch, accesses->data, a);
        add_passes(to, &sampling, access, fw_access_shift(kernel, access, alignments),
                   (drawn > 0 || accesses->by_access[a].count == 0) &&
                       fw_atomic_is_drawn(kernel, access));
        if (drawn > 0) {
            to->words = fmax(to->words, fmax(1, drawn / fw_type_bytes(access->type)));
            to->bytes = fmax(to->bytes, drawn);
        } else if (accesses->by_access[a].count == 0 || access->array == FW_NONE) {
            to->words = to->bytes = HUGE_VAL;
            atomics->scattered++;
        }
    }
    for (uint32_t i = 0; i < atomics->count; i++)
        if (!(atomics->at[i].bytes > 0))
            add_affine(&atomics->at[i], arena, accesses, kernel);
    for (uint32_t i = 0; i < atomics->count; i++)
        add_sampled(&atomics->at[i], arena, accesses, kernel, bound, launch);
    for (uint32_t i = 0; i < atomics->count; i++)
        bound_by_range(&atomics->at[i], kernel, bound);
    for (uint32_t i = 0; launch->loads && i < atomics->count; i++)
        if (atomics->at[i].array != FW_NONE)
            atomics->at[i].loads = launch->loads[atomics->at[i].array];
}
