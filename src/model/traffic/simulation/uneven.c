#include "uneven.h"

#include "warp.h"

#include <math.h>

enum {
    MOST_WARPS = 32,           /* of a block */
    MOST_COUNTED = 256 * 1024, /* warps of blocks by access, which bounds the work */
    CORNERS = 8
};

/* Shares that differ by less are those of launches whose blocks are alike. */
static const double HARDLY = 0.02;

/* The threads of a warp along the axes of a block, as a box: first to last. */
struct lanes {
    double first[3], last[3];
};

struct search {
    const struct fw_affine_accesses *accesses;
    uint32_t places, warps;
    double numbers[FW_LIFE_PLACES]; /* of blocks in launch order */
    struct lanes lanes[MOST_WARPS];
};

static struct lanes lanes_of(const struct fw_affine_accesses *accesses, uint32_t warp)
{
    uint64_t size = 1,
             threads = (uint64_t)accesses->block[0] * accesses->block[1] * accesses->block[2];
    uint64_t first = (uint64_t)warp * FW_WARP_THREADS, last = first + FW_WARP_THREADS - 1;
    struct lanes lanes;
    last = last < threads ? last : threads - 1;
    for (uint32_t d = 0; d < 3; d++) {
        uint64_t extent = accesses->block[d], from = first / size, to = last / size;
        bool whole = to - from >= extent || from % extent > to % extent;
        lanes.first[d] = whole ? 0 : (double)(from % extent);
        lanes.last[d] = whole ? (double)(extent - 1) : (double)(to % extent);
        size *= extent;
    }
    return lanes;
}

/* Whether a lane of the warp runs the access, by the bounds of its box. */
static bool runs(const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                 const double block[3], const struct lanes *lanes)
{
    for (uint32_t d = 0; d < 3; d++) {
        double begin = block[d] * accesses->block[d];
        if (begin + lanes->last[d] < (double)access->low[d] ||
            begin + lanes->first[d] >= (double)access->high[d])
            return false;
        if (access->last[d] && !access->merged[d] &&
            (lanes->last[d] < (double)access->first[d] ||
             lanes->first[d] >= (double)access->last[d]))
            return false;
    }
    return true;
}

/* Iterations that the longest lane of a warp has of an access's ragged loop; 1 without one. */
static double longest(const struct fw_affine_access *access, const double block[3],
                      const struct lanes *lanes)
{
    const struct fw_affine_ragged *ragged = &access->ragged;
    double thread[3], trips = ragged->any ? (double)access->trips[ragged->loop] : 1;
    if (!ragged->any)
        return 1;
    for (uint32_t d = 0; d < 3; d++)
        thread[d] =
            ragged->until.thread[d] - ragged->from.thread[d] > 0 ? lanes->last[d] : lanes->first[d];
    double from = fw_affine_slope_at(&ragged->from, block, thread);
    double until = fw_affine_slope_at(&ragged->until, block, thread);
    return fmax(0, fmin(until, trips) - fmax(from, 0));
}

static void block_at(double block[3], const struct fw_affine_accesses *accesses, double number)
{
    for (uint32_t d = 0; d < 3; d++) {
        block[d] = fmod(number, accesses->grid[d]);
        number = floor(number / accesses->grid[d]);
    }
}

/* Of a group of warps at a place; 1: what a warp of the launch executes in the mean. */
struct share {
    double work; /* of its warps together */
    double wait; /* of the warp that executes most */
};

/* By place and warp. */
struct executed {
    double at[FW_LIFE_PLACES][MOST_WARPS];
};

/* What the warps of a block execute of one access. */
static void count_block(double executed[MOST_WARPS], const struct search *search,
                        const struct fw_affine_access *access, double number)
{
    double block[3];
    block_at(block, search->accesses, number);
    for (uint32_t w = 0; w < search->warps; w++) {
        const struct lanes *lanes = &search->lanes[w];
        bool any = runs(access, search->accesses, block, lanes);
        executed[w] = any ? longest(access, block, lanes) : 0;
    }
}

