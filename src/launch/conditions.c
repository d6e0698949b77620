/* Conditions: restricting a piece to where a condition holds, splitting it where need be. */
#include "bound_internal.h"
#include "checked.h"
#include "quotient.h"

#include <string.h>

enum { MOST_VALUES = 4096 };

void bound_push(struct fw_bound *bound, struct fw_piece_list *list, struct fw_piece *piece)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity;
        list->at = fw_arena_grow(bound->scratch, list->at, &capacity, sizeof(*list->at));
        list->capacity = (uint32_t)capacity;
    }
    list->at[list->count++] = piece;
}

struct fw_piece *bound_copy_piece(struct fw_bound *bound, const struct fw_piece *piece)
{
    struct fw_piece *copy = fw_arena_copy(bound->scratch, piece, sizeof(*piece));
    copy->row_capacity = piece->row_count + 2;
    copy->rows = FW_ARRAY(bound->scratch, struct fw_piece_row, copy->row_capacity);
    if (piece->row_count)
        memcpy(copy->rows, piece->rows, piece->row_count * sizeof(*piece->rows));
    return copy;
}

/* Narrows each variable's bounds by one row, from the bounds of the others. */
static bool narrow(struct fw_piece *piece, const struct fw_linear *row, bool equality)
{
    for (uint32_t v = 0; v < piece->variables; v++) {
        int64_t c = row->coefficient[v], low, high;
        struct fw_linear rest = *row;
        if (!c)
            continue;
        rest.coefficient[v] = 0;
        bound_interval(piece, &rest, &low, &high);
        if (high < FAR && c > 0) { /* v >= -rest / c */
            int64_t least = -fw_floor_quotient(high, c);
            piece->low[v] = least > piece->low[v] ? least : piece->low[v];
        } else if (high < FAR) {
            int64_t most = fw_floor_quotient(high, -c);
            piece->high[v] = most < piece->high[v] ? most : piece->high[v];
        }
        if (equality && low > -FAR && c > 0) {
            int64_t most = fw_floor_quotient(-low, c);
            piece->high[v] = most < piece->high[v] ? most : piece->high[v];
        } else if (equality && low > -FAR) {
            int64_t least = -fw_floor_quotient(-low, -c);
            piece->low[v] = least > piece->low[v] ? least : piece->low[v];
        }
        if (piece->low[v] > piece->high[v])
            return false;
    }
    return true;
}

/* Appends the part of the piece with row >= 0 (or == 0); nothing when that is plainly empty. */
static bool keep_part(struct fw_bound *bound, const struct fw_piece *piece,
                      const struct fw_linear *row, bool equality, struct fw_piece_list *out)
{
    int64_t low, high;
    bound_interval(piece, row, &low, &high);
    if (high < 0 || (equality && low > 0))
        return true;
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    struct fw_piece *part = bound_copy_piece(bound, piece);
    if (low >= 0 && (!equality || high == 0)) {
        bound_push(bound, out, part);
        return true;
    }
    if (!bound_add_row(bound, part, row, equality, false))
        return false;
    if (narrow(part, row, equality))
        bound_push(bound, out, part);
    else
        fw_arena_release(bound->scratch, mark);
    return true;
}

static void negate(const struct fw_piece *piece, const struct fw_linear *a,
                   struct fw_linear *result)
{
    memset(result, 0, sizeof(*result)); /* -a - 1 >= 0 is a < 0; -a - 1 is ~a, which always fits */
    result->constant = ~a->constant;
    for (uint32_t v = 0; v < piece->variables; v++)
        result->coefficient[v] = -a->coefficient[v];
}

/* The last variable of a row: of one that defines a quotient, the quotient. */
static uint32_t last_of(const struct fw_piece *piece, const struct fw_linear *row)
{
    uint32_t v = piece->variables;
    while (v > 0 && !row->coefficient[v - 1])
        v--;
    return v - 1;
}

