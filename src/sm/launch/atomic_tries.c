/* Atomic operations of shared memory that the machine has none for: each is a loop that loads a
 * word, computes, and exchanges it if nobody has changed it (LDS, FADD, ATOMS.CAST, a comparison
 * and a branch; ptxas 13.0 for sm_90).
 *
 * A try lets one lane of each bank through, so that a warp goes round as often as lanes lie in one
 * bank at the most.  A try fails as well if another warp of the block has written the word since it
 * was loaded.  Where others' successes come at any moment, a try of which `others` would come while
 * a warp goes round once without them, for the share `window` of a round, takes x rounds, with
 * x = exp(others * window / x).  Counters of an H200: `autocorrelate` (data/h200/programs-seventh,
 * eight warps, one word) takes 87 to 94 rounds an operation, 100 by this; `accumulate_groups`
 * beside it 13.5 and 14.2, `aggregate_groups` (data/h200/programs-fourth) 4.2. */
#include "access_costs_internal.h"

#include "random_address.h"
#include "warp.h"

#include <math.h>
#include <string.h>

double fw_atomic_rounds(double lanes, double others, double window)
{
    enum { STEPS = 40 };
    const double most = lanes > 0 ? others * window / lanes : 0;
    double x = 1;
    for (int s = 0; s < STEPS && most > 0; s++) /* Newton on x ln x = most, from above */
        x = s ? fmax(1, (x + most) / (1 + log(x))) : 1 + most;
    return fmax(1, lanes) * x;
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

/* Whether all threads of a block come to one address. */
static bool is_of_block(const struct costing *c, const struct fw_access *access)
{
    const struct fw_trace_question *question = c->work->question;
    const uint32_t *size = question->launch->block;
    const struct fw_point first = {
        .iterations = FW_ARRAY(c->work->arena, int64_t, question->kernel->loop_count + 1)};
    struct fw_point other = first;
    int64_t a, b;
    if (access->data_dependent || !fw_bound_evaluate(question->bound, access->offset, &first, &a))
        return false;
    for (int d = 0; d < 3; d++) { /* the last thread, and one beside the first along each axis */
        other = first;
        other.thread[d] = size[d] > 1;
        if (!fw_bound_evaluate(question->bound, access->offset, &other, &b) || a != b)
            return false;
    }
    for (int d = 0; d < 3; d++)
        other.thread[d] = size[d] - 1;
    return fw_bound_evaluate(question->bound, access->offset, &other, &b) && a == b;
}

/* Lanes of one other warp that come to a lane's word, in the mean. */
static double lanes_on_word(const struct costing *c, uint32_t index)
{
    const struct fw_trace_question *question = c->work->question;
    const struct fw_access *access = &question->kernel->accesses[index];
    const double extent =
        fw_random_access_extent(question->kernel, question->launch, c->sampling.data, index);
    if (extent > 0)
        return fmin(FW_WARP_THREADS, FW_WARP_THREADS * fmax(1, access->bytes) / extent);
    return is_of_block(c, access) ? FW_WARP_THREADS : 0;
}

double costing_tries(struct costing *c, struct fw_sm_access *to, uint32_t instruction)
{
    struct fw_trace_work *work = c->work;
    const uint32_t index = work->question->kernel->schedule[instruction].access;
    const struct one_request *one = &c->requests[index];
    const double passes = (one->passes + 1) / 2; /* lanes of a bank that are left, in the mean */
    const double exchange = fw_trace_figure(work, FW_FIGURE_LATENCY_ATOMIC_SHARED) +
                            (passes - 1) * fw_trace_figure(work, FW_FIGURE_LATENCY_SHARED_CONFLICT);
    const double computes =
        work->latency_shared +
        fw_trace_figure(work, work->question->kernel->accesses[index].type == FW_TYPE_F64
                                  ? FW_FIGURE_LATENCY_F64_FMA
                                  : FW_FIGURE_LATENCY_F32);
    const double round = computes + exchange + fw_trace_figure(work, FW_FIGURE_LATENCY_CONDITION) +
                         fw_trace_figure(work, FW_FIGURE_LATENCY_BRANCH);
    const double warps = fmin(work->traces.warps, c->warps[index] / fmax(1, work->grid));
    to->latency[0] = computes + exchange;
    to->cycles[FW_SM_SERVER_LSU] = 1;
    to->waits = true; /* for whether it goes round again */
    /* A word is written when half of the exchange is over. */
    return fw_atomic_rounds(one->passes, fmax(0, warps - 1) * lanes_on_word(c, index),
                            round > 0 ? (computes + exchange / 2) / round : 0);
}