/* Adds what the warps at all places execute of one access, as shares of its own mean. */
static void add_access(struct executed *sum, const struct search *search,
                       const struct fw_affine_access *access)
{
    struct executed one;
    double all = 0, executions = fw_affine_threads(access, search->accesses) *
                                 access->active_share * access->repeats;
    for (uint32_t l = 0; l < access->loops; l++)
        executions *= (double)access->trips[l];
    for (uint32_t p = 0; p < search->places; p++) {
        count_block(one.at[p], search, access, search->numbers[p]);
        for (uint32_t w = 0; w < search->warps; w++)
            all += one.at[p][w];
    }
    for (uint32_t p = 0; p < search->places; p++)
        for (uint32_t w = 0; w < search->warps; w++)
            sum->at[p][w] += all > 0 ? executions * one.at[p][w] / all : 0;
}

/* What all warps of a block execute of an access. */
static double sum_of_block(const struct search *search, const struct fw_affine_access *access,
                           double number)
{
    double executed[MOST_WARPS], sum = 0;
    count_block(executed, search, access, number);
    for (uint32_t w = 0; w < search->warps; w++)
        sum += executed[w];
    return sum;
}

/* Numbers of blocks, evenly from the launch's first to its last; if the block at a corner of the
 * grid executes more than all these, it takes the place nearest to it. */
static void find_places(struct search *search, const struct fw_affine_access *access)
{
    const uint32_t *grid = search->accesses->grid;
    double last = (double)fw_affine_blocks(search->accesses) - 1, most = 0, corner = -1;
    for (uint32_t p = 0; p < search->places; p++) {
        search->numbers[p] =
            search->places > 1 ? floor(p * last / (search->places - 1) + 0.5) : floor(last / 2);
        most = fmax(most, sum_of_block(search, access, search->numbers[p]));
    }
    for (uint32_t c = 0; c < CORNERS; c++) {
        double number = 0;
        for (uint32_t d = 3; d-- > 0;)
            number = number * grid[d] + (c >> d & 1 ? grid[d] - 1 : 0);
        double sum = sum_of_block(search, access, number);
        corner = sum > most ? number : corner;
        most = fmax(most, sum);
    }
    if (corner >= 0 && last > 0)
        search->numbers[(uint32_t)(corner / last * (search->places - 1) + 0.5)] = corner;
}

/* Shares of groups, each of neighbouring warps, of what all execute in the mean.  False: they are
 * alike. */
static bool share_out(struct share *share, const struct search *search, const struct executed *sum,
                      uint32_t groups)
{
    double all = 0, least = HUGE_VAL, most = 0;
    for (uint32_t p = 0; p < search->places; p++)
        for (uint32_t w = 0; w < search->warps; w++) {
            all += sum->at[p][w];
            least = fmin(least, sum->at[p][w]);
            most = fmax(most, sum->at[p][w]);
        }
    double mean = all / (search->places * search->warps);
    if (!(mean > 0) || most - least < HARDLY * mean)
        return false;
    for (uint32_t p = 0; p < search->places; p++)
        for (uint32_t g = 0; g < groups; g++) {
            uint32_t from = g * search->warps / groups, to = (g + 1) * search->warps / groups;
            struct share *one = &share[p * groups + g];
            *one = (struct share){0, 0};
            for (uint32_t w = from; w < to; w++) {
                one->work += sum->at[p][w] / mean / (to - from);
                one->wait = fmax(one->wait, sum->at[p][w] / mean);
            }
        }
    return true;
}

/* Shares of groups at each place, by what they execute of one load.  False, and nothing is set: it
 * has no loop whose trips depend on an index of the launch, or warps hardly differ. */
