/* Issue: which warp comes next, and what its operation takes. */
#include "simulate_internal.h"

#include <math.h>

/* The busiest that a queue is taken to be: beyond it what waits is seen in the simulation itself.
 */
static const double BUSIEST = 0.95;

void machine_find_best(struct machine *m, uint32_t scheduler)
{
    double best = HUGE_VAL;
    uint32_t found = FW_NONE;
    const double *units = m->units + scheduler * FW_SM_UNIT_COUNT;
    for (uint32_t w = scheduler; w < m->warp_count; w += m->of->schedulers) {
        const struct warp *warp = &m->warps[w];
        if (!warp->alive || warp->at_barrier)
            continue;
        const struct fw_step *step = &warp->program->steps[warp->at];
        const struct fw_sm_operation *operation = &m->of->costs->operations[step->operation];
        double unit = units[operation->unit];
        if (operation->either)
            unit = fmin(units[FW_SM_FMA], units[FW_SM_ALU]);
        double time = fmax(fmax(warp->ready, m->free[scheduler]), unit);
        if (time > best)
            continue;
        bool better = time < best || w == m->last[scheduler] ||
                      (found != m->last[scheduler] && warp->number > m->warps[found].number);
        if (better) {
            best = time;
            found = w;
        }
    }
    m->best[scheduler] = found;
    m->best_time[scheduler] = best;
}

/* Books a server from a moment on; when it is done. */
static double serve(struct machine *m, enum fw_sm_server server, double from, double cycles)
{
    double begin = fmax(from, m->servers[server]);
    m->servers[server] = begin + cycles;
    m->result.served[server] += cycles;
    return begin + cycles;
}

/* What a request to device memory waits for others beyond the multiprocessor's own, which are
 * simulated: more, the busier it was so far, as in a queue of requests that come by chance. */
static double queueing(const struct machine *m, double at)
{
    double busy = fmin(m->result.served[FW_SM_SERVER_DRAM], BUSIEST * at);
    return busy > 0 ? m->of->queue * busy / (at - busy) : 0;
}

/* Whether a warp's access misses this time: evenly, so that its share comes out; accesses and
 * warps begin at different places of that. */
static bool misses(struct machine *m, int level, uint32_t place, double share)
{
    double *credit = &m->misses[level][place];
    m->expected[level] += share;
    m->late[level] -= share;
    *credit += share;
    if (*credit < 1)
        return false;
    *credit -= 1;
    m->late[level] += 1;
    return true;
}

/* A request of a warp: when its data are there (a load), or when it is on its way. */
static double request(struct machine *m, uint32_t instruction, double time, enum fw_sm_wait *wait,
                      struct warp *warp)
{
    const struct fw_sm_access *access = &m->of->accesses[instruction];
    if (access->waits && access->wait == FW_SM_WAIT_LONG)
        time = fmax(time, m->blocks[warp->block].loads);
    double done = serve(m, FW_SM_SERVER_LSU, time, access->wavefronts), late = 0;
    uint32_t level = 0;
    uint32_t place = (uint32_t)(warp - m->warps) * m->instructions + instruction;
    if (misses(m, 0, place, access->miss_l1)) {
        level = 1;
        done = serve(m, FW_SM_SERVER_L2, done, access->l2);
        if (misses(m, 1, place, access->miss_l2)) {
            level = 2;
            done = serve(m, FW_SM_SERVER_DRAM, done, access->dram);
            late = queueing(m, done);
        }
    }
    *wait = access->wait;
    done += access->latency[level] + late;
    warp->last = fmax(warp->last, done);
    return access->waits ? done : time;
}

void machine_issue(struct machine *m, uint32_t scheduler)
{
    const uint32_t w = m->best[scheduler];
    struct warp *warp = &m->warps[w];
    const struct fw_step *step = &warp->program->steps[warp->at];
    const struct fw_sm_operation *operation = &m->of->costs->operations[step->operation];
    double time = m->best_time[scheduler], *units = m->units + scheduler * FW_SM_UNIT_COUNT;
    enum fw_sm_unit unit = operation->unit;
    if (operation->either)
        unit = units[FW_SM_FMA] < units[FW_SM_ALU] ? FW_SM_FMA : FW_SM_ALU;
    double interval = operation->either && unit == FW_SM_FMA ? 1 : operation->interval;
    m->now = fmax(m->now, time);
    /* What the warp waited for since it issued last. */
    double slot = fmax(warp->ready, fmin(time, units[unit]));
    m->result.stalls[warp->why] += warp->ready - warp->since;
    m->result.stalls[FW_SM_STALL_MATH] += slot - warp->ready;
    m->result.stalls[FW_SM_STALL_NOT_SELECTED] += time - slot;
    m->result.stalls[FW_SM_STALL_SELECTED] += 1;
    m->free[scheduler] = time + 1;
    m->last[scheduler] = w;
    m->result.busy[FW_SM_NONE] += 1;
    m->result.issued += 1;
    m->result.issues++;
    double there = time + operation->latency;
    enum fw_sm_wait wait = operation->wait;
    if (operation->memory) {
        there = request(m, step->instruction, time, &wait, warp);
    } else if (unit == FW_SM_LSU) {
        there = serve(m, FW_SM_SERVER_LSU, time, interval) + operation->latency;
    } else if (unit != FW_SM_NONE) {
        units[unit] = time + interval;
        m->result.busy[unit] += interval;
    }
    warp->slots[step->slot] = there;
    warp->causes[step->slot] = (uint8_t)wait;
    warp->last = fmax(warp->last, there);
    warp->since = time + 1;
    warp->at++;
    machine_advance(m, w);
    machine_settle(m, warp->block);
    machine_find_best(m, scheduler);
}
