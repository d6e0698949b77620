#include "volume_internal.h"

#include "checked.h"
#include "min_max.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_WINDOWS = 4, MAX_GROUPS = 8, MOST_SLICES = 64, SAMPLED = 24, USUAL_REGISTERS = 32 };

/* A multiprocessor whose blocks touch less than this share of L1 has no capacity misses. */
static const double least_occupancy = 0.25;

/* The timeline of one block: events are slices of time, and in each slice the block's groups of
 * threads one after the other. */
struct block_timeline {
    struct fw_footprint *sectors, *lines;
    int64_t threads, group; /* of the block; of a group */
    int64_t groups;
    int64_t slices;
    double slice;              /* length of a slice, as a share of the lifetime */
    double blocks;             /* number of blocks that share the cache */
    bool passes;               /* loops load again what loops before them have loaded */
    double stored;             /* bytes of lines that a block stores and does not load */
    const bool *common;        /* by array: other blocks load it as well, see loads_in_common */
    enum fw_footprint_of held; /* what the cache holds of what was touched before */
    bool behind;               /* stores come behind the loads of their iteration */
    uint32_t arrays;
    const struct fw_caches *caches;
};

/* Loads that a thread has in flight: as many as its registers can hold results for. */
static uint32_t loads_in_flight(const struct fw_affine_accesses *accesses, uint32_t registers)
{
    uint32_t bytes = 4;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].direction == FW_LOAD &&
            fw_affine_thread_bytes(&accesses->at[i]) > bytes)
            bytes = fw_affine_thread_bytes(&accesses->at[i]);
    uint32_t in_flight = (registers ? registers : USUAL_REGISTERS) * 4 / bytes;
    return in_flight ? in_flight : 1;
}

/* Sets the times of straight-line loads: `in_flight` of them per slice.  Loops keep their times.
 * Gives the number of slices. */
static int64_t set_slices(struct fw_affine_accesses *accesses, uint32_t in_flight)
{
    int64_t loads = 0, slices = 1, number = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        loads += accesses->at[i].direction == FW_LOAD;
        if (accesses->at[i].loops && accesses->at[i].trips[0] > 1 &&
            fw_affine_iterations(&accesses->at[i]) > slices)
            slices = fw_affine_iterations(&accesses->at[i]);
    }
    if (slices > 1)
        return slices;
    slices = (loads + in_flight - 1) / in_flight;
    slices = slices > MOST_SLICES ? MOST_SLICES : slices < 1 ? 1 : slices;
    for (uint32_t i = 0; i < accesses->count; i++) {
        int64_t slice = loads ? number * slices / loads : 0;
        if (accesses->at[i].direction == FW_LOAD)
            number++;
        else
            slice = slices - 1;
        accesses->at[i].begin = (double)slice / (double)slices;
        accesses->at[i].end = (double)(slice + 1) / (double)slices;
    }
    return slices;
}

static bool is_looped(const struct fw_affine_access *access)
{
    return access->loops && access->trips[0] > 1;
}

/* Whether a loop takes execution back from one access to another. */
static bool in_one_loop(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    return is_looped(a) && is_looped(b) && a->outer_loop == b->outer_loop;
}

/* Whether a load may find what a store has written before.  A store behind it does not come first,
 * unless by a loop around both; one to the same place, or a neighbouring one in its sector, writes
 * what is loaded already there, too: x[i] += ... */
static bool may_find(const struct fw_affine_accesses *accesses, uint32_t load, uint32_t store,
                     uint32_t sector)
{
    const struct fw_affine_access *a = &accesses->at[load], *b = &accesses->at[store];
    const bool near = fw_affine_same_strides(a, b) && llabs(a->base - b->base) < sector;
    return fw_affine_is_load(a) && b->direction == FW_STORE && a->array == b->array &&
           !(load < store && (near || !in_one_loop(a, b)));
}

/* Whether a block loads from an array that it stores to: then what it stores counts as held by L1.
 * It writes through, but keeps the sectors: rows that a block sets to zero, and loads later, are
 * loaded from no L2 (an H200's counters of ring buffers in device memory).  `*behind`: each such
 * store comes behind the load in their loop, so that iterations after it alone find it. */
