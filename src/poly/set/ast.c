/* Code from schedules: isl's AST builder, its trees taken over into plain nodes. */
#include "ast.h"
#include "checked.h"
#include "quotient.h"
#include "set_internal.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/local_space.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* isl's iterators under the plan's names. */
struct scope {
    const char *isl;
    const char *name;
    const struct scope *outer;
};

struct translation {
    struct fw_arena *arena;
    bool failed;
};

/* ---- expressions ---- */

static const struct {
    enum isl_ast_expr_op_type isl;
    enum fw_ast_kind kind;
} operations[] = {
    {isl_ast_expr_op_and, FW_AST_AND},
    {isl_ast_expr_op_and_then, FW_AST_AND},
    {isl_ast_expr_op_or, FW_AST_OR},
    {isl_ast_expr_op_or_else, FW_AST_OR},
    {isl_ast_expr_op_max, FW_AST_MAXIMUM},
    {isl_ast_expr_op_min, FW_AST_MINIMUM},
    {isl_ast_expr_op_minus, FW_AST_NEGATE},
    {isl_ast_expr_op_add, FW_AST_ADD},
    {isl_ast_expr_op_sub, FW_AST_SUBTRACT},
    {isl_ast_expr_op_mul, FW_AST_MULTIPLY},
    {isl_ast_expr_op_div, FW_AST_DIVIDE_EXACT},
    {isl_ast_expr_op_fdiv_q, FW_AST_DIVIDE_FLOOR},
    {isl_ast_expr_op_pdiv_q, FW_AST_DIVIDE},
    {isl_ast_expr_op_pdiv_r, FW_AST_REMAINDER},
    {isl_ast_expr_op_zdiv_r, FW_AST_REMAINDER_TO_ZERO},
    {isl_ast_expr_op_cond, FW_AST_SELECT},
    {isl_ast_expr_op_select, FW_AST_SELECT},
    {isl_ast_expr_op_eq, FW_AST_EQUAL},
    {isl_ast_expr_op_le, FW_AST_LESS_EQUAL},
    {isl_ast_expr_op_lt, FW_AST_LESS},
    {isl_ast_expr_op_ge, FW_AST_GREATER_EQUAL},
    {isl_ast_expr_op_gt, FW_AST_GREATER},
};

static struct fw_ast_expression *take_expression(struct translation *translation,
                                                 const struct scope *scope, isl_ast_expr *taken);

static void take_integer(struct translation *translation, struct fw_ast_expression *expression,
                         isl_ast_expr *kept)
{
    isl_val *value = isl_ast_expr_int_get_val(kept);
    expression->kind = FW_AST_INTEGER;
    expression->value = isl_val_get_num_si(value);
    if (!value || isl_val_cmp_si(value, INT32_MAX * (long)4096) > 0 ||
        isl_val_cmp_si(value, INT32_MIN * (long)4096) < 0)
        translation->failed = true;
    isl_val_free(value);
}

static void take_name(struct translation *translation, const struct scope *scope,
                      struct fw_ast_expression *expression, isl_ast_expr *kept)
{
    isl_id *id = isl_ast_expr_id_get_id(kept);
    const char *name = id ? isl_id_get_name(id) : "";
    expression->kind = FW_AST_NAME;
    for (; scope; scope = scope->outer)
        if (strcmp(scope->isl, name) == 0) {
            name = scope->name;
            break;
        }
    expression->name = fw_arena_text(translation->arena, name, strlen(name));
    isl_id_free(id);
}

static void take_operation(struct translation *translation, const struct scope *scope,
                           struct fw_ast_expression *expression, isl_ast_expr *kept)
{
    enum isl_ast_expr_op_type type = isl_ast_expr_op_get_type(kept);
    isl_size count = isl_ast_expr_op_get_n_arg(kept);
    expression->kind = FW_AST_KIND_COUNT;
    for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++)
        if (operations[i].isl == type)
            expression->kind = operations[i].kind;
    if (expression->kind == FW_AST_KIND_COUNT || count < 0) {
        translation->failed = true;
        return;
    }
    expression->operand_count = (uint32_t)count;
    expression->operands = FW_ARRAY(translation->arena, struct fw_ast_expression *, (size_t)count);
    for (int i = 0; i < count; i++)
        expression->operands[i] =
            take_expression(translation, scope, isl_ast_expr_op_get_arg(kept, i));
}

