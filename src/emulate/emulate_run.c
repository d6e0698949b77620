/* The run loop: micro-operations of a path, paths of a warp, warps of a block. */
#include "emulate_run.h"

#include "deadline.h"
#include "emulate_paths.h"

#include <stdio.h>
#include <string.h>

/* Warp instructions that a path runs before another one gets its turn: long enough to cost nothing,
 * short enough that a spinning path soon yields to the one that it waits for. */
enum { QUANTUM = 20000 };

/* The guard's lanes, counted. */
static inline uint32_t guarded_lanes(struct emulate_warp *warp, const struct emulate_micro *micro,
                                     uint32_t active)
{
    if (!micro->guard)
        return active;
    const uint32_t mask = active & (WORD(micro->guard) ^ micro->guard_flip);
    if (micro->counter != FW_NO_INDEX) {
        struct emulate_guarded *count = &warp->run->code.guarded.at[micro->counter];
        count->threads += (uint64_t)__builtin_popcount(mask);
        count->warps += mask != 0;
    }
    return mask;
}

static void limit_reached(struct emulate_warp *warp, const struct emulate_micro *micro)
{
    struct emulate_run *run = warp->run;
    const struct emulate_micro *at =
        micro + 1 < run->code.micros.at + run->code.micros.count ? micro + 1 : micro;
    char place[96];
    snprintf(place, sizeof place, "it was in block (%u,%u,%u), warp %u", run->at[0], run->at[1],
             run->at[2], warp->index);
    const char *notes[] = {place,
                           "blocks run one after another: a kernel whose blocks wait for later "
                           "blocks never ends here"};
    fw_report_notes(run->sink, FW_ERROR, "EMU013",
                    run->code.function->instructions[at->instruction].span, notes, 2,
                    "the kernel ran for more than %llu warp instructions",
                    (unsigned long long)run->limit);
    run->failed = FW_ERROR_BUDGET;
    longjmp(run->fault, 1);
}

/* Ends the run when the time of the thread's work is over. */
static void check_time(struct emulate_run *run)
{
    if (run->spent < run->next_check)
        return;
    run->next_check = run->spent + QUANTUM;
    if (!fw_deadline_passed())
        return;
    run->failed = FW_ERROR_BUDGET;
    longjmp(run->fault, 1);
}

/* Lanes of a brx go to each of its targets in turn; the last group stays the current path. */
static void branch_by_index(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t active)
{
    const struct emulate_table *table = micro->extra;
    const uint32_t *index = SLOT(uint32_t, micro->a);
    for (uint32_t left = active; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (index[i] >= table->count)
            fw_emulate_fault(warp, micro, i, "EMU020", "brx.idx %u: the list has %u targets",
                             index[i], table->count);
    }
    bool parted = false;
    while (active) {
        const uint32_t which = index[__builtin_ctz(active)];
        uint32_t same = 0;
        for (uint32_t left = active; left; left &= left - 1)
            same |= index[__builtin_ctz(left)] == which ? left & -left : 0;
        const uint32_t target = table->targets[which];
        if (same == active) {
            warp->paths[warp->current].pc = target;
        } else if (!parted) {
            fw_emulate_paths_diverge(warp, micro, micro->b, same, target, target);
            parted = true;
        } else {
            fw_emulate_paths_split(warp, micro, same, target);
        }
        active &= ~same;
    }
    if (parted)
        warp->run->divergent[micro->instruction]++;
}

/* A block begins.  False: the path does not go on here now. */
static inline bool enter_block(struct emulate_warp *warp, const struct emulate_micro *micro,
                               uint32_t active, int64_t *quantum)
{
    struct emulate_run *run = warp->run;
    struct emulate_path *path = &warp->paths[warp->current];
    if (micro->a == path->join) {
        fw_emulate_paths_finish(warp, warp->current);
        return false;
    }
    if (*quantum <= 0) {
        path->pc = (uint32_t)(micro - run->code.micros.at);
        return false;
    }
    struct emulate_block_count *count = &run->block_counts[micro->a];
    count->issued++;
    count->threads += (uint64_t)__builtin_popcount(active);
    *quantum -= micro->immediate;
    run->spent += (uint64_t)micro->immediate;
    if (run->spent > run->limit)
        limit_reached(warp, micro);
    return true;
}