static bool loads_stored(const struct fw_affine_accesses *accesses, uint32_t sector, bool *behind)
{
    bool any = false;
    *behind = true;
    for (uint32_t i = 0; i < accesses->count; i++)
        for (uint32_t j = 0; j < accesses->count && fw_affine_is_load(&accesses->at[i]); j++) {
            if (!may_find(accesses, i, j, sector))
                continue;
            any = true;
            *behind &= i < j;
        }
    return any;
}

/* The end of the run of accesses from `first` on that one loop, or straight-line code, executes. */
static uint32_t end_of_run(const struct fw_affine_accesses *accesses, uint32_t first)
{
    const struct fw_affine_access *at = accesses->at;
    uint32_t end = first + 1;
    while (end < accesses->count && !at[end].loops == !at[first].loops &&
           (!at[first].loops || at[end].outer_loop == at[first].outer_loop))
        end++;
    return end;
}

/* Sets the times of loops and of what is between them one after the other, as the program has
 * them: one slice for each iteration, and for straight-line code as many as its loads take.  Gives
 * the number of slices. */
static int64_t set_slices_in_turn(struct fw_affine_accesses *accesses, uint32_t in_flight)
{
    int64_t slices = 0, done = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0, end; i < accesses->count; i = end) {
            int64_t length = 1, loads = 0;
            const bool looped = accesses->at[i].loops > 0;
            end = end_of_run(accesses, i);
            for (uint32_t k = i; k < end; k++) {
                const struct fw_affine_access *access = &accesses->at[k];
                loads += fw_affine_is_load(access);
                if (looped)
                    length = fw_max(length, fw_saturated_add(access->start, access->trips[0]));
            }
            if (!looped)
                length = fw_max(1, fw_min(MOST_SLICES, (loads + in_flight - 1) / in_flight));
            for (uint32_t k = i; pass && k < end; k++) {
                struct fw_affine_access *access = &accesses->at[k];
                const int64_t from = looped ? access->start : 0;
                const int64_t until = looped ? access->start + access->trips[0] : length;
                access->begin = (double)(done + from) / (double)slices;
                access->end = (double)(done + until) / (double)slices;
            }
            *(pass ? &done : &slices) += length;
        }
    return slices;
}

/* By how much a slope differs between the blocks of a list. */
static double spread_of(const struct fw_affine_slope *slope,
                        const struct fw_affine_accesses *accesses)
{
    double spread = 0;
    for (uint32_t d = 0; d < 3; d++)
        spread += fabs(slope->block[d]) * (double)(accesses->grid[d] - 1);
    return spread;
}

/* Whether threads of a block, which are the blocks of its accesses, begin or leave a loop more than
 * an iteration apart. */
static bool differs_by_thread(const struct fw_affine_ragged *ragged,
                              const struct fw_affine_accesses *threads)
{
    return ragged->any &&
           fmax(spread_of(&ragged->from, threads), spread_of(&ragged->until, threads)) > 1;
}

/* Whether a block runs several loops.  With slices of one length for all, an iteration of one would
 * lie in several slices, each of which would load all of it again.  Threads that go round a loop by
 * their own numbers leave it one after the other, and are in what follows while others are not. */
static bool has_loops_in_turn(const struct fw_affine_accesses *accesses)
{
    const struct fw_affine_access *first = NULL;
    bool looped = false, others = false, uneven = false;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].loops) {
            looped |= is_looped(&accesses->at[i]);
            first = first ? first : &accesses->at[i];
            others |= accesses->at[i].outer_loop != first->outer_loop;
            uneven |= differs_by_thread(&accesses->at[i].ragged, accesses);
        }
    return looped && others && !uneven;
}