bool bound_fix(struct fw_bound *bound, const struct fw_piece *piece, uint32_t variable,
               int64_t value, struct fw_piece **fixed)
{
    struct fw_piece *part = bound_copy_piece(bound, piece);
    *fixed = NULL;
    if (value < piece->low[variable] || value > piece->high[variable])
        return true;
    for (uint32_t r = 0; r < part->row_count; r++) {
        struct fw_linear *row = &part->rows[r].form;
        int64_t product;
        if (!row->coefficient[variable])
            continue;
        if (fw_multiply_overflows(row->coefficient[variable], value, &product) ||
            fw_add_overflows(row->constant, product, &row->constant))
            return false;
        /* The rows that define a quotient say, once it is fixed, where it has that value. */
        if (part->quotient[variable] && last_of(part, row) == variable)
            part->rows[r].definition = false;
        row->coefficient[variable] = 0;
    }
    part->quotient[variable] = false;
    part->low[variable] = part->high[variable] = value;
    part->fixed[variable] = true;
    for (uint32_t r = 0; r < part->row_count; r++)
        if (!narrow(part, &part->rows[r].form, part->rows[r].equality))
            return true;
    *fixed = part;
    return true;
}

bool bound_split(struct fw_bound *bound, const struct fw_piece *piece, enum linear_outcome outcome,
                 struct linear_problem *problem, struct fw_piece_list *parts)
{
    struct fw_linear below;
    switch (outcome) {
    case SPLIT_ROW:
        negate(piece, &problem->split, &below);
        return keep_part(bound, piece, &problem->split, false, parts) &&
               keep_part(bound, piece, &below, false, parts);
    case SPLIT_CONDITION:
        bound->role = ENDS_NOTHING;
        for (int truth = 0; truth < 2; truth++) {
            fw_condition condition = problem->condition;
            uint32_t first = parts->count;
            if (piece->decision_count == FW_PIECE_DECISIONS ||
                !bound_apply(bound, piece, condition, truth, parts, problem))
                return false;
            for (uint32_t p = first; p < parts->count; p++) {
                struct fw_piece *part = parts->at[p];
                if (part->decision_count == FW_PIECE_DECISIONS) /* full of what split it further */
                    return false;
                part->decisions[part->decision_count].condition = condition;
                part->decisions[part->decision_count++].truth = truth;
            }
            problem->condition = condition;
        }
        return true;
    case ENUMERATE: {
        uint32_t v = problem->variable;
        int64_t low = piece->low[v], high = piece->high[v];
        if (low <= -FAR || high >= FAR || high - low >= MOST_VALUES) {
            problem->reason = FW_UNKNOWN_NONAFFINE;
            return false;
        }
        for (int64_t value = low; value <= high; value++) {
            struct fw_piece *part;
            if (!bound_fix(bound, piece, v, value, &part))
                return false;
            if (part)
                bound_push(bound, parts, part);
        }
        return true;
    }
    default:
        return false;
    }
}

/* What to do with a piece in which both operands of a comparison are linear. */
typedef bool leaf(struct fw_bound *bound, const struct fw_piece *piece, const struct fw_linear *a,
                  const struct fw_linear *b, bool truth, struct fw_piece_list *out);

static bool leaf_positive(struct fw_bound *bound, const struct fw_piece *piece,
                          const struct fw_linear *a, const struct fw_linear *b, bool truth,
                          struct fw_piece_list *out)
{
    struct fw_linear row;
    (void)b;
    if (truth)
        return keep_part(bound, piece, a, false, out);
    negate(piece, a, &row);
    return keep_part(bound, piece, &row, false, out);
}

/* The part where a, which goes towards 0, has not reached it. */
static bool before_zero(struct fw_bound *bound, const struct fw_piece *piece,
                        const struct fw_linear *a, struct fw_piece_list *out)
{
    struct fw_linear row = *a;
    if (a->coefficient[bound->loop_variable] > 0)
        negate(piece, a, &row); /* a <= -1 */
    else
        row.constant--; /* a >= 1 */
    return keep_part(bound, piece, &row, false, out);
}