static struct fw_ast_expression *take_expression(struct translation *translation,
                                                 const struct scope *scope, isl_ast_expr *taken)
{
    struct fw_ast_expression *expression = FW_NEW(translation->arena, struct fw_ast_expression);
    switch (isl_ast_expr_get_type(taken)) {
    case isl_ast_expr_int:
        take_integer(translation, expression, taken);
        break;
    case isl_ast_expr_id:
        take_name(translation, scope, expression, taken);
        break;
    case isl_ast_expr_op:
        take_operation(translation, scope, expression, taken);
        break;
    default:
        translation->failed = true;
        break;
    }
    isl_ast_expr_free(taken);
    return expression;
}

/* ---- nodes ---- */

static struct fw_ast_node *take_node(struct translation *translation, const struct scope *scope,
                                     const char *mark, isl_ast_node *taken);

static void one_child(struct translation *translation, struct fw_ast_node *node,
                      struct fw_ast_node *first, struct fw_ast_node *second)
{
    node->children = FW_ARRAY(translation->arena, struct fw_ast_node *, 2);
    node->children[0] = first;
    node->children[1] = second;
    node->count = second ? 2 : 1;
}

static void take_for(struct translation *translation, const struct scope *scope, const char *mark,
                     struct fw_ast_node *node, isl_ast_node *kept)
{
    isl_ast_expr *iterator = isl_ast_node_for_get_iterator(kept);
    isl_id *id = isl_ast_expr_id_get_id(iterator);
    const char *name = id ? isl_id_get_name(id) : "";
    struct scope inner = {fw_arena_text(translation->arena, name, strlen(name)), mark, scope};
    if (!mark)
        inner.name = inner.isl;
    isl_id_free(id);
    isl_ast_expr_free(iterator);
    node->kind = FW_AST_FOR;
    node->name = inner.name;
    node->once = isl_ast_node_for_is_degenerate(kept) == isl_bool_true;
    node->start = take_expression(translation, scope, isl_ast_node_for_get_init(kept));
    if (!node->once) {
        node->condition = take_expression(translation, &inner, isl_ast_node_for_get_cond(kept));
        node->step = take_expression(translation, &inner, isl_ast_node_for_get_inc(kept));
    }
    one_child(translation, node,
              take_node(translation, &inner, NULL, isl_ast_node_for_get_body(kept)), NULL);
}

static void take_if(struct translation *translation, const struct scope *scope, const char *mark,
                    struct fw_ast_node *node, isl_ast_node *kept)
{
    node->kind = FW_AST_IF;
    node->condition = take_expression(translation, scope, isl_ast_node_if_get_cond(kept));
    struct fw_ast_node *other = NULL;
    struct fw_ast_node *then =
        take_node(translation, scope, mark, isl_ast_node_if_get_then_node(kept));
    if (isl_ast_node_if_has_else_node(kept) == isl_bool_true)
        other = take_node(translation, scope, mark, isl_ast_node_if_get_else_node(kept));
    one_child(translation, node, then, other);
}

static void take_block(struct translation *translation, const struct scope *scope, const char *mark,
                       struct fw_ast_node *node, isl_ast_node *kept)
{
    isl_ast_node_list *list = isl_ast_node_block_get_children(kept);
    isl_size count = isl_ast_node_list_n_ast_node(list);
    node->kind = FW_AST_BLOCK;
    node->count = count < 0 ? 0 : (uint32_t)count;
    node->children = FW_ARRAY(translation->arena, struct fw_ast_node *, node->count);
    for (int i = 0; i < count; i++)
        node->children[i] =
            take_node(translation, scope, mark, isl_ast_node_list_get_ast_node(list, i));
    isl_ast_node_list_free(list);
}