/* The events from `first` to `last`, as windows. */
static uint32_t windows_of(const struct block_timeline *timeline, int64_t first, int64_t last,
                           enum fw_footprint_of of, struct fw_window out[MAX_WINDOWS])
{
    uint32_t count = 0;
    first = first > 0 ? first : 0;
    for (int64_t at = first; at < last && count < MAX_WINDOWS;) {
        int64_t slice = at / timeline->groups, until = (slice + 1) * timeline->groups;
        int64_t from = at - slice * timeline->groups, slices = 1;
        if (from == 0 && last - at >= timeline->groups) {
            slices = (last - at) / timeline->groups;
            until = at + slices * timeline->groups;
        }
        until = until < last ? until : last;
        int64_t to = slices > 1 || until - slice * timeline->groups >= timeline->groups
                         ? timeline->threads
                         : (until - slice * timeline->groups) * timeline->group;
        out[count++] =
            (struct fw_window){from * timeline->group, to, (double)slice * timeline->slice,
                               (double)(slice + slices) * timeline->slice, of};
        at = until;
    }
    return count;
}

static double bytes_of(struct fw_footprint *footprint, const struct fw_window *windows,
                       uint32_t count, uint32_t granule)
{
    return count ? granule * fw_footprint_count(footprint, windows, count, FW_NONE) : 0;
}

/* Bytes of sectors in windows, but of what blocks have in common: L1 keeps that for all of them. */
static double own_bytes(const struct block_timeline *timeline, const struct fw_window *windows,
                        uint32_t count)
{
    double sum = bytes_of(timeline->sectors, windows, count, timeline->caches->sector);
    for (uint32_t a = 0; count && a < timeline->arrays; a++)
        if (timeline->common[a])
            sum -=
                timeline->caches->sector * fw_footprint_count(timeline->sectors, windows, count, a);
    return sum;
}

/* Bytes of lines that the resident blocks touch while each of them touches those of windows;
 * `*one`: of one block.  From one pass over a row to the next, rows alone lie between, and what the
 * blocks have in common once. */
static double lines_of_blocks(const struct block_timeline *timeline,
                              const struct fw_window *windows, uint32_t count, double *one)
{
    const uint32_t line = timeline->caches->line;
    double common = 0, lines = bytes_of(timeline->lines, windows, count, line);
    for (uint32_t a = 0; timeline->passes && a < timeline->arrays; a++)
        if (timeline->common[a])
            common += line * fw_footprint_count(timeline->lines, windows, count, a);
    *one = lines - common;
    return timeline->blocks * *one + common;
}

/* Whether loops that follow each other load the same array, which blocks do not have in common. */
static bool in_passes(const struct fw_affine_accesses *accesses, const bool *common)
{
    for (uint32_t i = 0; i < accesses->count; i++)
        for (uint32_t j = 0; j < i && accesses->at[i].loops; j++) {
            const struct fw_affine_access *before = &accesses->at[j], *behind = &accesses->at[i];
            if (fw_affine_is_load(before) && fw_affine_is_load(behind) && before->loops &&
                before->array == behind->array && !common[before->array] &&
                before->outer_loop != behind->outer_loop)
                return true;
        }
    return false;
}

/* Bytes of sectors that an event loads and no event did from `first` on; `held`: what counts of
 * those. */
static double new_bytes(const struct block_timeline *timeline, int64_t first, int64_t event,
                        enum fw_footprint_of held)
{
    struct fw_window windows[3 * MAX_WINDOWS];
    int64_t here = held == FW_FOOTPRINT_ALL && timeline->behind ? event % timeline->groups : 0;
    here = fw_min(here, event - first);
    uint32_t count = windows_of(timeline, first, event - here, held, windows);
    count += windows_of(timeline, event - here, event, FW_FOOTPRINT_LOADS, &windows[count]);
    double before = own_bytes(timeline, windows, count);
    count += windows_of(timeline, event, event + 1, FW_FOOTPRINT_LOADS, &windows[count]);
    return own_bytes(timeline, windows, count) - before;
}

/* Bytes that one event misses although it, or an event before it, has touched them before; less
 * than 0 if it finds what was stored before and not loaded. */
