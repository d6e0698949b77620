/* Expressions of the kernel language: precedence climbing over the operators' table. */
#include "knl_internal.h"

#include <string.h>

static const struct operator_row {
    enum fw_loop_kind kind;
    const char *text;
    unsigned precedence;
} operators[] = {
#define X(name, text, precedence, counted) {FW_LOOP_##name, text, precedence},
    FW_LOOP_OPERATORS(X)
#undef X
};

static bool is_prefix(enum fw_loop_kind kind)
{
    return kind == FW_LOOP_NOT || kind == FW_LOOP_NEGATE || kind == FW_LOOP_BIT_NOT;
}

/* The operator that the token is, before (`prefix`) or between operands; NULL: none. */
static const struct operator_row *operator_here(const struct knl *knl, bool prefix)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
        if (is_prefix(operators[i].kind) == prefix && knl_is(knl, operators[i].text))
            return &operators[i];
    return NULL;
}

static enum fw_status climb(struct fw_loop_expression **expression, struct knl *knl,
                            unsigned least);

static enum fw_status operation(struct fw_loop_expression **expression, struct knl *knl,
                                enum fw_loop_kind kind, const char *name,
                                struct fw_loop_expression *const *at, size_t count,
                                struct fw_span span)
{
    *expression = fw_loop_operation(knl->program, kind, name, at, (uint32_t)count, span);
    return *expression ? FW_OK : FW_ERROR_INPUT;
}

enum fw_status knl_list(knl_expressions *list, struct knl *knl, const char *closing)
{
    enum fw_status status = FW_OK;
    for (;;) {
        struct fw_loop_expression *one = NULL;
        status = knl_expression(&one, knl);
        if (status != FW_OK)
            return status;
        *FW_APPEND(knl->arena, list) = one;
        if (!knl_is(knl, ","))
            return knl_expect(knl, closing);
        status = knl_next(knl);
        if (status != FW_OK)
            return status;
    }
}

static enum fw_status read_name(const char **name, struct knl *knl)
{
    if (knl->token.kind != TOKEN_NAME)
        return knl_fault(knl, "KNL002", "a name is expected here");
    *name = fw_loop_intern(knl->program, knl->token.text, knl->token.length);
    return knl_next(knl);
}

/* k, (k, l) or [k, l]. */
static enum fw_status read_loops(knl_names *loops, struct knl *knl)
{
    const char *closing = knl_is(knl, "(") ? ")" : knl_is(knl, "[") ? "]" : NULL;
    enum fw_status status = closing ? knl_next(knl) : FW_OK;
    while (status == FW_OK) {
        const char *name = NULL;
        status = read_name(&name, knl);
        *FW_APPEND(knl->arena, loops) = name;
        if (status != FW_OK || !closing)
            return status;
        if (!knl_is(knl, ","))
            return knl_expect(knl, closing);
        status = knl_next(knl);
    }
    return status;
}

/* Behind "sum(", "product(" or "reduce(". */
static enum fw_status read_reduction(struct fw_loop_expression **expression, struct knl *knl,
                                     const char *name, struct fw_span span)
{
    knl_names loops = {0};
    struct fw_loop_expression *operand = NULL;
    enum fw_status status = FW_OK;
    if (strcmp(name, "reduce") == 0) {
        if (!knl_is(knl, "sum") && !knl_is(knl, "product") && !knl_is(knl, "min") &&
            !knl_is(knl, "max"))
            return knl_fault(knl, "KNL002", "'sum', 'product', 'min' or 'max' is expected here");
        status = read_name(&name, knl);
        if (status == FW_OK)
            status = knl_expect(knl, ",");
    }
    if (status == FW_OK)
        status = read_loops(&loops, knl);
    if (status == FW_OK)
        status = knl_expect(knl, ",");
    if (status == FW_OK)
        status = knl_expression(&operand, knl);
    if (status == FW_OK)
        status = knl_expect(knl, ")");
    if (status != FW_OK)
        return status;
    *expression =
        fw_loop_reduce(knl->program, name, loops.at, (uint32_t)loops.count, operand, span);
    return *expression ? FW_OK : FW_ERROR_INPUT;
}

