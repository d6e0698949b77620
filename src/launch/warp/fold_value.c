/* What loops carry from one iteration to the next (FOLD), at a point of a bound launch: the
 * iterations are gone through.  Whoever asks for one iteration after another, as a loop's condition
 * does, goes on from the last. */
#include "bound_internal.h"

#include <stdlib.h>
#include <string.h>

/* Values that were reached, by thread: what they are of, and how far. */
struct fold_memo {
    uint32_t binding;
    fw_expression next;
    bool plain; /* the step hangs on no iteration but its own */
    int64_t start, iteration, value;
    uint32_t block[3], thread[3];
};

enum { ENTRIES = 512 };

/* A value that a loop carries, in an iteration that is being evaluated. */
struct fold_frame {
    uint32_t number;
    int64_t value, iteration;
    const struct fold_frame *outer;
};

static bool is_of_loop(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_ITERATION || node->kind == FW_ATOM_TRIPS ||
           node->kind == FW_ATOM_AT;
}

/* The memory for a step that is entered with `start` at this point, emptied if it is of another;
 * NULL: the step hangs on more than the point's block and thread. */
static struct fold_memo *memo_of(struct fw_bound *bound, fw_expression next, int64_t start,
                                 const struct fw_point *point)
{
    if (bound->folding || bound->supposing)
        return NULL;
    if (!bound->folds)
        bound->folds = calloc(ENTRIES, sizeof(*bound->folds));
    if (!bound->folds)
        return NULL;
    uint32_t hash = next * 2654435761u;
    for (uint32_t d = 0; d < 3; d++)
        hash = (hash ^ point->thread[d] ^ point->block[d] << 10) * 2654435761u;
    struct fold_memo *memo = &bound->folds[hash >> 16 & (ENTRIES - 1)];
    const bool same = memo->binding == bound->binding && memo->next == next;
    if (same && memo->start == start &&
        memcmp(memo->block, point->block, sizeof(memo->block)) == 0 &&
        memcmp(memo->thread, point->thread, sizeof(memo->thread)) == 0)
        return memo->plain ? memo : NULL;
    const bool plain =
        same ? memo->plain : !fw_expression_any(&bound->kernel->pool, next, is_of_loop, NULL);
    *memo = (struct fold_memo){bound->binding, next, plain, start, 0, start, {0}, {0}};
    memcpy(memo->block, point->block, sizeof(memo->block));
    memcpy(memo->thread, point->thread, sizeof(memo->thread));
    return plain ? memo : NULL;
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
    struct fold_memo *memo = memo_of(bound, next, start, point);
    struct fold_frame frame = {node->c, start, 0, bound->folding};
    if (memo && memo->iteration <= count) {
        frame.value = memo->value;
        frame.iteration = memo->iteration;
    }
    const uint64_t outer = bound->point;
    bool known = true;
    bound->folding = &frame;
    for (; known && frame.iteration < count; frame.iteration += known) {
        bound_begin_point(bound);
        known = bound->fold_steps > 0 && bound_part_at(bound, next, point, value);
        bound->fold_steps -= bound->fold_steps > 0;
        if (known)
            frame.value = *value;
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
