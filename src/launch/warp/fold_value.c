/* What loops carry from one iteration to the next (FOLD), at a point of a bound launch: the
 * iterations are gone through, once for all threads and blocks among which the step does not
 * differ.  Whoever asks for one iteration after another, as a loop's condition does, goes on from
 * the last; the first ones are kept, as lanes ask for them one lane after the other. */
#include "bound_internal.h"

#include "number.h"
#include "scalar.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 512,
    STEPS = 64,
    KEPT = 64,
    MOST_SUMS = 32,   /* of an iteration */
    SUMS_A_STEP = 32, /* iterations of them take as long as one of another step */
    FEW_SUMS = 1
};

/* What a step differs by beside the launch and what it goes on from. */
struct fold_step {
    fw_expression next;
    bool found;
    bool plain;   /* it hangs on no iteration but its own */
    bool settles; /* nor on that: where it leaves a value as it is, it does so from then on */
    bool axis[6]; /* block x, y, z and thread x, y, z */
};

/* Values that were reached: what they are of, where, and how far. */
struct fold_memo {
    uint32_t binding; /* 0: nothing is kept here */
    fw_expression next;
    int64_t start;
    uint32_t index[6]; /* by axis; 0 where the step does not differ by it */
    int64_t iteration, value;
    uint32_t count; /* of the first values, from 0 */
    int64_t first[KEPT];
};

struct fold_memos {
    struct fold_step steps[STEPS];
    struct fold_memo at[ENTRIES];
};

static bool is_of_loop(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_ITERATION || node->kind == FW_ATOM_TRIPS ||
           node->kind == FW_ATOM_AT;
}

static bool is_carried(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const uint32_t *number = user;
    (void)atom;
    return node->kind == FW_ATOM_CARRIED && node->c == *number;
}

static bool is_carried_iteration(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_CARRIED && node->a != 0;
}

/* Notes by which axes of blocks and threads an atom differs; goes on. */
static bool note_axis(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct fold_step *step = user;
    (void)atom;
    if (node->kind != FW_ATOM_LAUNCH)
        return false;
    if (node->a <= FW_THREAD_Z)
        step->axis[node->a] = true;
    if (node->a == FW_LANE || node->a == FW_WARP)
        step->axis[FW_THREAD_X] = step->axis[FW_THREAD_Y] = step->axis[FW_THREAD_Z] = true;
    return false;
}

static const struct fold_step *step_of(struct fw_bound *bound, fw_expression next)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    struct fold_step *step = &bound->folds->steps[next % STEPS];
    if (step->found && step->next == next)
        return step;
    *step = (struct fold_step){.next = next, .found = true};
    step->plain = !fw_expression_any(pool, next, is_of_loop, NULL);
    step->settles = step->plain && !fw_expression_any(pool, next, is_carried_iteration, NULL);
    fw_expression_any(pool, next, note_axis, step);
    return step;
}

/* The memory for a step that is entered with `start` at this point, emptied if it is of another;
 * NULL: the step hangs on iterations of other loops. */
static struct fold_memo *memo_of(struct fw_bound *bound, fw_expression next, int64_t start,
                                 const struct fw_point *point)
{
    if (bound->folding || bound->supposing)
        return NULL;
    if (!bound->folds)
        bound->folds = calloc(1, sizeof(*bound->folds));
    if (!bound->folds)
        return NULL;
    const struct fold_step *step = step_of(bound, next);
    if (!step->plain)
        return NULL;
    uint32_t index[6], hash = (next ^ (uint32_t)start) * 2654435761u;
    for (uint32_t a = 0; a < 6; a++) {
        index[a] = !step->axis[a] ? 0 : a < 3 ? point->block[a] : point->thread[a - 3];
        hash = (hash ^ index[a]) * 2654435761u;
    }
    struct fold_memo *memo = &bound->folds->at[hash >> 16 & (ENTRIES - 1)];
    if (memo->binding == bound->binding && memo->next == next && memo->start == start &&
        memcmp(memo->index, index, sizeof(index)) == 0)
        return memo;
    memo->binding = bound->binding;
    memo->next = next;
    memo->start = memo->value = memo->first[0] = start;
    memcpy(memo->index, index, sizeof(index));
    memo->iteration = 0;
    memo->count = 1;
    return memo;
}

/* Goes on from the furthest iteration that is kept and not beyond `count`. */
static void go_on(struct fold_frame *frame, const struct fold_memo *memo, int64_t count)
{
    if (memo->iteration <= count) {
        frame->value = memo->value;
        frame->iteration = memo->iteration;
    }
    int64_t last = (int64_t)memo->count - 1 < count ? (int64_t)memo->count - 1 : count;
    if (last > frame->iteration) {
        frame->value = memo->first[last];
        frame->iteration = last;
    }
}

/* A sum in floating point of what a loop carries and of numbers that do not change in it, in the
 * order in which an iteration adds them. */
struct sums {
    enum fw_type type;
    bool flush;
    uint32_t count;
    double added[MOST_SUMS];
};

/* The one atom that an expression is; FW_NO_EXPRESSION: it is more. */
static fw_atom only_atom(const struct fw_pool *pool, fw_expression a)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    return node->term_count == 1 && node->terms[0].atom_count == 1 &&
                   node->terms[0].coefficient == 1
               ? node->terms[0].atoms[0]
               : FW_NO_EXPRESSION;
}

