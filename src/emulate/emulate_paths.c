#include "emulate_paths.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PATHS = 1 << 16 };

void fw_emulate_paths_start(struct emulate_warp *warp)
{
    warp->path_count = 1;
    warp->current = 0;
    warp->exited = 0;
    warp->paths[0] = (struct emulate_path){
        .mask = warp->exists, .join = FW_NO_INDEX, .parent = FW_NO_INDEX, .state = STATE_READY};
}

/* A free place; the array may move. */
static uint32_t new_path(struct emulate_warp *warp, const struct emulate_micro *micro)
{
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (warp->paths[i].state == STATE_FREE)
            return i;
    if (warp->path_count == warp->path_capacity) {
        uint32_t capacity = warp->path_capacity * 2;
        struct emulate_path *paths =
            capacity <= MOST_PATHS ? realloc(warp->paths, capacity * sizeof *paths) : NULL;
        if (!paths)
            fw_emulate_fault(warp, micro, LANES, "EMU016",
                             "a warp's threads went more than %u different ways",
                             warp->path_capacity);
        warp->paths = paths;
        warp->path_capacity = capacity;
    }
    return warp->path_count++;
}

static uint32_t add_path(struct emulate_warp *warp, const struct emulate_micro *micro,
                         uint32_t mask, uint32_t pc, uint32_t parent, uint32_t join)
{
    const uint32_t index = new_path(warp, micro);
    warp->paths[index] = (struct emulate_path){
        .pc = pc, .mask = mask, .join = join, .parent = parent, .state = STATE_READY};
    if (parent != FW_NO_INDEX)
        warp->paths[parent].parts++;
    return index;
}

uint32_t fw_emulate_paths_split(struct emulate_warp *warp, const struct emulate_micro *micro,
                                uint32_t lanes, uint32_t pc)
{
    struct emulate_path *path = &warp->paths[warp->current];
    path->mask &= ~lanes;
    return add_path(warp, micro, lanes, pc, path->parent, path->join);
}

void fw_emulate_paths_diverge(struct emulate_warp *warp, const struct emulate_micro *micro,
                              uint32_t block, uint32_t taken, uint32_t target, uint32_t next)
{
    const struct emulate_code *code = &warp->run->code;
    const uint32_t current = warp->current;
    struct emulate_path *path = &warp->paths[current];
    const uint32_t others = path->mask & ~taken;
    /* Lanes that leave meet the others at the end when nobody else waits for these before. */
    const bool at_end =
        code->leaves[block] && (path->join == FW_NO_INDEX || path->join == code->strict[block]);
    const uint32_t join = at_end ? code->strict[block] : code->relaxed[block];
    if (join == FW_NO_INDEX || join == path->join) {
        path->pc = next;
        fw_emulate_paths_split(warp, micro, taken, target);
        return;
    }
    path->state = STATE_JOINING;
    path->pc = code->block_start[join];
    path->mask = 0;
    path->parts = 0;
    add_path(warp, micro, taken, target, current, join);
    warp->current = add_path(warp, micro, others, next, current, join);
}

void fw_emulate_paths_finish(struct emulate_warp *warp, uint32_t index)
{
    while (index != FW_NO_INDEX) {
        struct emulate_path *path = &warp->paths[index];
        const uint32_t parent = path->parent;
        path->state = STATE_FREE;
        if (parent == FW_NO_INDEX)
            return;
        struct emulate_path *joint = &warp->paths[parent];
        joint->mask |= path->mask;
        if (--joint->parts)
            return;
        if (joint->mask) {
            joint->state = STATE_READY;
            warp->current = parent;
            return;
        }
        index = parent;
    }
}

bool fw_emulate_paths_release(struct emulate_warp *warp)
{
    bool released = false;
    const uint32_t count = warp->path_count;
    for (uint32_t i = 0; i < count; i++) {
        struct emulate_path joint = warp->paths[i];
        if (joint.state != STATE_JOINING || !joint.mask)
            continue;
        warp->paths[i].mask = 0;
        add_path(warp, &warp->run->code.micros.at[joint.pc], joint.mask, joint.pc, joint.parent,
                 joint.join);
        released = true;
    }
    return released;
}

bool fw_emulate_paths_next(struct emulate_warp *warp)
{
    for (uint32_t k = 1; k <= warp->path_count; k++) {
        const uint32_t i = (warp->current + k) % warp->path_count;
        if (warp->paths[i].state == STATE_READY) {
            warp->current = i;
            return true;
        }
    }
    return false;
}

void fw_emulate_paths_wait(struct emulate_warp *warp, uint32_t members)
{
    struct emulate_path *path = &warp->paths[warp->current];
    path->state = STATE_SYNC;
    path->members = members;
    fw_emulate_paths_sync(warp);
}

/* Whether two waiting paths can serve each other: at the same operation, or both at bar.warp.sync,
 * which hands over no data. */
static bool same_operation(const struct emulate_warp *warp, const struct emulate_path *a,
                           const struct emulate_path *b)
{
    const struct emulate_micro *micros = warp->run->code.micros.at;
    return a->members == b->members &&
           (a->pc == b->pc || (micros[a->pc].small[6] && micros[b->pc].small[6]));
}

/* Lanes that are still to come of those that the path waits for. */
static uint32_t gather(const struct emulate_warp *warp, const struct emulate_path *path)
{
    uint32_t come = 0;
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (warp->paths[i].state == STATE_SYNC && same_operation(warp, path, &warp->paths[i]))
            come |= warp->paths[i].mask;
    return come;
}

