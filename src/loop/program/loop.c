/* Loop programs: building. */
#include "loop_internal.h"

#include <stdio.h>
#include <string.h>

struct fw_loop_program *fw_loop_new(struct fw_arena *arena, struct fw_poly *poly,
                                    const struct fw_sink *sink)
{
    struct fw_loop_program *program = FW_NEW(arena, struct fw_loop_program);
    program->arena = arena;
    program->poly = poly;
    program->sink = sink;
    program->names = fw_map_new(arena);
    program->memo = fw_loop_memo_new(arena, sink);
    return program;
}

const char *fw_loop_intern(struct fw_loop_program *program, const char *text, size_t length)
{
    return fw_map_intern(&program->names, text, length);
}

struct fw_span fw_loop_source(const struct fw_loop_program *program)
{
    for (size_t i = 0; i < program->statements.count; i++)
        if (program->statements.at[i].span.source)
            return fw_span_of_source(program->statements.at[i].span.source);
    for (size_t i = 0; i < program->domains.count; i++)
        if (program->domains.at[i].span.source)
            return fw_span_of_source(program->domains.at[i].span.source);
    return (struct fw_span){0};
}

struct fw_span fw_loop_variable_span(const struct fw_loop_program *program,
                                     const struct fw_loop_variable *variable)
{
    struct fw_span span = variable->domain < program->domains.count
                              ? program->domains.at[variable->domain].span
                              : (struct fw_span){0};
    return span.source ? span : fw_loop_source(program);
}

enum fw_status fw_loop_undecided(const struct fw_loop_program *program, enum fw_status status,
                                 struct fw_span span)
{
    fw_report(program->sink, FW_ERROR, "LOOP063", span.source ? span : fw_loop_source(program),
              "%s",
              status == FW_ERROR_BUDGET
                  ? "whether this may be done takes more work to say than is allowed"
                  : "whether this may be done cannot be said: the conditions on loops are too "
                    "intricate");
    return status;
}

enum fw_status fw_loop_refuse(const struct fw_loop_program *program, const char *code,
                              struct fw_span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = fw_arena_vprintf(program->arena, format, arguments);
    va_end(arguments);
    fw_report(program->sink, FW_ERROR, code, span.source ? span : fw_loop_source(program), "%s",
              message);
    return FW_ERROR_INPUT;
}

struct fw_loop_variable *fw_loop_variable(const struct fw_loop_program *program, const char *name)
{
    for (size_t i = 0; i < program->variables.count; i++)
        if (program->variables.at[i].name == name)
            return &program->variables.at[i];
    return NULL;
}

bool fw_loop_is_parameter(const struct fw_loop_program *program, const char *name)
{
    return fw_loop_has(program->parameters.at, (uint32_t)program->parameters.count, name);
}

bool fw_loop_has(const char *const *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (names[i] == name)
            return true;
    return false;
}

void fw_loop_names_add(struct fw_arena *arena, fw_loop_names *names, const char *name)
{
    if (!fw_loop_has(names->at, (uint32_t)names->count, name))
        *FW_APPEND(arena, names) = name;
}

struct fw_loop_array *fw_loop_find_array(const struct fw_loop_program *program, const char *name)
{
    for (size_t i = 0; i < program->arrays.count; i++)
        if (program->arrays.at[i].name == name)
            return &program->arrays.at[i];
    for (size_t i = 0; i < program->arrays.count; i++) /* a name that is not this program's copy */
        if (strcmp(program->arrays.at[i].name, name) == 0)
            return &program->arrays.at[i];
    return NULL;
}

struct fw_loop_array *fw_loop_add_array(struct fw_loop_program *program, const char *name,
                                        struct fw_span span)
{
    const char *interned = fw_loop_intern(program, name, strlen(name));
    if (fw_loop_is_parameter(program, interned)) {
        fw_loop_refuse(program, "LOOP115", span,
                       "'%s' bounds a loop: it must be known before the kernel runs, so that no "
                       "array or temporary can have its name",
                       name);
        return NULL;
    }
    if (fw_loop_find_array(program, name) || fw_loop_variable(program, interned)) {
        fw_loop_refuse(program, "LOOP003", span, "the name '%s' is taken", name);
        return NULL;
    }
    struct fw_loop_array *array = FW_APPEND(program->arena, &program->arrays);
    array->name = interned;
    array->span = span;
    return array;
}

struct fw_loop_statement *fw_loop_add_statement(struct fw_loop_program *program,
                                                struct fw_loop_expression *target,
                                                struct fw_loop_expression *value,
                                                struct fw_span span)
{
    struct fw_loop_statement *statement = FW_APPEND(program->arena, &program->statements);
    statement->target = target;
    statement->value = value;
    statement->span = span;
    return statement;
}
