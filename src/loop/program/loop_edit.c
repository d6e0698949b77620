/* Editing programs: copies, new names, selection of statements. */
#include "loop_internal.h"

#include <stdio.h>
#include <string.h>

#define COPY_VECTOR(arena, to, from)                                                               \
    ((to)->at = fw_arena_copy((arena), (from)->at, (from)->count * sizeof(*(from)->at)),           \
     (to)->count = (from)->count, (to)->capacity = (from)->count)

struct fw_loop_program *fw_loop_copy(struct fw_loop_program *program)
{
    struct fw_arena *arena = program->arena;
    struct fw_loop_program *copy = fw_arena_copy(arena, program, sizeof(*program));
    COPY_VECTOR(arena, &copy->parameters, &program->parameters);
    COPY_VECTOR(arena, &copy->domains, &program->domains);
    COPY_VECTOR(arena, &copy->variables, &program->variables);
    COPY_VECTOR(arena, &copy->arrays, &program->arrays);
    COPY_VECTOR(arena, &copy->statements, &program->statements);
    COPY_VECTOR(arena, &copy->orders, &program->orders);
    /* A table of its own: names of the program keep their one copy in both. */
    copy->names.entries = fw_arena_copy(arena, program->names.entries,
                                        program->names.capacity * sizeof(*copy->names.entries));
    return copy;
}

static bool is_taken(struct fw_loop_program *program, const char *name)
{
    if (fw_loop_variable(program, name) || fw_loop_is_parameter(program, name) ||
        fw_loop_find_array(program, name))
        return true;
    for (size_t i = 0; i < program->statements.count; i++)
        if (program->statements.at[i].id == name)
            return true;
    return false;
}

const char *fw_loop_new_name(struct fw_loop_program *program, const char *wanted)
{
    const char *name = fw_loop_intern(program, wanted, strlen(wanted));
    for (unsigned i = 1; is_taken(program, name); i++) {
        const char *numbered = fw_arena_printf(program->arena, "%s_%u", wanted, i);
        name = fw_loop_intern(program, numbered, strlen(numbered));
    }
    return name;
}

struct fw_loop_statement *fw_loop_insert_statement(struct fw_loop_program *program, size_t at)
{
    (void)FW_APPEND(program->arena, &program->statements);
    struct fw_loop_statement *place = &program->statements.at[at];
    memmove(place + 1, place, (program->statements.count - 1 - at) * sizeof(*place));
    memset(place, 0, sizeof(*place));
    return place;
}

bool fw_loop_reads(const struct fw_loop_expression *expression, const char *name)
{
    if (expression->kind == FW_LOOP_ACCESS && expression->name == name)
        return true;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        if (fw_loop_reads(expression->operands[i], name))
            return true;
    return false;
}

bool fw_loop_statement_reads(const struct fw_loop_statement *statement, const char *name)
{
    bool found = fw_loop_reads(statement->value, name);
    for (uint32_t i = 0; i < statement->condition_count; i++)
        found = found || fw_loop_reads(statement->conditions[i], name);
    for (uint32_t i = 0; i < statement->target->operand_count; i++)
        found = found || fw_loop_reads(statement->target->operands[i], name);
    return found;
}

struct fw_loop_expression *fw_loop_find_reduction(struct fw_loop_expression *expression)
{
    if (expression->kind == FW_LOOP_REDUCE)
        return expression;
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        struct fw_loop_expression *found = fw_loop_find_reduction(expression->operands[i]);
        if (found)
            return found;
    }
    return NULL;
}

struct fw_loop_expression *fw_loop_name(struct fw_loop_program *program, const char *name)
{
    struct fw_span nowhere = {0};
    return fw_loop_access(program, name, NULL, NULL, 0, nowhere);
}

/* Whether the text is the pattern with some text for each '*'. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool fw_loop_selects(const struct fw_loop_selector *selector,
                     const struct fw_loop_statement *statement)
{
    if (!selector->pattern)
        return true;
    if (selector->kind == FW_LOOP_BY_ID)
        return statement->id && matches(selector->pattern, statement->id);
    if (selector->kind == FW_LOOP_BY_TARGET)
        return matches(selector->pattern, statement->target->name);
    for (uint32_t i = 0; i < statement->tag_count; i++)
        if (matches(selector->pattern, statement->tags[i]))
            return true;
    return false;
}