void fw_emulate_paths_sync(struct emulate_warp *warp)
{
    const struct emulate_micro *micros = warp->run->code.micros.at;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        struct emulate_path *path = &warp->paths[i];
        if (path->state != STATE_SYNC)
            continue;
        const uint32_t come = gather(warp, path);
        if (path->members & ~warp->exited & ~come)
            continue;
        const struct emulate_micro *micro = &micros[path->pc];
        const uint32_t pc = path->pc, members = path->members;
        if (!micro->small[6])
            micro->run(warp, micro, come);
        for (uint32_t k = warp->path_count; k-- > i;) {
            struct emulate_path *other = &warp->paths[k];
            if (other->state != STATE_SYNC || other->members != members ||
                (other->pc != pc && !(micro->small[6] && micros[other->pc].small[6])))
                continue;
            other->state = STATE_READY;
            other->pc++;
            /* Now at the same place: they go on as one. */
            if (k != i && other->pc == pc + 1 && other->parent == path->parent &&
                other->join == path->join) {
                path->mask |= other->mask;
                other->state = STATE_FREE;
                if (path->parent != FW_NO_INDEX)
                    warp->paths[path->parent].parts--;
                if (warp->current == k)
                    warp->current = i;
            }
        }
    }
}

/* Whether everybody has come. */
static bool complete(const struct emulate_run *run, const struct emulate_barrier *barrier)
{
    uint32_t come = 0;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        const struct emulate_warp *warp = &run->warps[w];
        const uint32_t arrived = barrier->arrived[w];
        const bool all = (warp->exists & ~warp->exited & ~arrived) == 0;
        if (!barrier->counted && !all)
            return false;
        /* Stated counts are of whole warps, those with missing lanes too. */
        if (arrived)
            come += all ? LANES : (uint32_t)__builtin_popcount(arrived);
    }
    return !barrier->counted || come >= barrier->expected;
}

static void hand_out(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask,
                     uint32_t positive, bool all)
{
    const struct emulate_barrier_use *use = micro->extra;
    if (use->kind == BARRIER_POPC) {
        for (uint32_t left = mask; left; left &= left - 1)
            SLOT(uint32_t, use->result)[__builtin_ctz(left)] = positive;
    } else if (use->kind == BARRIER_AND || use->kind == BARRIER_OR) {
        const uint32_t truth = (use->kind == BARRIER_AND ? all : positive > 0) ? mask : 0;
        WORD(use->result) = (WORD(use->result) & ~mask) | truth;
    }
}

static void release(struct emulate_run *run, uint32_t id)
{
    struct emulate_barrier *barrier = &run->barriers[id];
    uint32_t positive = 0, arrived = 0;
    for (uint32_t w = 0; w < run->warp_count; w++) {
        positive += (uint32_t)__builtin_popcount(barrier->positive[w]);
        arrived += (uint32_t)__builtin_popcount(barrier->arrived[w]);
    }
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct emulate_warp *warp = &run->warps[w];
        for (uint32_t i = 0; i < warp->path_count; i++) {
            struct emulate_path *path = &warp->paths[i];
            if (path->state != STATE_BARRIER || path->barrier != id)
                continue;
            hand_out(warp, &run->code.micros.at[path->pc - 1], path->mask, positive,
                     positive == arrived);
            path->state = STATE_READY;
        }
    }
    memset(barrier, 0, sizeof *barrier);
}

void fw_emulate_barriers_check(struct emulate_run *run)
{
    for (uint32_t id = 0; id < 16; id++)
        if (run->barriers[id].active && complete(run, &run->barriers[id]))
            release(run, id);
}

void fw_emulate_barrier_arrive(struct emulate_warp *warp, const struct emulate_micro *micro,
                               uint32_t lanes)
{
    struct emulate_run *run = warp->run;
    const struct emulate_barrier_use *use = micro->extra;
    const unsigned first = (unsigned)__builtin_ctz(lanes);
    const uint32_t id = SLOT(uint32_t, use->id)[first];
    const uint32_t count = use->count ? SLOT(uint32_t, use->count)[first] : 0;
    if (id > 15)
        fw_emulate_fault(warp, micro, first, "EMU019", "barrier %u: there are 0 to 15", id);
    if (count % LANES)
        fw_emulate_fault(warp, micro, first, "EMU019",
                         "a barrier of %u threads, which are no whole warps", count);
    struct emulate_barrier *barrier = &run->barriers[id];
    if (barrier->active && barrier->expected != count)
        fw_emulate_fault(warp, micro, first, "EMU019",
                         "barrier %u is waited for with %u and with %u threads", id,
                         barrier->expected, count);
    barrier->active = true;
    barrier->counted = count != 0;
    barrier->expected = count;
    if (barrier->arrived[warp->index] & lanes)
        fw_emulate_fault(warp, micro, first, "EMU019", "a thread arrives at barrier %u twice", id);
    barrier->arrived[warp->index] |= lanes;
    if (use->kind >= BARRIER_POPC)
        barrier->positive[warp->index] |= lanes & (WORD(use->predicate) ^ use->predicate_flip);
    if (use->kind != BARRIER_ARRIVE) {
        warp->paths[warp->current].state = STATE_BARRIER;
        warp->paths[warp->current].barrier = id;
    }
    if (complete(run, barrier))
        release(run, id);
}
