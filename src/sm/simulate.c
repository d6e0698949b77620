#include "simulate_internal.h"

#include <math.h>
#include <string.h>

enum { WAVES_SIMULATED = 3 /* of resident blocks; beyond, the rest goes on at their rate */ };

static const char *const stall_texts[FW_SM_STALL_COUNT] = {
#define X(name, text) text,
    FW_SM_STALLS(X)
#undef X
};

const char *fw_sm_stall_text(enum fw_sm_stall stall)
{
    return stall_texts[stall];
}

static void open(struct machine *m, struct fw_arena *arena, const struct fw_sm_simulation *of)
{
    uint32_t slots = 1, depth = 1, shares = 1, instructions = 1;
    for (uint32_t p = 0; p < of->kinds * of->warps; p++) {
        slots = of->programs[p]->slots > slots ? of->programs[p]->slots : slots;
        depth = of->programs[p]->depth > depth ? of->programs[p]->depth : depth;
        shares = of->programs[p]->shares > shares ? of->programs[p]->shares : shares;
        for (uint32_t s = 0; s < of->programs[p]->count; s++)
            if (of->programs[p]->steps[s].instruction >= instructions)
                instructions = of->programs[p]->steps[s].instruction + 1;
    }
    *m = (struct machine){.of = of, .arena = arena, .observed_loop = FW_NONE};
    m->warp_count = of->resident * of->warps;
    m->instructions = instructions;
    m->warps = FW_ARRAY(arena, struct warp, m->warp_count);
    m->blocks = FW_ARRAY(arena, struct block, of->resident);
    m->free = FW_ARRAY(arena, double, of->schedulers);
    m->units = FW_ARRAY(arena, double, of->schedulers *FW_SM_UNIT_COUNT);
    m->last = FW_ARRAY(arena, uint32_t, of->schedulers);
    m->best = FW_ARRAY(arena, uint32_t, of->schedulers);
    m->best_time = FW_ARRAY(arena, double, of->schedulers);
    for (int level = 0; level < 2; level++) {
        uint32_t places = m->warp_count * instructions;
        m->misses[level] = FW_ARRAY(arena, double, places);
        for (uint32_t i = 0; i < places; i++)
            m->misses[level][i] = fmod(0.5 + 0.6180339887498949 * i, 1);
    }
    for (uint32_t w = 0; w < m->warp_count; w++) {
        m->warps[w].frames = FW_ARRAY(arena, struct frame, depth);
        m->warps[w].slots = FW_ARRAY(arena, double, slots);
        m->warps[w].causes = FW_ARRAY(arena, uint8_t, slots);
        m->warps[w].credits = FW_ARRAY(arena, double, shares);
    }
    for (uint32_t s = 0; s < SNAPSHOTS; s++)
        m->snapshots[s].positions = FW_ARRAY(arena, struct position, m->warp_count);
}

/* Sums over so many times as much work. */
static void multiply(struct fw_sm_result *result, double times)
{
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        result->busy[u] *= times;
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++)
        result->served[s] *= times;
    result->issued *= times;
}

/* All of so many blocks; what the limit of issues cuts off goes on at the rate so far. */
static void run(struct fw_sm_result *result, struct fw_arena *arena,
                const struct fw_sm_simulation *simulation, double blocks)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct machine *m = FW_NEW(arena, struct machine);
    open(m, arena, simulation);
    m->simulated = blocks;
    for (uint32_t b = 0; b < simulation->resident && b < blocks; b++) {
        machine_start_block(m, b, 0);
        machine_settle(m, b);
    }
    for (uint32_t s = 0; s < simulation->schedulers; s++)
        machine_find_best(m, s);
    while (m->ended < m->simulated) {
        uint32_t first = 0;
        for (uint32_t s = 1; s < simulation->schedulers; s++)
            if (m->best_time[s] < m->best_time[first])
                first = s;
        if (m->result.issues >= simulation->most_issues ||
            (m->best[first] == FW_NONE && !machine_release_any(m)))
            break;
        if (m->best[first] == FW_NONE)
            continue;
        double time = m->snapshot_count ? m->snapshots[m->snapshot_count - 1].time : -1;
        machine_issue(m, first);
        if (m->snapshot_count > 2 && m->snapshots[m->snapshot_count - 1].time > time)
            machine_skip_if_steady(m);
    }
    *result = m->result;
    result->cut = m->ended < m->simulated;
    result->cycles = m->last_end;
    if (result->cut) {
        double all = blocks * simulation->issues_per_block;
        double times = result->issued > 0 ? fmax(1, all / result->issued) : 1;
        result->cycles = m->now * times;
        multiply(result, times);
    }
    fw_arena_release(arena, mark);
}

/* Many blocks: one wave and three, which begin and end alike, differ by what two take in the
 * middle. */
void fw_sm_simulate(struct fw_sm_result *result, struct fw_arena *arena,
                    const struct fw_sm_simulation *simulation)
{
    const double blocks = ceil(simulation->blocks), resident = simulation->resident;
    const double some = WAVES_SIMULATED * resident;
    struct fw_sm_result first;
    if (blocks < some + resident) {
        run(result, arena, simulation, blocks);
        return;
    }
    run(result, arena, simulation, some);
    run(&first, arena, simulation, resident);
    double rate = fmax(0, result->cycles - first.cycles) / (some - resident);
    result->issues += first.issues;
    result->cycles += (blocks - some) * rate;
    multiply(result, blocks / some);
}
