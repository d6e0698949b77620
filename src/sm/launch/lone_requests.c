/* Requests of memory of one warp by itself. */
#include "lone_warp_internal.h"

#include <math.h>

void lone_ask(struct walk *walk, uint32_t which, double from, double work)
{
    const struct fw_lone_warp *of = walk->of;
    fw_in_step_ask(&walk->step, which, which < SERVERS ? of->block : of->block * of->schedulers,
                   from, work);
}

/* Whether an access misses this time: evenly, so that its share comes out. */
static bool misses(struct walk *walk, uint32_t level, uint32_t instruction, double share)
{
    double *credit = &walk->credits[CHANCES * instruction + level];
    walk->drawn |= share > 0 && share < 1;
    *credit += share;
    if (*credit < 1)
        return false;
    *credit -= 1;
    return true;
}

/* Books a server from a moment on; when it is done. */
static double serve(struct walk *walk, enum fw_sm_server server, double from, double cycles)
{
    if (!(cycles > 0))
        return from;
    walk->servers[server] = later(from, walk->servers[server]) + cycles;
    return walk->servers[server];
}

/* As lone_serve_lsu, of a request that `part` of the block's warps make. */
static double serve_lsu(struct walk *walk, double from, double cycles, bool of_shared, double part)
{
    static const double least_left = 1.0 / 24; /* as in simulate.h */
    if (of_shared && walk->ordered && walk->units[FW_SM_TENSOR] > from)
        cycles /= later(walk->leaves, least_left);
    walk->served[FW_SM_SERVER_LSU] += part * cycles;
    lone_ask(walk, SERVERS + FW_SM_SERVER_LSU, from, part * cycles);
    return serve(walk, FW_SM_SERVER_LSU, from, cycles);
}

double lone_serve_lsu(struct walk *walk, double from, double cycles, bool of_shared)
{
    return serve_lsu(walk, from, cycles, of_shared, 1);
}

/* The share of the block's warps that make a request: one orders a bulk copy for all of them. */
static double part_of(const struct walk *walk, const struct fw_sm_access *access)
{
    return access->of_block ? 1 / later(1, walk->of->block * walk->of->schedulers) : 1;
}

/* A number from 0 to 1, evenly over few and many requests, as in a simulation. */
static double draw(struct walk *walk)
{
    walk->drawn = true;
    walk->chance = fmod(walk->chance + 0.7548776662466927, 1);
    return walk->chance;
}

/* Whether the warp comes to lines that are new to it; else their data may be on their way. */
static bool comes_to_lines(struct walk *walk, const struct fw_sm_access *access,
                           uint32_t instruction)
{
    double *credit = &walk->lines[instruction].credit;
    if (!access->leader)
        return true;
    walk->drawn |= access->comes < 1;
    *credit += access->comes;
    if (*credit < 1)
        return false;
    *credit -= 1;
    return true;
}

/* What a request takes of each server behind the load-store unit, in the mean of all warps: of
 * lines that several come to one fetches them. */
static void count_served(struct walk *walk, const struct fw_sm_access *access)
{
    const double *cycles = access->cycles, part = part_of(walk, access);
    walk->served[FW_SM_SERVER_CONSTANT] += part * cycles[FW_SM_SERVER_CONSTANT];
    for (int s = FW_SM_SERVER_L2; s <= FW_SM_SERVER_ATOMICS; s++)
        walk->served[s] += part * access->miss_l1 * cycles[s];
    walk->served[FW_SM_SERVER_DRAM] +=
        part * access->miss_l1 * access->miss_l2 * cycles[FW_SM_SERVER_DRAM];
}

/* When the data of a request are there that the load-store unit has passed on: from the level that
 * they come from, with what they wait there beyond the least, in the mean (as simulate.h draws it).
 */
static double data_of(struct walk *walk, const struct fw_sm_access *access, uint32_t instruction,
                      double done)
{
    const double *cycles = access->cycles, lines = later(1, access->lines);
    const double share = access->leader ? access->fetches : access->miss_l1;
    const bool comes = comes_to_lines(walk, access, instruction);
    double *there = &walk->lines[instruction].there;
    done = serve(walk, FW_SM_SERVER_CONSTANT, done, cycles[FW_SM_SERVER_CONSTANT]);
    if (!comes)
        return later(done + access->latency[0], *there);
    if (!misses(walk, 0, instruction, share))
        return *there = done + access->latency[0];
    for (int s = FW_SM_SERVER_L2; s <= FW_SM_SERVER_ATOMICS; s++)
        done = serve(walk, s, done, cycles[s]);
    const bool dram = misses(walk, 1, instruction, access->miss_l2);
    const double far_share = 1 - pow(1 - access->far_share[dram], lines);
    if (access->far > 0 && misses(walk, 2, instruction, far_share))
        done += access->far;
    if (!dram) {
        if (access->slow > 0)
            done += draw(walk) > exp2(-lines) ? access->slow : -access->slow;
        return *there = done + access->latency[1];
    }
    done = serve(walk, FW_SM_SERVER_DRAM, done, cycles[FW_SM_SERVER_DRAM]);
    if (access->late > 0)
        done -= access->late * log(1 - pow(draw(walk), 1 / lines));
    return *there = done + access->latency[2];
}

double lone_request(struct walk *walk, const struct fw_step *step, double time, double *taken)
{
    const struct fw_sm_access *access = &walk->of->accesses[step->instruction];
    const double lsu = access->cycles[FW_SM_SERVER_LSU],
                 stores = access->cycles[FW_SM_SERVER_STORES];
    double done =
        serve_lsu(walk, time, lsu, access->wait == FW_SM_WAIT_SHORT, part_of(walk, access));
    /* A store leaves it when L2 takes those before it within its latency. */
    if (stores > 0 && !(access->reads > 0) &&
        walk->servers[FW_SM_SERVER_STORES] - access->latency[1] > done) {
        done = walk->servers[FW_SM_SERVER_STORES] - access->latency[1];
        walk->servers[FW_SM_SERVER_LSU] = later(walk->servers[FW_SM_SERVER_LSU], done);
    }
    *taken = done - lsu;
    count_served(walk, access);
    done = data_of(walk, access, step->instruction, done);
    walk->asks = time + walk->of->request;
    if (access->copies)
        walk->copies = later(walk->copies, done);
    if (access->reads > 0)
        walk->copies = later(walk->copies, time + access->reads);
    if (access->waits || access->copies)
        walk->last = later(walk->last, done);
    else
        walk->stored = later(walk->stored, done);
    return access->waits ? done : time;
}