/* Threads end.  False: the path has none left. */
static bool leave(struct emulate_warp *warp, uint32_t mask)
{
    warp->exited |= mask;
    struct emulate_path *path = &warp->paths[warp->current];
    path->mask &= ~mask;
    const uint32_t current = warp->current;
    const bool goes_on = path->mask != 0;
    if (!goes_on)
        fw_emulate_paths_finish(warp, current);
    fw_emulate_paths_sync(warp);
    fw_emulate_barriers_check(warp->run);
    return goes_on;
}

/* A .sync operation.  False: the path waits, or is another one now. */
static bool synchronize(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask,
                        uint32_t pc)
{
    const uint32_t named = SLOT(uint32_t, micro->e)[__builtin_ctz(mask)] & warp->exists;
    if ((named & ~warp->exited & ~mask) == 0) {
        micro->run(warp, micro, mask);
        return true;
    }
    struct emulate_path *path = &warp->paths[warp->current];
    if (path->mask != mask) {
        const uint32_t others = path->mask & ~mask;
        fw_emulate_paths_split(warp, micro, others, pc);
        path = &warp->paths[warp->current];
    }
    path->pc = pc - 1;
    fw_emulate_paths_wait(warp, named);
    return false;
}

/* Whether the current path goes on at once after arriving at a barrier. */
static bool arrive(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask,
                   uint32_t pc)
{
    struct emulate_path *path = &warp->paths[warp->current];
    if (path->mask != mask) {
        const uint32_t others = path->mask & ~mask;
        fw_emulate_paths_split(warp, micro, others, pc);
    }
    warp->paths[warp->current].pc = pc;
    fw_emulate_barrier_arrive(warp, micro, mask);
    return warp->paths[warp->current].state == STATE_READY;
}

/* A guarded branch.  False: the lanes part. */
static inline bool branch(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t active, uint32_t mask, uint32_t *pc)
{
    if (mask == active) {
        *pc = (uint32_t)micro->immediate;
        return true;
    }
    if (!mask)
        return true;
    warp->run->divergent[micro->instruction]++;
    if (*pc == (uint32_t)micro->immediate)
        return true;
    fw_emulate_paths_diverge(warp, micro, micro->b, mask, (uint32_t)micro->immediate, *pc);
    return false;
}

/* Runs the current path until it waits, ends, parts or has had its turn. */
static void run_path(struct emulate_warp *warp, int64_t *quantum)
{
    const struct emulate_micro *const micros = warp->run->code.micros.at;
    uint32_t active = warp->paths[warp->current].mask, pc = warp->paths[warp->current].pc;
    for (;;) {
        const struct emulate_micro *const micro = &micros[pc++];
        if (micro->control == CONTROL_BLOCK) {
            if (!enter_block(warp, micro, active, quantum))
                return;
            continue;
        }
        const uint32_t mask = guarded_lanes(warp, micro, active);
        if (micro->control == CONTROL_BRANCH) {
            if (!branch(warp, micro, active, mask, &pc))
                return;
            continue;
        }
        if (!mask)
            continue;
        switch (micro->control) {
        case CONTROL_NONE:
            micro->run(warp, micro, mask);
            break;
        case CONTROL_BRX:
            warp->paths[warp->current].pc = pc;
            branch_by_index(warp, micro, mask);
            return;
        case CONTROL_EXIT:
            if (!leave(warp, mask))
                return;
            active &= ~mask;
            break;
        case CONTROL_BARRIER:
            if (!arrive(warp, micro, mask, pc))
                return;
            active = warp->paths[warp->current].mask;
            break;
        case CONTROL_SYNC:
            if (!synchronize(warp, micro, mask, pc))
                return;
            break;
        default: {
            const struct emulate_fault_text *text = micro->extra;
            fw_emulate_fault(warp, micro, (unsigned)__builtin_ctz(mask), text->code, "%s",
                             text->message);
        }
        }
    }
}

