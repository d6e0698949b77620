#include "rounds_internal.h"

#include <math.h>

bool planner_begins_access(const struct planner *planner, uint32_t l)
{
    const struct fw_affine_access *at = planner->accesses->at;
    const struct fw_load_order *order = planner->needs->order;
    return l == 0 || !order || !(order[planner->loads[l]].executions > 0) ||
           at[planner->loads[l]].kernel_access != at[planner->loads[l - 1]].kernel_access;
}

/* The share of a load's new sectors that L2 has neither. */
static double miss_share(const struct planner *planner, uint32_t access)
{
    return planner->news[access].fetched * planner->l2_miss_share[access];
}

bool planner_meets_new(const struct planner *planner, uint32_t access, uint32_t group)
{
    return (group + 0.5) / planner->life->groups > 1 - miss_share(planner, access);
}

/* Of the executions of a batch's load, whatever parts it has become, the share that are of this
 * one, or of all parts that are in its set. */
static double share_of(const struct planner *planner, const struct batch *batch, uint32_t l,
                       bool of_set)
{
    const uint32_t set = planner->news[planner->loads[l]].set;
    uint32_t begin = l;
    double all = 0, own = of_set ? 0 : planner->turns[planner->loads[l]];
    while (begin > batch->first && !planner_begins_access(planner, begin))
        begin--;
    for (uint32_t part = begin;
         part < batch->last && (part == begin || !planner_begins_access(planner, part)); part++) {
        const double turns = planner->turns[planner->loads[part]];
        all += turns;
        own += of_set && planner->news[planner->loads[part]].set == set ? turns : 0;
    }
    return own > 0 && all > 0 ? own / all : 1;
}

double planner_share_of_part(const struct planner *planner, const struct batch *batch, uint32_t l)
{
    return share_of(planner, batch, l, false);
}

/* What a batch that has any of them waits for loads that are generated uniformly, the first of
 * which is load `first`, beyond L1's latency.  Each of them may be the one that comes to a new
 * sector.  What the load-store unit has of the batch's data to process, it processes when they
 * come: data/h200/near, `rows`. */
static double wait_of_set(const struct planner *planner, const struct batch *batch, uint32_t first,
                          uint32_t group)
{
    const struct fw_round_needs *needs = planner->needs;
    uint32_t set = planner->news[planner->loads[first]].set;
    double rest = 1, wait = 0; /* the share of executions at which none behind came to a sector */
    for (uint32_t l = batch->last; l-- > first && rest > 0;) {
        const struct fw_new_share *news = &planner->news[planner->loads[l]];
        if (news->set != set)
            continue;
        const double part = share_of(planner, batch, l, false) / share_of(planner, batch, l, true);
        double moved = fmin(rest, batch->iterations * news->waited * part);
        bool far = planner_meets_new(planner, planner->loads[l], group);
        double latency = (far ? needs->latency_dram : needs->latency_l2) - needs->latency_l1;
        moved = news->split ? rest : moved;
        wait += moved * (news->split ? 1 : news->misses) * fmax(0, latency);
        rest -= moved;
    }
    return wait;
}

double planner_wait(const struct planner *planner, const struct batch *batch, uint32_t group)
{
    double wait = 0, rest = 1;
    uint32_t sets = 0;
    for (uint32_t l = batch->first; l < batch->last; l++) {
        uint32_t set = planner->news[planner->loads[l]].set, before = 0;
        while (before < sets && planner->waits[before].set != set)
            before++;
        struct set_wait *of = &planner->waits[before];
        if (before == sets) { /* the first of its set */
            *of = (struct set_wait){set, 0, wait_of_set(planner, batch, l, group)};
            sets++;
        }
        of->share = fmax(of->share, fmin(1, batch->iterations * share_of(planner, batch, l, true)));
    }
    while (sets && rest > 0) {
        uint32_t longest = 0;
        for (uint32_t s = 1; s < sets; s++)
            if (planner->waits[s].cycles > planner->waits[longest].cycles)
                longest = s;
        const struct set_wait of = planner->waits[longest];
        planner->waits[longest] = planner->waits[--sets];
        wait += fmin(rest, of.share) * of.cycles;
        rest -= of.share;
    }
    return planner->needs->latency_l1 + wait;
}

double planner_issue(const struct planner *planner, const struct batch *batch)
{
    const struct fw_life *life = planner->life;
    double loads = 0, least = fmax(1, life->warps / life->groups);
    for (uint32_t l = batch->first; l < batch->last; l++)
        loads += l == batch->first || planner_begins_access(planner, l);
    loads = fmax(0, loads * batch->iterations - 1);
    return loads * fmax(0, planner->needs->load_issue - least);
}

double planner_last(const struct planner *planner, const struct batch *batch)
{
    enum { MOST_LOADS = 256 };
    double loads = 0, sum = 0;
    for (uint32_t l = batch->first; l < batch->last; l++) {
        uint32_t load = planner->loads[l];
        loads += batch->iterations * planner->news[load].moved * miss_share(planner, load) *
                 share_of(planner, batch, l, false);
    }
    for (uint32_t n = 2; n <= MOST_LOADS && n <= loads; n++)
        sum += 1.0 / n;
    return planner->needs->spread * planner->needs->latency_dram * sum;
}
