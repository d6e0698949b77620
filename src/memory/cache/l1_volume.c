#include "volume_internal.h"

#include <math.h>

enum { GROUPS = 8, MOST_SLICES = 64, SAMPLED = 24, USUAL_REGISTERS = 32 };

/* A block's life as events: slices of time, in each its groups of threads one after the other. */
struct block_timeline {
    struct fw_footprint *sectors, *lines;
    int64_t threads, group; /* of the block; of a group */
    int64_t groups;
    int64_t slices;
    double slice;  /* share of the life */
    double blocks; /* that share the cache */
    const struct fw_caches *caches;
};

/* Loads that a thread has under way at one time: as many as its registers hold. */
static uint32_t loads_together(const struct fw_affine_accesses *accesses, uint32_t registers)
{
    uint32_t bytes = 4;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].direction == FW_LOAD &&
            fw_affine_thread_bytes(&accesses->at[i]) > bytes)
            bytes = fw_affine_thread_bytes(&accesses->at[i]);
    uint32_t together = (registers ? registers : USUAL_REGISTERS) * 4 / bytes;
    return together ? together : 1;
}

/* Gives straight-line loads their turn: `together` at a time.  Loops keep their time. */
static int64_t take_turns(struct fw_affine_accesses *accesses, uint32_t together)
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
    slices = (loads + together - 1) / together;
    slices = slices > MOST_SLICES ? MOST_SLICES : slices < 1 ? 1 : slices;
    for (uint32_t i = 0; i < accesses->count; i++) {
        int64_t turn = loads ? number * slices / loads : 0;
        if (accesses->at[i].direction == FW_LOAD)
            number++;
        else
            turn = slices - 1;
        accesses->at[i].begin = (double)turn / (double)slices;
        accesses->at[i].end = (double)(turn + 1) / (double)slices;
    }
    return slices;
}

/* The events from `first` to `last` as windows. */
static uint32_t windows_of(const struct block_timeline *life, int64_t first, int64_t last,
                           struct fw_window out[4])
{
    uint32_t count = 0;
    first = first > 0 ? first : 0;
    for (int64_t at = first; at < last && count < 4;) {
        int64_t slice = at / life->groups, until = (slice + 1) * life->groups;
        int64_t from = at - slice * life->groups, slices = 1;
        if (from == 0 && last - at >= life->groups) {
            slices = (last - at) / life->groups;
            until = at + slices * life->groups;
        }
        until = until < last ? until : last;
        int64_t to = slices > 1 || until - slice * life->groups >= life->groups
                         ? life->threads
                         : (until - slice * life->groups) * life->group;
        out[count++] =
            (struct fw_window){from * life->group, to, (double)slice * life->slice,
                               (double)(slice + slices) * life->slice, FW_FOOTPRINT_LOADS};
        at = until;
    }
    return count;
}

static double bytes_of(struct fw_footprint *footprint, const struct block_timeline *life,
                       int64_t first, int64_t last, uint32_t granule)
{
    struct fw_window windows[4];
    uint32_t count = windows_of(life, first, last, windows);
    return count ? granule * fw_footprint_count(footprint, windows, count, FW_NONE) : 0;
}

/* What one event misses that it or an event before it has touched before, in sectors' bytes. */
static double missing_again(const struct block_timeline *life, int64_t event)
{
    const struct fw_caches *caches = life->caches;
    struct miss_curve pasts = {.count = 0};
    double lines_a_sector = 1; /* bytes allocated for a byte that comes: with half of the event */
    for (int64_t back = 0; pasts.count < MAX_MISS_POINTS; back = back ? 2 * back : 1) {
        struct miss_point *past = &pasts.at[pasts.count++];
        int64_t first = event - back > 0 ? event - back : 0;
        double lines = bytes_of(life->lines, life, first, event + 1, caches->line);
        past->misses = bytes_of(life->sectors, life, first, event + 1, caches->sector) -
                       bytes_of(life->sectors, life, first, event, caches->sector);
        if (back == 0)
            lines_a_sector = lines / (past->misses > 0 ? past->misses : 1);
        past->history = life->blocks * (lines - lines_a_sector * past->misses / 2);
        if (first == 0 || past->history > 2 * caches->l1_bytes)
            break;
    }
    double first = bytes_of(life->sectors, life, 0, event + 1, caches->sector) -
                   bytes_of(life->sectors, life, 0, event, caches->sector);
    double all = miss_curve_bytes(&pasts, caches->l1_bytes, caches->l1_sharpness);
    return all > first ? all - first : 0;
}

void l1_block_volume(struct fw_volume *volume, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                     int64_t block)
{
    struct fw_affine_accesses threads;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_affine_of_block(&threads, arena, accesses, block);
    struct block_timeline life = {.caches = caches, .blocks = resident_blocks_of(accesses, caches)};
    life.threads = (int64_t)fw_affine_blocks(&threads);
    life.group = (life.threads + GROUPS - 1) / GROUPS;
    int64_t warp = caches->warp ? caches->warp : 32;
    life.group = (life.group + warp - 1) / warp * warp;
    life.groups = (life.threads + life.group - 1) / life.group;
    life.slices = take_turns(&threads, loads_together(accesses, caches->registers));
    life.slice = 1 / (double)life.slices;
    life.sectors = fw_footprint_new(arena, &threads, caches->sector);
    life.lines = fw_footprint_like(life.sectors, caches->line);
    struct fw_window all = {0, life.threads, 0, 1, FW_FOOTPRINT_LOADS};
    volume->compulsory = caches->sector * fw_footprint_count(life.sectors, &all, 1, FW_NONE);
    double lines = caches->line * fw_footprint_count(life.lines, &all, 1, FW_NONE);
    volume->bytes = volume->compulsory;
    int64_t events = life.slices * life.groups, taken = 0;
    int64_t step = (events + SAMPLED - 1) / SAMPLED | 1; /* odd: every group has its turn */
    double sum = 0;
    if (life.blocks * lines > 0.25 * caches->l1_bytes && events > 1) {
        for (int64_t event = step / 2; event < events; event += step, taken++)
            sum += missing_again(&life, event);
        sum *= (double)events / (double)taken;
        volume->bytes = volume->compulsory + sum;
    }
    volume->capacity = volume->bytes - volume->compulsory;
    fw_arena_release(arena, mark);
}
