/* A simulation that goes on from where another one has come to, which did the same so far. */
#include "simulate_internal.h"

/* A field of the copy, an array of so many, gets memory of its own. */
#define COPY(copy, field, count)                                                                   \
    ((copy)->field = fw_arena_copy(arena, (copy)->field, (size_t)(count) * sizeof(*(copy)->field)))

static void copy_warps(struct machine *copy, struct fw_arena *arena)
{
    const struct sm_common *common = copy->common;
    COPY(copy, warps, copy->warp_count);
    for (uint32_t w = 0; w < copy->warp_count; w++) {
        struct warp *warp = &copy->warps[w];
        COPY(warp, frames, common->depth);
        COPY(warp, slots, common->slots);
        COPY(warp, causes, common->slots);
        COPY(warp, credits, common->shares);
    }
    COPY(copy, blocks, copy->of->resident);
    for (uint32_t b = 0; b < copy->of->resident; b++)
        if (copy->blocks[b].phases)
            COPY(&copy->blocks[b], phases, copy->mbarrier_count * PHASES);
    for (int level = 0; level < CHANCES; level++)
        COPY(copy, misses[level], copy->warp_count * copy->instructions);
}

static void copy_schedulers(struct machine *copy, struct fw_arena *arena)
{
    const uint32_t schedulers = copy->of->schedulers, places = schedulers * copy->places;
    COPY(copy, free, schedulers);
    COPY(copy, units, schedulers * UNITS);
    COPY(copy, wanted, places);
    COPY(copy, wanted_unit, places);
    COPY(copy, keys, places);
    COPY(copy, times, copy->places);
    COPY(copy, leaves, schedulers * QUEUES * copy->ring + 1);
    COPY(copy, next_leave, schedulers * QUEUES);
    COPY(copy, last, schedulers);
    COPY(copy, best, schedulers);
    COPY(copy, best_time, schedulers);
}

/* The trips that it makes itself. */
static void set_trips(struct machine *copy)
{
    for (uint32_t w = 0; w < copy->warp_count; w++)
        for (uint32_t f = 0; f < copy->common->depth; f++) {
            struct frame *frame = &copy->warps[w].frames[f];
            frame->trips = frame->trips_beside;
            frame->left = frame->left_beside;
            frame->share = frame->share < 1 ? copy->of->trips : frame->share;
        }
}

static void copy_watching(struct machine *copy, struct fw_arena *arena)
{
    const struct watching *from = copy->watching;
    COPY(copy, watching, 1);
    if (copy->watching->noted)
        copy->watching->noted = copy->watching->watches + (from->noted - from->watches);
    for (struct watch *watch = copy->watching->watches; watch < copy->watching->watches + WATCHES;
         watch++)
        for (uint32_t s = 0; s < SNAPSHOTS; s++) {
            struct snapshot *snapshot = &watch->snapshots[s];
            if (!snapshot->positions)
                continue;
            COPY(snapshot, positions, copy->warp_count);
            if (!copy->accounting)
                continue;
            COPY(snapshot, account, snapshot->account_room);
            COPY(snapshot, idle, copy->of->schedulers);
        }
}

/* All but what is watched. */
static struct machine *copy_of(const struct machine *m, struct fw_sm_account *account)
{
    struct fw_arena *arena = m->arena;
    struct machine *copy = fw_arena_copy(arena, m, sizeof(*m));
    copy_warps(copy, arena);
    copy_schedulers(copy, arena);
    copy->shared = shared_lines_copy(m);
    account_copy(copy, account);
    return copy;
}

struct machine *machine_copy_first(const struct machine *m, struct fw_sm_account *account)
{
    struct machine *copy = copy_of(m, account);
    copy_watching(copy, m->arena);
    copy->simulated = m->blocks_beside;
    copy->blocks_beside = 0;
    return copy;
}

struct machine *machine_copy_beside(struct machine *m, struct fw_sm_account *account)
{
    struct machine *copy = copy_of(m, account);
    copy->of = m->beside;
    copy->watching = m->watching_beside; /* whose it was all the time */
    copy->watching->beside = false;
    copy->watching_beside = m->watching_beside = NULL;
    copy->beside = m->beside = NULL;
    set_trips(copy);
    return copy;
}