static const char *const functions[] = {
#define X(name) #name,
    FW_LOOP_FUNCTIONS(X)
#undef X
};

static enum fw_status unknown_function(struct knl *knl, const char *name, struct fw_span span)
{
    const char *nearest = NULL;
    unsigned least = 3;
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
        unsigned distance = fw_text_distance(name, functions[i], 3);
        if (distance < least) {
            least = distance;
            nearest = functions[i];
        }
    }
    const char *note = nearest ? fw_arena_printf(knl->arena, "did you mean '%s'?", nearest) : NULL;
    fw_report_notes(knl->sink, FW_ERROR, "KNL005", span, &note, note ? 1 : 0,
                    "there is no function '%s'", name);
    return FW_ERROR_INPUT;
}

/* How many operands a function takes; `least` to `most`. */
static bool fits(const char *name, size_t count)
{
    size_t wanted = 1;
    static const char *const pairs[] = {"min", "max", "fmin", "fmax", "pow", "atan2", "hypot"};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        if (strcmp(name, pairs[i]) == 0)
            wanted = 2;
    if (strcmp(name, "fma") == 0)
        wanted = 3;
    return count == wanted;
}

/* Behind "cast(": a type and an expression. */
static enum fw_status read_cast(struct fw_loop_expression **expression, struct knl *knl,
                                struct fw_span span)
{
    struct fw_loop_expression *operand = NULL;
    enum fw_type type = knl->token.kind == TOKEN_NAME
                            ? fw_knl_type(knl->token.text, knl->token.length)
                            : FW_TYPE_NONE;
    if (!type)
        return knl_fault(knl, "KNL006", "a type is expected here: f16, f32, f64, s32, s64, u32");
    enum fw_status status = knl_next(knl);
    if (status == FW_OK)
        status = knl_expect(knl, ",");
    if (status == FW_OK)
        status = knl_expression(&operand, knl);
    if (status == FW_OK)
        status = knl_expect(knl, ")");
    return status == FW_OK
               ? operation(expression, knl, FW_LOOP_CAST, fw_type_text(type), &operand, 1, span)
               : status;
}

/* Behind "name(" of a rule. */
static enum fw_status read_substitution(struct fw_loop_expression **expression, struct knl *knl,
                                        const struct knl_rule *rule, struct fw_span span)
{
    knl_expressions list = {0};
    enum fw_status status = knl_is(knl, ")") ? knl_next(knl) : knl_list(&list, knl, ")");
    return status == FW_OK ? knl_expand(expression, knl, rule, &list, span) : status;
}

/* Behind "name(". */
static enum fw_status read_call(struct fw_loop_expression **expression, struct knl *knl,
                                const char *name, struct fw_span span)
{
    bool is_if = strcmp(name, "if") == 0, known = is_if;
    if (strcmp(name, "sum") == 0 || strcmp(name, "product") == 0 || strcmp(name, "reduce") == 0)
        return read_reduction(expression, knl, name, span);
    if (strcmp(name, "cast") == 0)
        return read_cast(expression, knl, span);
    const struct knl_rule *rule = knl_find_rule(knl, name);
    if (rule)
        return read_substitution(expression, knl, rule, span);
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
        known |= strcmp(name, functions[i]) == 0;
    if (!known)
        return unknown_function(knl, name, span);
    knl_expressions list = {0};
    enum fw_status status = knl_list(&list, knl, ")");
    if (status != FW_OK)
        return status;
    if (is_if ? list.count != 3 : !fits(name, list.count)) {
        fw_report(knl->sink, FW_ERROR, "KNL002", span, "'%s' takes another number of operands",
                  name);
        return FW_ERROR_INPUT;
    }
    return operation(expression, knl, is_if ? FW_LOOP_IF : FW_LOOP_CALL, is_if ? NULL : name,
                     list.at, list.count, span);
}

