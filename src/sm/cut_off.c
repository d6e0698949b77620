/* What the limit of issues cuts off of a simulation, and how long it takes.
 *
 * How far each warp has come tells what is left.  Of this, the unit or server that has most to do
 * takes as long as the busiest so far took for as much.  Where all goes on in the same proportions,
 * that is the mean rate so far; loops that are still to come may ask for other units and servers
 * than those that were gone through.  A loop that is over says nothing of how busy these let units
 * be: where all blocks have begun, what was done since half the limit stands for the rest instead
 * of all that was done, if more of it is of the loops that are left.  (Blocks that have yet to
 * begin go through all loops, beside others that are in other ones.) */
#include "simulate_internal.h"

#include <math.h>

/* The later half of a simulation stands for what is left where it is less unlike it in its loops
 * than this share of how unlike the whole is, which is steadier. */
static const double LESS_UNLIKE = 0.5;

/* Adds what a warp that is in its program has still to do. */
static void add_warp(const struct machine *m, struct rest *rest, const struct warp *warp)
{
    for (uint32_t f = 0; f < warp->frame_count; f++)
        rest->loops[f] = (struct fw_program_place){warp->frames[f].step, warp->frames[f].trips,
                                                   warp->frames[f].round};
    fw_warp_program_rest(rest->busy, rest->by_loop, warp->program, m->of->costs, warp->at,
                         rest->loops, warp->frame_count);
}

/* Adds blocks from their beginning: those of numbers below `begun`, and so many others, which are
 * as those of the launch in the mean. */
static void add_blocks(const struct machine *m, struct rest *rest, double begun, double others)
{
    const struct fw_sm_simulation *of = m->of;
    double issues = 0;
    for (uint32_t p = 0; p < of->kinds * of->warps; p++)
        issues += fw_warp_program_issues(of->programs[p]);
    for (uint32_t p = 0; p < of->kinds * of->warps && issues > 0; p++) {
        const double times = ceil(fmax(0, begun - p / of->warps) / of->kinds) +
                             others * of->issues_per_block / issues;
        double busy[FW_SM_UNIT_COUNT] = {0};
        double *by_loop = FW_ARRAY(m->arena, double, m->common->loops);
        fw_warp_program_rest(busy, by_loop, of->programs[p], of->costs, 0, NULL, 0);
        for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
            rest->busy[u] += busy[u] * times;
        for (uint32_t l = 0; l < m->common->loops; l++)
            rest->by_loop[l] += by_loop[l] * times;
    }
}

static void open_rest(const struct machine *m, struct rest *rest, double time)
{
    *rest = (struct rest){.time = time};
    rest->by_loop = FW_ARRAY(m->arena, double, m->common->loops);
    rest->loops = FW_ARRAY(m->arena, struct fw_program_place, m->common->depth);
    for (int s = 0; s < FW_SM_SERVER_COUNT && m->of->served_per_block; s++)
        rest->served[s] = m->simulated * m->of->served_per_block[s];
}

void machine_note_rest(const struct machine *m, struct rest *rest)
{
    open_rest(m, rest, m->now);
    for (uint32_t w = 0; w < m->warp_count; w++)
        if (m->warps[w].alive)
            add_warp(m, rest, &m->warps[w]);
    if (m->started < m->simulated)
        add_blocks(m, rest, 0, m->simulated - m->started);
    for (int s = 0; s < FW_SM_SERVER_COUNT && m->of->served_per_block; s++)
        rest->served[s] -= m->result.served[s];
}

/* Cycles of what is left, by what was done since a moment before. */
static double at_rate_since(const struct machine *m, const struct rest *before,
                            const struct rest *left)
{
    const double schedulers = m->of->schedulers;
    double busiest = 0, rest = 0;
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++) {
        if (u == FW_SM_LSU)
            continue; /* a server */
        busiest = fmax(busiest, (before->busy[u] - left->busy[u]) / schedulers);
        rest = fmax(rest, left->busy[u] / schedulers);
    }
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++) {
        busiest = fmax(busiest, before->served[s] - left->served[s]);
        rest = fmax(rest, left->served[s]);
    }
    return busiest > 0 ? (left->time - before->time) * rest / busiest : 0;
}

/* The share of what was done since a moment before that is of the loops of what is left, each as
 * much as it is of that. */
static double likeness(const struct machine *m, const struct rest *before, const struct rest *left)
{
    double done = 0, rest = 0, alike = 0;
    for (uint32_t l = 0; l < m->common->loops; l++) {
        done += before->by_loop[l] - left->by_loop[l];
        rest += left->by_loop[l];
    }
    for (uint32_t l = 0; l < m->common->loops && done > 0 && rest > 0; l++)
        alike += fmin((before->by_loop[l] - left->by_loop[l]) / done, left->by_loop[l] / rest);
    return alike;
}

double machine_rest(const struct machine *m, double *alike)
{
    struct rest begun, left;
    open_rest(m, &begun, 0);
    add_blocks(m, &begun, m->started, m->simulated - m->started);
    machine_note_rest(m, &left);
    const bool all_have_begun = m->started >= m->simulated;
    const double whole = likeness(m, &begun, &left);
    const double half = m->half.by_loop ? likeness(m, &m->half, &left) : 0;
    const bool later_half = all_have_begun && 1 - half < LESS_UNLIKE * (1 - whole);
    if (alike)
        *alike = later_half ? half : whole;
    return fmax(0, at_rate_since(m, later_half ? &m->half : &begun, &left));
}
