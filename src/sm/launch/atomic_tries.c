/* Atomic operations of shared memory that the machine has none for: each is a loop that loads a
 * word, computes, and exchanges it if nobody has changed it (LDS, FADD, ATOMS.CAST, a comparison
 * and a branch; ptxas 13.0 for sm_90).
 *
 * A try lets one lane of each bank through; of lanes with eight bytes, two of different words.  A
 * try fails as well if another warp of the block has written the word since it was loaded.  After a
 * write, the first warp that loads the word again is the next to write it, a `window` of a round
 * later: a warp alone loads it after the rest of its round, and of n warps that come at any moment
 * the first does after an n-th of that.  For each of its own writes a warp waits for one of each
 * other, so that it goes round
 *
 *     n (window + (1 - window) / n) = 1 + (n - 1) window
 *
 * times.  Recordings (data/h200/exchanges) lie on both sides of it: warps that begin together and
 * do the same stay together up to eight of them, and take n rounds each, and such that have come
 * apart take turns, and go round n times `window`, or once. */
#include "access_costs_internal.h"

#include "random_address.h"
#include "warp.h"

#include <math.h>
#include <string.h>

enum { INSTRUCTIONS = 5 }; /* of a round, each a cycle of its warp at least */

double fw_atomic_rounds(double lanes, double rivals, double window)
{
    return fmax(1, lanes) * (1 + fmax(0, rivals) * window);
}

bool costing_is_tried(const struct costing *c, uint32_t instruction)
{
    const struct fw_scheduled *at = &c->work->question->kernel->schedule[instruction];
    bool exchanges = false, branches = false;
    for (uint32_t m = 0; m < at->machine_count; m++) {
        exchanges |= strcmp(at->machine[m].name, "ATOMS") == 0;
        branches |= strcmp(at->machine[m].name, "BRA") == 0;
    }
    return exchanges && branches;
}

static void place_thread(struct fw_point *point, const uint32_t block[3], uint32_t thread)
{
    point->thread[0] = thread % block[0];
    point->thread[1] = thread / block[0] % block[1];
    point->thread[2] = thread / block[0] / block[1];
}

/* The addresses of a warp's lanes in the first block; how many lanes there are, 0: some are not
 * known. */
static uint32_t find_places(int64_t at[FW_WARP_THREADS], const struct costing *c,
                            const struct fw_access *access, uint32_t warp)
{
    const struct fw_trace_question *question = c->work->question;
    const uint32_t *block = question->launch->block;
    const uint32_t begin = warp * FW_WARP_THREADS, end = block[0] * block[1] * block[2];
    struct fw_point point = {
        .iterations = FW_ARRAY(c->work->arena, int64_t, question->kernel->loop_count + 1)};
    uint32_t lanes = 0;
    for (; lanes < FW_WARP_THREADS && begin + lanes < end; lanes++) {
        place_thread(&point, block, begin + lanes);
        if (!fw_bound_evaluate(question->bound, access->offset, &point, &at[lanes]))
            return 0;
    }
    return lanes;
}

static double pairs_on_word(const int64_t *one, uint32_t ones, const int64_t *other,
                            uint32_t others)
{
    double count = 0;
    for (uint32_t i = 0; i < ones; i++)
        for (uint32_t k = 0; k < others; k++)
            count += one[i] == other[k];
    return count;
}

/* How lanes of warps meet on words. */
struct meeting {
    double own;    /* lanes of a warp on a lane's word, itself counted, in the mean */
    double others; /* lanes of one other warp on it */
};

/* By the addresses of the first warp and of three others.  Lanes that are not there count. */
static struct meeting meet_by_address(const struct costing *c, const struct fw_access *access)
{
    const uint32_t *block = c->work->question->launch->block;
    const uint32_t warps = (block[0] * block[1] * block[2] + FW_WARP_THREADS - 1) / FW_WARP_THREADS;
    const uint32_t others[] = {1, warps / 2, warps - 1};
    const size_t count = warps > 1 ? sizeof(others) / sizeof(others[0]) : 0;
    int64_t own[FW_WARP_THREADS], at[FW_WARP_THREADS];
    const uint32_t lanes = access->data_dependent ? 0 : find_places(own, c, access, 0);
    struct meeting meeting = {.own = 1};
    if (!lanes)
        return meeting;
    meeting.own = pairs_on_word(own, lanes, own, lanes) / lanes;
    for (size_t o = 0; o < count; o++)
        meeting.others += pairs_on_word(own, lanes, at, find_places(at, c, access, others[o])) /
                          lanes / (double)count;
    return meeting;
}

static struct meeting meeting_of(const struct costing *c, uint32_t index)
{
    const struct fw_trace_question *question = c->work->question;
    const struct fw_access *access = &question->kernel->accesses[index];
    const double extent =
        fw_random_access_extent(question->kernel, question->launch, c->sampling.data, index);
    if (!(extent > 0))
        return meet_by_address(c, access);
    const double chance = fmin(1, fmax(1, access->bytes) / extent);
    return (struct meeting){1 + (FW_WARP_THREADS - 1) * chance, FW_WARP_THREADS * chance};
}

double costing_tries(struct costing *c, struct fw_sm_access *to, uint32_t instruction)
{
    struct fw_trace_work *work = c->work;
    const uint32_t index = work->question->kernel->schedule[instruction].access;
    const struct fw_access *access = &work->question->kernel->accesses[index];
    const struct meeting meeting = meeting_of(c, index);
    const double passes = fmax(1, c->requests[index].passes);
    const double own = fmin(passes, meeting.own);
    /* Halves of a warp come one after the other with eight bytes a lane, and each has its tries. */
    const double lanes = fmax(own, passes * fmin(1, 4.0 / fmax(1, access->bytes)));
    const double words = (passes / own + 1) / 2; /* of a bank that are left, in the mean */
    const double exchange = fw_trace_figure(work, FW_FIGURE_LATENCY_EXCHANGE_SHARED) +
                            (words - 1) * fw_trace_figure(work, FW_FIGURE_LATENCY_SHARED_CONFLICT);
    const double computes =
        work->latency_shared + fw_trace_figure(work, access->type == FW_TYPE_F64
                                                         ? FW_FIGURE_LATENCY_F64_FMA
                                                         : FW_FIGURE_LATENCY_F32);
    const double round = computes + exchange + fw_trace_figure(work, FW_FIGURE_LATENCY_CONDITION) +
                         fw_trace_figure(work, FW_FIGURE_LATENCY_BRANCH) + INSTRUCTIONS;
    const double warps = fmin(work->traces.warps, c->warps[index] / fmax(1, work->grid));
    to->latency[0] = computes + exchange;
    to->cycles[FW_SM_SERVER_LSU] = words;
    to->waits = true; /* for whether it goes round again */
    /* A word is written when half of the exchange is over. */
    return fw_atomic_rounds(lanes, fmax(0, warps - 1) * fmin(1, meeting.others / lanes),
                            round > 0 ? (computes + exchange / 2) / round : 0);
}