/* A loop that goes on while a != 0 and for no other reason, a linear in its iteration i: up to
 * where a becomes 0, which it must reach from the right side and in whole steps. */
static bool leaf_until_zero(struct fw_bound *bound, const struct fw_piece *piece,
                            const struct fw_linear *a, struct fw_piece_list *out)
{
    int64_t step = a->coefficient[bound->loop_variable], low, high;
    struct fw_linear rest = *a;
    rest.coefficient[bound->loop_variable] = 0;
    bound_interval(piece, &rest, &low, &high);
    /* a at the end of the first iteration is rest + step */
    bool away = step > 0 ? low + step > 0 : high + step < 0;
    if (away || (low == high && (low + step) % step != 0)) {
        bound->endless = true;
        return false;
    }
    return before_zero(bound, piece, a, out);
}

/* The same where the loop goes on while a != 0 and other conditions hold: one that begins beyond 0
 * never comes to it, and the others end the loop. */
static bool leaf_unless_zero(struct fw_bound *bound, const struct fw_piece *piece,
                             const struct fw_linear *a, struct fw_piece_list *out)
{
    struct fw_linear beyond = *a;
    beyond.coefficient[bound->loop_variable] = 0;
    if (a->coefficient[bound->loop_variable] < 0) {
        struct fw_linear rest = beyond;
        negate(piece, &rest, &beyond);
        beyond.constant++; /* -rest >= 0 */
    }
    return before_zero(bound, piece, a, out) && keep_part(bound, piece, &beyond, false, out);
}

static bool leaf_zero(struct fw_bound *bound, const struct fw_piece *piece,
                      const struct fw_linear *a, const struct fw_linear *b, bool truth,
                      struct fw_piece_list *out)
{
    struct fw_linear row = *a;
    (void)b;
    if (truth)
        return keep_part(bound, piece, a, true, out);
    int64_t step = bound->loop_variable == FW_NONE ? 0 : a->coefficient[bound->loop_variable];
    if (step && bound->role == ENDS_LOOP)
        return leaf_until_zero(bound, piece, a, out);
    if ((step == 1 || step == -1) && bound->role == ENDS_LOOP_TOO)
        return leaf_unless_zero(bound, piece, a, out);
    row.constant--;
    if (!keep_part(bound, piece, &row, false, out))
        return false;
    negate(piece, a, &row);
    return keep_part(bound, piece, &row, false, out);
}

/* a < b as unsigned numbers: by the signs of a and b, each part is plain, empty or everything. */
static bool leaf_unsigned(struct fw_bound *bound, const struct fw_piece *piece,
                          const struct fw_linear *a, const struct fw_linear *b, bool truth,
                          struct fw_piece_list *out)
{
    for (int signs = 0; signs < 4; signs++) {
        struct fw_piece_list first = {0}, second = {0};
        struct fw_linear row;
        bool negative_a = signs & 1, negative_b = signs & 2;
        if (negative_a)
            negate(piece, a, &row);
        else
            row = *a;
        if (!keep_part(bound, piece, &row, false, &first))
            return false;
        if (negative_b)
            negate(piece, b, &row);
        else
            row = *b;
        for (uint32_t p = 0; p < first.count; p++)
            if (!keep_part(bound, first.at[p], &row, false, &second))
                return false;
        for (uint32_t p = 0; p < second.count; p++) {
            struct fw_piece *part = second.at[p];
            if (negative_a != negative_b) {
                if (negative_b == truth)
                    bound_push(bound, out, part);
                continue;
            }
            memset(&row, 0, sizeof(row)); /* b - a - 1 >= 0 */
            row.constant = b->constant - a->constant - 1;
            for (uint32_t v = 0; v < part->variables; v++)
                row.coefficient[v] = b->coefficient[v] - a->coefficient[v];
            if (!leaf_positive(bound, part, &row, NULL, truth, out))
                return false;
        }
    }
    return true;
}