/* Everybody waits for somebody. */
static void deadlock(struct emulate_run *run)
{
    for (uint32_t w = 0; w < run->warp_count; w++) {
        struct emulate_warp *warp = &run->warps[w];
        for (uint32_t i = 0; i < warp->path_count; i++) {
            const struct emulate_path *path = &warp->paths[i];
            const struct emulate_micro *micros = run->code.micros.at;
            const unsigned lane = path->mask ? (unsigned)__builtin_ctz(path->mask) : LANES;
            if (path->state == STATE_BARRIER)
                fw_emulate_fault(warp, &micros[path->pc - 1], lane, "EMU014",
                                 "deadlock: this barrier (%u) waits for threads that never come",
                                 path->barrier);
            if (path->state == STATE_SYNC)
                fw_emulate_fault(warp, &micros[path->pc], lane, "EMU014",
                                 "deadlock: this operation names lanes (mask 0x%08x) that never "
                                 "come to it",
                                 path->members & ~path->mask & ~warp->exited);
        }
    }
    run->failed = FW_ERROR_INPUT; /* not reached: a path that is not ready waits */
    longjmp(run->fault, 1);
}

static void fill_word(struct emulate_warp *warp, uint32_t slot, uint32_t value)
{
    for (unsigned i = 0; slot && i < LANES; i++)
        SLOT(uint32_t, slot)[i] = value;
}

static void start_warp(struct emulate_run *run, struct emulate_warp *warp)
{
    const struct emulate_code *code = &run->code;
    memset(warp->frame + code->registers_start, 0, code->registers_end - code->registers_start);
    if (code->local_bytes)
        memset(warp->local, 0, LANES * code->local_bytes);
    uint32_t rank = 0;
    for (unsigned k = 3; k-- > 0;) {
        const uint32_t blocks = code->cluster[k], place = run->at[k] % blocks;
        rank = rank * blocks + place;
        fill_word(warp, code->special[FW_SREG_CTAID_X + k], run->at[k]);
        fill_word(warp, code->special[FW_SREG_CLUSTERID_X + k], run->at[k] / blocks);
        fill_word(warp, code->special[FW_SREG_CLUSTER_CTAID_X + k], place);
    }
    fill_word(warp, code->special[FW_SREG_CLUSTER_CTARANK], rank);
    fw_emulate_paths_start(warp);
}

void fw_emulate_run_block(struct emulate_run *run)
{
    if (run->code.shared_total)
        memset(run->shared, 0, run->code.shared_total);
    if (run->written)
        memset(run->written, 0, run->code.shared_total);
    memset(run->barriers, 0, sizeof run->barriers);
    for (uint32_t w = 0; w < run->warp_count; w++)
        start_warp(run, &run->warps[w]);
    for (bool moved = true; moved;) {
        moved = false;
        bool waits = false;
        for (uint32_t w = 0; w < run->warp_count; w++) {
            struct emulate_warp *warp = &run->warps[w];
            int64_t turn = QUANTUM;
            check_time(run);
            while (turn > 0) {
                const struct emulate_path *path = &warp->paths[warp->current];
                if (path->state != STATE_READY && !fw_emulate_paths_next(warp))
                    break;
                moved = true;
                run_path(warp, &turn);
            }
            fw_emulate_paths_next(warp);
            waits |= (warp->exists & ~warp->exited) != 0;
        }
        if (moved || !waits)
            continue;
        for (uint32_t w = 0; w < run->warp_count; w++)
            moved |= fw_emulate_paths_release(&run->warps[w]);
        if (!moved)
            deadlock(run);
    }
}