static void take_call(struct translation *translation, const struct scope *scope,
                      struct fw_ast_node *node, isl_ast_node *kept)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(kept);
    isl_size count = isl_ast_expr_op_get_n_arg(call);
    isl_ast_expr *callee = isl_ast_expr_op_get_arg(call, 0);
    isl_id *id = isl_ast_expr_id_get_id(callee);
    const char *name = id ? isl_id_get_name(id) : "";
    node->kind = FW_AST_CALL;
    node->name = fw_arena_text(translation->arena, name, strlen(name));
    isl_id_free(id);
    isl_ast_expr_free(callee);
    node->count = count < 1 ? 0 : (uint32_t)count - 1;
    node->arguments = FW_ARRAY(translation->arena, struct fw_ast_expression *, node->count + 1);
    for (uint32_t i = 0; i < node->count; i++)
        node->arguments[i] =
            take_expression(translation, scope, isl_ast_expr_op_get_arg(call, (int)i + 1));
    isl_ast_expr_free(call);
}

static struct fw_ast_node *take_node(struct translation *translation, const struct scope *scope,
                                     const char *mark, isl_ast_node *taken)
{
    if (isl_ast_node_get_type(taken) == isl_ast_node_mark) {
        isl_id *id = isl_ast_node_mark_get_id(taken);
        const char *name = id ? isl_id_get_name(id) : "";
        mark = fw_arena_text(translation->arena, name, strlen(name));
        isl_id_free(id);
        struct fw_ast_node *inner =
            take_node(translation, scope, mark, isl_ast_node_mark_get_node(taken));
        isl_ast_node_free(taken);
        return inner;
    }
    struct fw_ast_node *node = FW_NEW(translation->arena, struct fw_ast_node);
    switch (isl_ast_node_get_type(taken)) {
    case isl_ast_node_for:
        take_for(translation, scope, mark, node, taken);
        break;
    case isl_ast_node_if:
        take_if(translation, scope, mark, node, taken);
        break;
    case isl_ast_node_block:
        take_block(translation, scope, mark, node, taken);
        break;
    case isl_ast_node_user:
        take_call(translation, scope, node, taken);
        break;
    default:
        translation->failed = true;
        break;
    }
    isl_ast_node_free(taken);
    return node;
}

/* ---- copies ---- */

static char *copy_text(struct fw_arena *arena, const char *text)
{
    return text ? fw_arena_text(arena, text, strlen(text)) : NULL;
}

static struct fw_ast_expression *copy_expression(struct fw_arena *arena,
                                                 const struct fw_ast_expression *expression)
{
    if (!expression)
        return NULL;
    struct fw_ast_expression *copy = fw_arena_copy(arena, expression, sizeof(*expression));
    copy->name = copy_text(arena, expression->name);
    copy->operands =
        FW_ARRAY(arena, struct fw_ast_expression *, (size_t)expression->operand_count + 1);
    for (uint32_t i = 0; i < expression->operand_count; i++)
        copy->operands[i] = copy_expression(arena, expression->operands[i]);
    return copy;
}

static struct fw_ast_node *copy_node(struct fw_arena *arena, const struct fw_ast_node *node)
{
    struct fw_ast_node *copy = fw_arena_copy(arena, node, sizeof(*node));
    copy->name = copy_text(arena, node->name);
    copy->start = copy_expression(arena, node->start);
    copy->condition = copy_expression(arena, node->condition);
    copy->step = copy_expression(arena, node->step);
    if (node->kind == FW_AST_CALL) {
        copy->arguments = FW_ARRAY(arena, struct fw_ast_expression *, (size_t)node->count + 1);
        for (uint32_t i = 0; i < node->count; i++)
            copy->arguments[i] = copy_expression(arena, node->arguments[i]);
        return copy;
    }
    copy->children = FW_ARRAY(arena, struct fw_ast_node *, (size_t)node->count + 1);
    for (uint32_t i = 0; i < node->count; i++)
        copy->children[i] = copy_node(arena, node->children[i]);
    return copy;
}

/* ---- plans ---- */