static double repeated_misses(const struct block_timeline *timeline, int64_t event)
{
    const struct fw_caches *caches = timeline->caches;
    struct miss_curve curve = {.count = 0};
    double line_bytes_per_byte =
        1; /* bytes of lines per byte of sectors; half of the event itself occupies the cache */
    for (int64_t back = 0; curve.count < MAX_MISS_POINTS; back = back ? 2 * back : 1) {
        struct miss_point *point = &curve.at[curve.count++];
        struct fw_window windows[MAX_WINDOWS];
        int64_t first = event - back > 0 ? event - back : 0;
        uint32_t count = windows_of(timeline, first, event + 1, timeline->held, windows);
        double lines, all = lines_of_blocks(timeline, windows, count, &lines);
        point->misses = new_bytes(timeline, first, event, timeline->held);
        if (back == 0)
            line_bytes_per_byte = lines / (point->misses > 0 ? point->misses : 1);
        point->history = all - timeline->blocks * line_bytes_per_byte * point->misses / 2;
        point->history += timeline->blocks * timeline->stored * (double)(event - first) /
                          (double)(timeline->slices * timeline->groups);
        if (first == 0 || point->history > 2 * caches->l1_bytes)
            break;
    }
    double first = new_bytes(timeline, 0, event, FW_FOOTPRINT_LOADS);
    double all = miss_curve_bytes(&curve, caches->l1_bytes, caches->l1_sharpness);
    return all > first || timeline->held != FW_FOOTPRINT_LOADS ? all - first : 0;
}

void l1_block_volume(struct fw_volume *volume, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                     int64_t block, const struct resident_blocks *resident)
{
    struct fw_affine_accesses threads;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_affine_of_block(&threads, arena, accesses, block);
    struct block_timeline timeline = {.caches = caches,
                                      .blocks = resident->distinct,
                                      .common = resident->common,
                                      .arrays = accesses->arrays};
    timeline.threads = (int64_t)fw_affine_blocks(&threads);
    timeline.group = (timeline.threads + MAX_GROUPS - 1) / MAX_GROUPS;
    int64_t warp = caches->warp ? caches->warp : FW_WARP_THREADS;
    timeline.group = (timeline.group + warp - 1) / warp * warp;
    timeline.groups = (timeline.threads + timeline.group - 1) / timeline.group;
    uint32_t in_flight = loads_in_flight(accesses, caches->registers);
    bool stored = loads_stored(&threads, caches->sector, &timeline.behind);
    timeline.slices = stored || has_loops_in_turn(&threads)
                          ? set_slices_in_turn(&threads, in_flight)
                          : set_slices(&threads, in_flight);
    timeline.slice = 1 / (double)timeline.slices;
    timeline.sectors = fw_footprint_new(arena, &threads, caches->sector);
    timeline.lines = fw_footprint_like(timeline.sectors, caches->line);
    timeline.passes = resident->distinct < resident->count && in_passes(&threads, resident->common);
    if (timeline.passes)
        timeline.blocks = resident->count;
    timeline.held = stored ? FW_FOOTPRINT_ALL : FW_FOOTPRINT_LOADS;
    struct fw_window all = {0, timeline.threads, 0, 1, FW_FOOTPRINT_LOADS};
    volume->compulsory = caches->sector * fw_footprint_count(timeline.sectors, &all, 1, FW_NONE);
    double lines = caches->line * fw_footprint_count(timeline.lines, &all, 1, FW_NONE);
    volume->bytes = volume->compulsory;
    int64_t events = timeline.slices * timeline.groups, taken = 0;
    int64_t step = (events + SAMPLED - 1) / SAMPLED | 1; /* odd, so that every group is sampled */
    double sum = 0;
    struct fw_window both = {0, timeline.threads, 0, 1, FW_FOOTPRINT_ALL};
    if (!stored)
        timeline.stored =
            caches->line * fw_footprint_count(timeline.lines, &both, 1, FW_NONE) - lines;
    bool fills = timeline.blocks * (lines + timeline.stored) > least_occupancy * caches->l1_bytes;
    if ((fills || stored) && events > 1) {
        for (int64_t event = step / 2; event < events; event += step, taken++)
            sum += repeated_misses(&timeline, event);
        sum *= (double)events / (double)taken;
        volume->bytes = fmax(0, volume->compulsory + sum);
    }
    volume->capacity = volume->bytes - volume->compulsory;
    fw_arena_release(arena, mark);
}
