#include "volume_internal.h"

#include "warp.h"

#include <math.h>

enum { MAX_GROUPS = 8, MOST_SLICES = 64, SAMPLED = 24, USUAL_REGISTERS = 32 };

/* A multiprocessor whose blocks touch less than this share of L1 has no capacity misses. */
static const double least_occupancy = 0.25;

/* The timeline of one block: events are slices of time, and in each slice the block's groups of
 * threads one after the other. */
struct block_timeline {
    struct fw_footprint *sectors, *lines;
    int64_t threads, group; /* of the block; of a group */
    int64_t groups;
    int64_t slices;
    double slice;  /* length of a slice, as a share of the lifetime */
    double blocks; /* number of blocks that share the cache */
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

/* The events from `first` to `last`, as windows. */
static uint32_t windows_of(const struct block_timeline *timeline, int64_t first, int64_t last,
                           struct fw_window out[4])
{
    uint32_t count = 0;
    first = first > 0 ? first : 0;
    for (int64_t at = first; at < last && count < 4;) {
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
                               (double)(slice + slices) * timeline->slice, FW_FOOTPRINT_LOADS};
        at = until;
    }
    return count;
}

static double bytes_of(struct fw_footprint *footprint, const struct block_timeline *timeline,
                       int64_t first, int64_t last, uint32_t granule)
{
    struct fw_window windows[4];
    uint32_t count = windows_of(timeline, first, last, windows);
    return count ? granule * fw_footprint_count(footprint, windows, count, FW_NONE) : 0;
}

/* Bytes that one event misses although it, or an event before it, has touched them before. */
static double repeated_misses(const struct block_timeline *timeline, int64_t event)
{
    const struct fw_caches *caches = timeline->caches;
    struct miss_curve curve = {.count = 0};
    double line_bytes_per_byte =
        1; /* bytes of lines per byte of sectors; half of the event itself occupies the cache */
    for (int64_t back = 0; curve.count < MAX_MISS_POINTS; back = back ? 2 * back : 1) {
        struct miss_point *point = &curve.at[curve.count++];
        int64_t first = event - back > 0 ? event - back : 0;
        double lines = bytes_of(timeline->lines, timeline, first, event + 1, caches->line);
        point->misses = bytes_of(timeline->sectors, timeline, first, event + 1, caches->sector) -
                        bytes_of(timeline->sectors, timeline, first, event, caches->sector);
        if (back == 0)
            line_bytes_per_byte = lines / (point->misses > 0 ? point->misses : 1);
        point->history = timeline->blocks * (lines - line_bytes_per_byte * point->misses / 2);
        if (first == 0 || point->history > 2 * caches->l1_bytes)
            break;
    }
    double first = bytes_of(timeline->sectors, timeline, 0, event + 1, caches->sector) -
                   bytes_of(timeline->sectors, timeline, 0, event, caches->sector);
    double all = miss_curve_bytes(&curve, caches->l1_bytes, caches->l1_sharpness);
    return all > first ? all - first : 0;
}

void l1_block_volume(struct fw_volume *volume, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                     int64_t block)
{
    struct fw_affine_accesses threads;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_affine_of_block(&threads, arena, accesses, block);
    struct block_timeline timeline = {.caches = caches,
                                      .blocks = resident_blocks_of(accesses, caches)};
    timeline.threads = (int64_t)fw_affine_blocks(&threads);
    timeline.group = (timeline.threads + MAX_GROUPS - 1) / MAX_GROUPS;
    int64_t warp = caches->warp ? caches->warp : FW_WARP_THREADS;
    timeline.group = (timeline.group + warp - 1) / warp * warp;
    timeline.groups = (timeline.threads + timeline.group - 1) / timeline.group;
    timeline.slices = set_slices(&threads, loads_in_flight(accesses, caches->registers));
    timeline.slice = 1 / (double)timeline.slices;
    timeline.sectors = fw_footprint_new(arena, &threads, caches->sector);
    timeline.lines = fw_footprint_like(timeline.sectors, caches->line);
    struct fw_window all = {0, timeline.threads, 0, 1, FW_FOOTPRINT_LOADS};
    volume->compulsory = caches->sector * fw_footprint_count(timeline.sectors, &all, 1, FW_NONE);
    double lines = caches->line * fw_footprint_count(timeline.lines, &all, 1, FW_NONE);
    volume->bytes = volume->compulsory;
    int64_t events = timeline.slices * timeline.groups, taken = 0;
    int64_t step = (events + SAMPLED - 1) / SAMPLED | 1; /* odd, so that every group is sampled */
    double sum = 0;
    if (timeline.blocks * lines > least_occupancy * caches->l1_bytes && events > 1) {
        for (int64_t event = step / 2; event < events; event += step, taken++)
            sum += repeated_misses(&timeline, event);
        sum *= (double)events / (double)taken;
        volume->bytes = volume->compulsory + sum;
    }
    volume->capacity = volume->bytes - volume->compulsory;
    fw_arena_release(arena, mark);
}