static isl_schedule_node *apply_plan(isl_schedule_node *node, isl_ctx *context,
                                     const struct fw_ast_plan *plan)
{
    if (plan->kind == FW_AST_PLAN_LOOP) {
        isl_multi_union_pw_aff *value = isl_multi_union_pw_aff_read_from_str(context, plan->value);
        node = isl_schedule_node_insert_partial_schedule(node, value);
        node = isl_schedule_node_band_member_set_ast_loop_type(
            node, 0, plan->unroll ? isl_ast_loop_unroll : isl_ast_loop_atomic);
        node = isl_schedule_node_insert_mark(node, isl_id_alloc(context, plan->name, NULL));
        node = isl_schedule_node_child(isl_schedule_node_child(node, 0), 0);
        node = apply_plan(node, context, plan->children[0]);
        return isl_schedule_node_parent(isl_schedule_node_parent(node));
    }
    if (plan->kind == FW_AST_PLAN_SEQUENCE) {
        isl_union_set_list *filters = isl_union_set_list_alloc(context, (int)plan->count);
        for (uint32_t i = 0; i < plan->count; i++)
            filters = isl_union_set_list_add(
                filters, isl_union_set_read_from_str(context, plan->filters[i]));
        node = isl_schedule_node_insert_sequence(node, filters);
        for (uint32_t i = 0; i < plan->count; i++) {
            node = isl_schedule_node_child(isl_schedule_node_child(node, (int)i), 0);
            node = apply_plan(node, context, plan->children[i]);
            node = isl_schedule_node_parent(isl_schedule_node_parent(node));
        }
    }
    return node;
}

enum fw_status fw_ast_build(struct fw_ast_node **node, struct fw_poly *poly, struct fw_arena *arena,
                            const struct fw_ast_plan *plan, const char *domains,
                            const char *context)
{
    *node = NULL;
    fw_isl_begin_build(poly);
    isl_set *known = isl_set_read_from_str(poly->isl, context);
    isl_schedule *schedule =
        isl_schedule_from_domain(isl_union_set_read_from_str(poly->isl, domains));
    /* isl 0.25 takes a dividend in a loop's bound for not negative where it is in all iterations;
     * where there are none, C's division would make one. */
    isl_options_set_ast_build_prefer_pdiv(poly->isl, 0);
    isl_schedule_node *root = isl_schedule_get_root(schedule);
    isl_schedule_free(schedule);
    root = apply_plan(isl_schedule_node_child(root, 0), poly->isl, plan);
    schedule = isl_schedule_node_get_schedule(root);
    isl_schedule_node_free(root);
    isl_ast_build *build = isl_ast_build_from_context(known);
    isl_ast_node *tree = isl_ast_build_node_from_schedule(build, schedule);
    isl_ast_build_free(build);
    if (!tree)
        return fw_isl_status(poly);
    /* Into scratch first: the owner's arena may unwind, and isl's objects must be let go before. */
    fw_poly_begin(poly, UINT64_MAX);
    struct translation translation = {poly->work.arena, false};
    struct fw_ast_node *taken = take_node(&translation, NULL, NULL, tree);
    if (translation.failed)
        return FW_ERROR_OVERFLOW;
    *node = copy_node(arena, taken);
    return FW_OK;
}

enum fw_status fw_ast_extreme(struct fw_ast_expression **expression, struct fw_poly *poly,
                              struct fw_arena *arena, const char *set, const char *context,
                              bool greatest)
{
    *expression = NULL;
    fw_isl_begin(poly);
    isl_set *known = isl_set_read_from_str(poly->isl, context);
    isl_set *values = isl_set_read_from_str(poly->isl, set);
    values = isl_set_intersect_params(values, isl_set_copy(known));
    values = isl_set_coalesce(isl_set_detect_equalities(values));
    isl_pw_aff *extreme = greatest ? isl_set_dim_max(values, 0) : isl_set_dim_min(values, 0);
    extreme = isl_pw_aff_coalesce(isl_pw_aff_gist_params(extreme, isl_set_copy(known)));
    if (extreme && isl_pw_aff_n_piece(extreme) == 0)
        extreme = isl_pw_aff_free(extreme);
    isl_options_set_ast_build_prefer_pdiv(poly->isl, 1);
    isl_ast_build *build = isl_ast_build_from_context(known);
    isl_ast_expr *tree = extreme ? isl_ast_build_expr_from_pw_aff(build, extreme) : NULL;
    isl_ast_build_free(build);
    if (!tree)
        return isl_ctx_last_error(poly->isl) == isl_error_none ? FW_ERROR_INPUT
                                                               : fw_isl_status(poly);
    fw_poly_begin(poly, UINT64_MAX);
    struct translation translation = {poly->work.arena, false};
    struct fw_ast_expression *taken = take_expression(&translation, NULL, tree);
    if (translation.failed)
        return FW_ERROR_OVERFLOW;
    *expression = copy_expression(arena, taken);
    return FW_OK;
}