enum fw_status knl_access(struct fw_loop_expression **expression, struct knl *knl)
{
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    const char *name = NULL, *tag = NULL;
    knl_expressions subscripts = {0};
    const struct knl_constant *constant =
        knl->token.kind == TOKEN_NAME ? knl_find_constant(knl, knl->token.text, knl->token.length)
                                      : NULL;
    char next = knl->at[strspn(knl->at, " \t\r")];
    if (constant && next && strchr("[($", next))
        return knl_check_name(knl);
    if (constant) {
        *expression = knl_constant(knl, constant, span);
        return *expression ? knl_next(knl) : FW_ERROR_INPUT;
    }
    enum fw_status status = read_name(&name, knl);
    if (status == FW_OK && knl_is(knl, "$")) {
        status = knl_next(knl);
        if (status == FW_OK)
            status = read_name(&tag, knl);
    } else if (status == FW_OK && knl_is(knl, "(")) {
        status = knl_next(knl);
        return status == FW_OK ? read_call(expression, knl, name, span) : status;
    }
    if (status == FW_OK && knl_is(knl, "[")) {
        status = knl_next(knl);
        if (status == FW_OK)
            status = knl_list(&subscripts, knl, "]");
    }
    if (status != FW_OK)
        return status;
    *expression =
        fw_loop_access(knl->program, name, tag, subscripts.at, (uint32_t)subscripts.count, span);
    return *expression ? FW_OK : FW_ERROR_INPUT;
}

static enum fw_status read_primary(struct fw_loop_expression **expression, struct knl *knl)
{
    struct token token = knl->token;
    enum fw_status status;
    switch (token.kind) {
    case TOKEN_INTEGER:
        *expression = fw_loop_integer(knl->program, token.integer);
        return knl_next(knl);
    case TOKEN_REAL:
        *expression = fw_loop_real(knl->program, token.real, token.type);
        return knl_next(knl);
    case TOKEN_NAME:
        return knl_access(expression, knl);
    default:
        if (knl->slices && knl_is(knl, ":")) {
            *expression = fw_loop_slice(knl->program);
            return knl_next(knl);
        }
        if (!knl_is(knl, "("))
            return knl_fault(knl, "KNL002", "an expression is expected here");
        status = knl_next(knl);
        if (status == FW_OK)
            status = knl_expression(expression, knl);
        return status == FW_OK ? knl_expect(knl, ")") : status;
    }
}

static enum fw_status climb_inside(struct fw_loop_expression **expression, struct knl *knl,
                                   unsigned least)
{
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    const struct operator_row *row = operator_here(knl, true);
    struct fw_loop_expression *pair[2] = {NULL, NULL};
    enum fw_status status;
    if (row) {
        status = knl_next(knl);
        if (status == FW_OK)
            status = climb(&pair[0], knl, row->precedence);
        if (status == FW_OK)
            status = operation(&pair[0], knl, row->kind, NULL, pair, 1, span);
    } else if (knl_is(knl, "+")) {
        status = knl_next(knl);
        if (status == FW_OK)
            status = climb(&pair[0], knl, 11);
    } else {
        status = read_primary(&pair[0], knl);
    }
    while (status == FW_OK && (row = operator_here(knl, false)) && row->precedence >= least) {
        span = knl_span(knl, knl->token.text, knl->token.length);
        status = knl_next(knl);
        /* Only powers group from the right. */
        unsigned inner = row->kind == FW_LOOP_POWER ? row->precedence : row->precedence + 1;
        if (status == FW_OK)
            status = climb(&pair[1], knl, inner);
        if (status == FW_OK)
            status = operation(&pair[0], knl, row->kind, NULL, pair, 2, span);
    }
    *expression = pair[0];
    return status;
}

static enum fw_status climb(struct fw_loop_expression **expression, struct knl *knl, unsigned least)
{
    if (knl->depth >= KNL_NESTING_MOST)
        return knl_fault(knl, "KNL004", "the expression is nested too deeply");
    knl->depth++;
    enum fw_status status = climb_inside(expression, knl, least);
    knl->depth--;
    return status;
}

enum fw_status knl_expression(struct fw_loop_expression **expression, struct knl *knl)
{
    return climb(expression, knl, 0);
}
