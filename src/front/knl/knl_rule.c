/* Rules of substitution: "name(a, b) := expression". */
#include "knl_internal.h"

#include <ctype.h>
#include <string.h>

enum { EXPANSION_MOST = 20000 };

bool knl_is_rule(const char *line)
{
    size_t length = 0;
    while (isalnum((unsigned char)line[length]) || line[length] == '_')
        length++;
    if (!length || line[length] != '(')
        return false;
    length += strcspn(line + length, ")\n");
    if (line[length] != ')')
        return false;
    length += 1 + strspn(line + length + 1, " \t");
    return line[length] == ':' && line[length + 1] == '=';
}

enum fw_status knl_rule_line(struct knl *knl)
{
    struct knl_rule rule = {.name = NULL};
    enum fw_status status = knl_next(knl);
    rule.name = fw_loop_intern(knl->program, knl->token.text, knl->token.length);
    if (status == FW_OK)
        status = knl_next(knl); /* the bracket */
    if (status == FW_OK)
        status = knl_formals(&rule.formals, knl, knl->program);
    for (int mark = 0; mark < 3 && status == FW_OK; mark++) /* behind ")", ":" and "=" */
        status = knl_next(knl);
    if (status == FW_OK)
        status = knl_expression(&rule.body, knl);
    if (status != FW_OK)
        return status;
    if (knl->token.kind != TOKEN_LINE && knl->token.kind != TOKEN_END)
        return knl_fault(knl, "KNL002", "the line should end here");
    knl->at = knl->token.text;
    *FW_APPEND(knl->arena, &knl->rules) = rule;
    return FW_OK;
}

const struct knl_rule *knl_find_rule(const struct knl *knl, const char *name)
{
    for (size_t i = knl->rules.count; i-- > (knl->caller ? knl->rules_before : 0);)
        if (knl->rules.at[i].name == name)
            return &knl->rules.at[i];
    return NULL;
}

struct expansion {
    struct knl *knl;
    const struct knl_rule *rule;
    const knl_expressions *arguments;
    unsigned made; /* parts of expressions */
};

static struct fw_loop_expression *expand(struct expansion *expansion,
                                         struct fw_loop_expression *expression)
{
    struct fw_arena *arena = expansion->knl->arena;
    for (size_t i = 0; i < expansion->rule->formals.count; i++)
        if (expression->kind == FW_LOOP_NAME && expression->name == expansion->rule->formals.at[i])
            return expansion->arguments->at[i];
    if (expression->operand_count == 0)
        return expression;
    struct fw_loop_expression *copy = fw_arena_copy(arena, expression, sizeof(*expression));
    copy->operands = FW_ARRAY(arena, struct fw_loop_expression *, expression->operand_count);
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        copy->operands[i] = expand(expansion, expression->operands[i]);
        if (!copy->operands[i] || copy->operands[i]->depth >= FW_LOOP_DEPTH_MOST ||
            ++expansion->made > EXPANSION_MOST)
            return NULL;
        if (copy->operands[i]->depth + 1 > copy->depth)
            copy->depth = copy->operands[i]->depth + 1;
    }
    return copy;
}

/* How many parts a tree has, operands that are shared counted each time; at most `most`. */
static unsigned size_of(const struct fw_loop_expression *expression, unsigned most)
{
    unsigned size = 1;
    for (uint32_t i = 0; i < expression->operand_count && size <= most; i++)
        size += size_of(expression->operands[i], most - size);
    return size;
}

enum fw_status knl_expand(struct fw_loop_expression **expression, struct knl *knl,
                          const struct knl_rule *rule, const knl_expressions *arguments,
                          struct fw_span span)
{
    struct expansion expansion = {.knl = knl, .rule = rule, .arguments = arguments};
    if (arguments->count != rule->formals.count) {
        fw_report(knl->sink, FW_ERROR, "KNL002", span, "'%s' takes %zu operands", rule->name,
                  rule->formals.count);
        return FW_ERROR_INPUT;
    }
    *expression = expand(&expansion, rule->body);
    if (!*expression || size_of(*expression, EXPANSION_MOST) > EXPANSION_MOST) {
        fw_report(knl->sink, FW_ERROR, "KNL004", span, "'%s' becomes too large here", rule->name);
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}