/* ---- values ---- */

static enum fw_status apply(int64_t *result, enum fw_ast_kind kind, int64_t a, int64_t b)
{
    bool overflow = false;
    bool divides = kind == FW_AST_DIVIDE_EXACT || kind == FW_AST_DIVIDE_FLOOR ||
                   kind == FW_AST_DIVIDE || kind == FW_AST_REMAINDER ||
                   kind == FW_AST_REMAINDER_TO_ZERO;
    if (divides && (b == 0 || b == -1))
        return FW_ERROR_OVERFLOW;
    switch (kind) {
    case FW_AST_AND:
        *result = a && b;
        break;
    case FW_AST_OR:
        *result = a || b;
        break;
    case FW_AST_MAXIMUM:
        *result = a > b ? a : b;
        break;
    case FW_AST_MINIMUM:
        *result = a < b ? a : b;
        break;
    case FW_AST_NEGATE:
        overflow = fw_subtract_overflows((int64_t)0, a, result);
        break;
    case FW_AST_ADD:
        overflow = fw_add_overflows(a, b, result);
        break;
    case FW_AST_SUBTRACT:
        overflow = fw_subtract_overflows(a, b, result);
        break;
    case FW_AST_MULTIPLY:
        overflow = fw_multiply_overflows(a, b, result);
        break;
    case FW_AST_DIVIDE_EXACT:
    case FW_AST_DIVIDE:
        *result = a / b;
        break;
    case FW_AST_DIVIDE_FLOOR:
        *result = fw_floor_quotient(a, b);
        break;
    case FW_AST_REMAINDER:
    case FW_AST_REMAINDER_TO_ZERO:
        *result = a - fw_floor_quotient(a, b) * b;
        break;
    case FW_AST_EQUAL:
        *result = a == b;
        break;
    case FW_AST_LESS_EQUAL:
        *result = a <= b;
        break;
    case FW_AST_LESS:
        *result = a < b;
        break;
    case FW_AST_GREATER_EQUAL:
        *result = a >= b;
        break;
    default:
        *result = a > b;
        break;
    }
    return overflow ? FW_ERROR_OVERFLOW : FW_OK;
}

enum fw_status fw_ast_evaluate(int64_t *result, const struct fw_ast_expression *expression,
                               const char *const *names, const int64_t *values, size_t bound)
{
    int64_t value = 0, more = 0;
    *result = expression->value;
    if (expression->kind == FW_AST_INTEGER)
        return FW_OK;
    for (size_t i = 0; expression->kind == FW_AST_NAME && i < bound; i++)
        if (strcmp(names[i], expression->name) == 0) {
            *result = values[i];
            return FW_OK;
        }
    if (expression->kind == FW_AST_NAME)
        return FW_ERROR_USAGE;
    enum fw_status status = fw_ast_evaluate(&value, expression->operands[0], names, values, bound);
    if (expression->kind == FW_AST_SELECT)
        return status == FW_OK ? fw_ast_evaluate(result, expression->operands[value ? 1 : 2], names,
                                                 values, bound)
                               : status;
    if (status == FW_OK && expression->operand_count == 1)
        status = apply(&value, expression->kind, value, 0);
    for (uint32_t i = 1; status == FW_OK && i < expression->operand_count; i++) {
        status = fw_ast_evaluate(&more, expression->operands[i], names, values, bound);
        if (status == FW_OK)
            status = apply(&value, expression->kind, value, more);
    }
    *result = value;
    return status;
}