static bool compare(struct fw_bound *bound, const struct fw_piece *piece, fw_expression a,
                    fw_expression b, leaf *then, bool truth, struct fw_piece_list *out,
                    struct linear_problem *problem, unsigned depth)
{
    struct fw_piece *work = bound_copy_piece(bound, piece);
    struct fw_linear x, y = {0};
    enum linear_outcome outcome = bound_linear(bound, work, a, &x, problem);
    if (outcome == LINEAR && b)
        outcome = bound_linear(bound, work, b, &y, problem);
    if (outcome == LINEAR)
        return then(bound, work, &x, &y, truth, out);
    struct fw_piece_list parts = {0};
    enum condition_role role = bound->role;
    bool parted =
        outcome != FAILED && depth <= 24 && bound_split(bound, work, outcome, problem, &parts);
    bound->role = role;
    if (!parted)
        return false;
    for (uint32_t p = 0; p < parts.count; p++)
        if (out->count > MOST_PIECES * 16 || fw_arena_used(bound->scratch) > bound->memory ||
            !compare(bound, parts.at[p], a, b, then, truth, out, problem, depth + 1))
            return false;
    return true;
}

/* Both parts of a conjunction (truth) or of the negation of a disjunction. */
static bool both(struct fw_bound *bound, const struct fw_piece *piece, fw_condition a, bool truth_a,
                 fw_condition b, bool truth_b, struct fw_piece_list *out,
                 struct linear_problem *problem)
{
    struct fw_piece_list first = {0};
    if (!bound_apply(bound, piece, a, truth_a, &first, problem))
        return false;
    for (uint32_t p = 0; p < first.count; p++)
        if (!bound_apply(bound, first.at[p], b, truth_b, out, problem))
            return false;
    return true;
}

/* A part of a condition that cannot be expressed: by sampling, by its branch's share, or left out.
 */
static bool lean(struct fw_bound *bound, const struct fw_piece *piece, fw_condition condition,
                 bool truth, struct fw_piece_list *out, const struct linear_problem *problem)
{
    struct fw_piece *part;
    if (!bound->skip_opaque && bound->lean_branch == FW_NONE)
        return false;
    if (bound->lean_data_only && problem->reason != FW_UNKNOWN_DATA &&
        problem->reason != FW_UNKNOWN_ARGUMENT)
        return false;
    part = bound->skip_opaque ? NULL
                              : sampled_condition(bound, piece, bound->lean_branch, condition,
                                                  truth, truth == bound->lean_truth);
    if (part) {
        if (!sampled_empty(part))
            bound_push(bound, out, part);
        return true;
    }
    part = bound_copy_piece(bound, piece);
    if (!bound->skip_opaque) {
        double share = bound_lean(bound, false, bound->lean_branch, problem);
        bound_weigh_branch(bound, part, bound->lean_branch, share, truth == bound->lean_truth,
                           true);
        if (!(part->weight > 0))
            return true;
    }
    bound_push(bound, out, part);
    return true;
}

static bool apply_leaf(struct fw_bound *bound, const struct fw_piece *piece, fw_condition condition,
                       const struct fw_condition_node *node, bool truth, struct fw_piece_list *out,
                       struct linear_problem *problem)
{
    static leaf *const leaves[] = {[FW_CONDITION_POSITIVE] = leaf_positive,
                                   [FW_CONDITION_ZERO] = leaf_zero,
                                   [FW_CONDITION_UNSIGNED_LESS] = leaf_unsigned};
    uint32_t first = out->count;
    fw_expression b = node->kind == FW_CONDITION_UNSIGNED_LESS ? node->b : 0;
    problem->reason = FW_UNKNOWN_BUDGET;
    problem->parameter = FW_NONE;
    bound->endless = false;
    const bool assuming = bound->assuming;
    bound->assuming = bound_tests_pointer(bound, condition);
    bool done = compare(bound, piece, node->a, b, leaves[node->kind], truth, out, problem, 0);
    if (done && bound->assuming)
        bound_note_pointers(bound, condition);
    bound->assuming = assuming;
    if (done)
        return true;
    out->count = first;
    if (bound->endless)
        problem->reason = FW_UNKNOWN_ENDLESS;
    if (!bound->endless && bound->loop_variable == FW_NONE && !bound->stepping &&
        (problem->reason == FW_UNKNOWN_NONAFFINE || problem->reason == FW_UNKNOWN_BUDGET) &&
        bound_condition_by_points(bound, piece, condition, truth, out))
        return true;
    return !bound->endless && lean(bound, piece, condition, truth, out, problem);
}