static double number_of(int64_t bits, enum fw_type type)
{
    return type == FW_TYPE_F32 ? (double)from32((uint32_t)bits) : from64((uint64_t)bits);
}

/* Whether a step is such a sum of the FOLD `number`, of numbers that are known at the point. */
static bool find_sums(struct sums *sums, struct fw_bound *bound, fw_expression next,
                      uint32_t number, const struct fw_point *point)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    *sums = (struct sums){0};
    for (;;) {
        const fw_atom atom = only_atom(pool, next);
        struct fw_scalar scalar;
        fw_expression operands[3];
        if (atom == FW_NO_EXPRESSION)
            return false;
        const struct fw_atom_node *node = &pool->atoms.at[atom];
        if (node->kind == FW_ATOM_CARRIED)
            break;
        if (node->kind != FW_ATOM_SCALAR || !fw_scalar_of(pool, node, &scalar, operands) ||
            (scalar.operation != FW_SCALAR_ADD && scalar.operation != FW_SCALAR_SUB) ||
            (scalar.type != FW_TYPE_F32 && scalar.type != FW_TYPE_F64) || scalar.saturate ||
            (scalar.rounding != FW_ROUND_NONE && scalar.rounding != FW_ROUND_RN) ||
            (sums->count > 0 && (scalar.type != sums->type || scalar.flush != sums->flush)) ||
            sums->count == MOST_SUMS)
            return false;
        const bool carried_first = fw_expression_any(pool, operands[0], is_carried, &number);
        int64_t bits;
        if ((!carried_first && scalar.operation == FW_SCALAR_SUB) ||
            fw_expression_any(pool, operands[carried_first], is_carried, &number) ||
            fw_expression_any(pool, operands[carried_first], is_of_loop, NULL) ||
            !bound_part_at(bound, operands[carried_first], point, &bits))
            return false;
        const double added = number_of(bits, (enum fw_type)scalar.type);
        sums->type = (enum fw_type)scalar.type;
        sums->flush = scalar.flush;
        sums->added[sums->count++] = scalar.operation == FW_SCALAR_SUB ? -added : added;
        next = operands[!carried_first];
    }
    return sums->count > 0;
}

/* The bits of a number after `times` iterations that add these sums to it, each rounded. */
static int64_t sum_up(const struct sums *sums, int64_t bits, int64_t times)
{
    const bool single = sums->type == FW_TYPE_F32;
    double sum = number_of(bits, sums->type);
    for (int64_t i = 0; i < times; i++)
        for (uint32_t s = sums->count; s-- > 0;) {
            sum += sums->added[s]; /* of two f32 exact enough in f64 to be rounded again */
            sum = single ? (double)(float)sum : sum;
            if (sums->flush && fabs(sum) < (single ? (double)FLT_MIN : DBL_MIN))
                sum = 0;
        }
    return fw_scalar_bits(sums->type, sum);
}

bool bound_fold_at(struct fw_bound *bound, const struct fw_atom_node *node,
                   const struct fw_point *point, int64_t *value)
{
    fw_expression next, times;
    int64_t count, start;
    if (!fw_fold_of(&bound->kernel->pool, node, &next, &times) ||
        !bound_part_at(bound, times, point, &count) ||
        !bound_part_at(bound, node->a, point, &start) || count < 0)
        return false;
    bool known = true;
    if (bound_course_at(bound, node->c, next, start, count, point, value, &known))
        return known;
    struct fold_memo *memo = memo_of(bound, next, start, point);
    struct fold_frame frame = {node->c, start, 0, bound->folding};
    if (memo)
        go_on(&frame, memo, count);
    const uint64_t outer = bound->point;
    struct sums sums;
    if (count - frame.iteration > FEW_SUMS && find_sums(&sums, bound, next, node->c, point)) {
        const uint64_t steps = 1 + (uint64_t)(count - frame.iteration) / SUMS_A_STEP;
        known = bound->fold_steps >= steps;
        bound->fold_steps -= known ? steps : bound->fold_steps;
        if (known)
            frame.value = sum_up(&sums, frame.value, count - frame.iteration);
        if (known)
            frame.iteration = count;
    }
    bound->folding = &frame;
    for (; known && frame.iteration < count; frame.iteration += known) {
        bound_begin_point(bound);
        known = bound->fold_steps > 0 && bound_part_at(bound, next, point, value);
        bound->fold_steps -= bound->fold_steps > 0;
        if (known && memo && *value == frame.value && step_of(bound, next)->settles)
            frame.iteration = count - 1;
        if (known)
            frame.value = *value;
        if (known && memo && memo->count < KEPT && frame.iteration + 1 == memo->count)
            memo->first[memo->count++] = frame.value;
    }
    bound->folding = frame.outer;
    bound->point = outer;
    if (memo && frame.iteration > memo->iteration) {
        memo->value = frame.value;
        memo->iteration = frame.iteration;
    }
    *value = frame.value;
    return known;
}

bool bound_carried_at(const struct fw_bound *bound, const struct fw_atom_node *node, int64_t *value)
{
    const struct fold_frame *frame = bound->folding;
    while (frame && frame->number != node->c)
        frame = frame->outer;
    if (frame)
        *value = node->a ? frame->iteration : frame->value;
    return frame != NULL;
}