static bool find_shares(struct share *share, struct fw_life_uneven *uneven,
                        const struct fw_life *life, const struct fw_affine_accesses *accesses,
                        const uint32_t *which, uint32_t pieces)
{
    struct search search = {.accesses = accesses,
                            .places = uneven->places,
                            .warps = life->warps < MOST_WARPS ? (uint32_t)life->warps : MOST_WARPS};
    struct executed sum = {0};
    const struct fw_affine_access *ragged = NULL;
    uint32_t left = (MOST_COUNTED - uneven->counted) / (search.places * search.warps + 1);
    pieces = pieces < left ? pieces : left;
    for (uint32_t k = 0; k < pieces; k++) {
        const struct fw_affine_access *access = &accesses->at[which[k]];
        if (access->ragged.any &&
            (!ragged || access->trips[access->ragged.loop] > ragged->trips[ragged->ragged.loop]))
            ragged = access;
    }
    if (!ragged || life->groups > search.warps)
        return false;
    for (uint32_t w = 0; w < search.warps; w++)
        search.lanes[w] = lanes_of(accesses, w);
    find_places(&search, ragged);
    for (uint32_t k = 0; k < pieces; k++)
        add_access(&sum, &search, &accesses->at[which[k]]);
    uneven->counted += pieces * search.places * search.warps;
    return share_out(share, &search, &sum, life->groups);
}

struct fw_life_uneven *fw_uneven_new(struct fw_arena *arena, const struct fw_life *life,
                                     const struct fw_affine_accesses *accesses)
{
    uint32_t simulated = fw_life_simulated(life);
    bool any = false;
    for (uint32_t i = 0; i < accesses->count; i++)
        any |= accesses->at[i].ragged.any;
    if (!any)
        return NULL;
    struct fw_life_uneven *uneven = FW_NEW(arena, struct fw_life_uneven);
    uneven->places = simulated < FW_LIFE_PLACES ? simulated : FW_LIFE_PLACES;
    for (uint32_t p = 0; p < uneven->places; p++)
        for (uint32_t r = 0; r < FW_LIFE_ROUNDS; r++)
            for (uint32_t g = 0; g < FW_LIFE_GROUPS; g++)
                uneven->work[p][r][g] = uneven->latency[p][r][g] = 1;
    return uneven;
}

/* Cycles that a round takes of the resources of a multiprocessor. */
static double own_cycles(const struct fw_life_round *round)
{
    return round->cycles[FW_LIFE_ARITHMETIC] + round->cycles[FW_LIFE_WAVEFRONTS];
}

void fw_uneven_add(struct fw_life_uneven *uneven, const struct fw_life *life,
                   const struct fw_affine_accesses *accesses, const uint32_t *which,
                   uint32_t pieces, const struct fw_life_round *before, uint32_t first,
                   uint32_t count)
{
    struct share share[FW_LIFE_PLACES * FW_LIFE_GROUPS];
    bool found = find_shares(share, uneven, life, accesses, which, pieces);
    for (uint32_t r = first; r < first + count; r++)
        for (uint32_t g = 0; g < life->groups; g++) {
            const struct fw_life_round *round = &life->round[r][g];
            const struct fw_life_round *was = &before[(r - first) * FW_LIFE_GROUPS + g];
            double cycles = own_cycles(round), latency = round->latency;
            double work = cycles > 0 ? 1 - own_cycles(was) / cycles : 0;
            double wait = latency > 0 ? 1 - was->latency / latency : 0;
            for (uint32_t p = 0; p < uneven->places; p++) {
                const struct share *one = &share[p * life->groups + g];
                uneven->work[p][r][g] += work * ((found ? one->work : 1) - uneven->work[p][r][g]);
                uneven->latency[p][r][g] +=
                    wait * ((found ? one->wait : 1) - uneven->latency[p][r][g]);
            }
        }
}

void fw_uneven_end(struct fw_life_uneven *uneven, const struct fw_life *life)
{
    double mean = 0;
    for (uint32_t p = 0; p < uneven->places; p++) {
        uneven->block[p] = 0;
        for (uint32_t r = 0; r < life->rounds; r++)
            for (uint32_t g = 0; g < life->groups; g++)
                uneven->block[p] += uneven->latency[p][r][g] * life->round[r][g].latency +
                                    uneven->work[p][r][g] * own_cycles(&life->round[r][g]);
        mean += uneven->block[p] / uneven->places;
    }
    for (uint32_t p = 0; p < uneven->places; p++)
        uneven->block[p] = mean > 0 ? uneven->block[p] / mean : 1;
}