static bool apply(struct fw_bound *bound, const struct fw_piece *piece, fw_condition condition,
                  bool truth, struct fw_piece_list *out, struct linear_problem *problem)
{
    const struct fw_condition_node node = bound->kernel->pool.conditions.at[condition];
    bool known, holds;
    switch ((enum fw_condition_kind)node.kind) {
    case FW_CONDITION_FALSE:
    case FW_CONDITION_TRUE:
        if ((node.kind == FW_CONDITION_TRUE) == truth)
            bound_push(bound, out, bound_copy_piece(bound, piece));
        return true;
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
    case FW_CONDITION_UNSIGNED_LESS:
        return apply_leaf(bound, piece, condition, &node, truth, out, problem);
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        if ((node.kind == FW_CONDITION_AND) == truth)
            return both(bound, piece, node.a, truth, node.b, truth, out, problem);
        /* Disjoint: not a, or a and not b. */
        return bound_apply(bound, piece, node.a, truth, out, problem) &&
               both(bound, piece, node.a, !truth, node.b, truth, out, problem);
    case FW_CONDITION_NOT:
        bound->lean_truth = !bound->lean_truth;
        holds = bound_apply(bound, piece, node.a, !truth, out, problem);
        bound->lean_truth = !bound->lean_truth;
        return holds;
    case FW_CONDITION_FLOAT:
        holds = bound_float_holds(bound, node.a, &known);
        if (!known) {
            const struct fw_float_comparison *c = &bound->kernel->floats[node.a];
            problem->reason = FW_UNKNOWN_ARGUMENT;
            problem->parameter = c->left_is_parameter ? c->left_parameter : c->right_parameter;
            return lean(bound, piece, condition, truth, out, problem);
        }
        if (holds == truth)
            bound_push(bound, out, bound_copy_piece(bound, piece));
        return true;
    case FW_CONDITION_UNKNOWN:
        break;
    }
    problem->reason = FW_UNKNOWN_DATA;
    problem->parameter = FW_NONE;
    return lean(bound, piece, condition, truth, out, problem);
}

/* What parts of a condition with this role are to the loop: those of a conjunction each end it,
 * those of a disjunction do not. */
static enum condition_role role_of_parts(const struct fw_bound *bound, fw_condition condition,
                                         bool truth)
{
    enum fw_condition_kind kind = bound->kernel->pool.conditions.at[condition].kind;
    if (kind != FW_CONDITION_AND && kind != FW_CONDITION_OR)
        return bound->role;
    bool all = (kind == FW_CONDITION_AND) == truth;
    return all && bound->role != ENDS_NOTHING ? ENDS_LOOP_TOO : ENDS_NOTHING;
}

bool bound_apply(struct fw_bound *bound, const struct fw_piece *piece, fw_condition condition,
                 bool truth, struct fw_piece_list *out, struct linear_problem *problem)
{
    uint32_t count = out->count;
    enum condition_role role = bound->role;
    if (bound->applications == 0) {
        problem->reason = FW_UNKNOWN_BUDGET;
        problem->parameter = FW_NONE;
        return false;
    }
    bound->applications--;
    bound->role = role_of_parts(bound, condition, truth);
    bool applied = apply(bound, piece, condition, truth, out, problem);
    bound->role = role;
    if (!applied)
        out->count = count;
    return applied;
}
