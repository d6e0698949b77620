/* Calls: a function's statements put in the place of a call, on the caller's arrays. */
#include "loop_internal.h"

#include <string.h>

enum { STATEMENTS_MOST = 2000 };

/* What a name of the function is at the call. */
struct binding {
    const char *name; /* the function's */
    const char *ours; /* loops and temporaries: their name here; else NULL */
    struct fw_loop_expression *argument;
    uint32_t slices;                   /* of the argument's subscripts */
    const struct fw_loop_array *array; /* the function's; NULL: a loop or parameter */
};

struct call {
    struct fw_loop_program *program;
    const struct fw_loop_program *function;
    FW_VECTOR(struct binding) bindings;
    struct fw_span span;
};

struct fw_loop_expression *fw_loop_slice(struct fw_loop_program *program)
{
    struct fw_span nowhere = {0};
    return fw_loop_access(program, ":", NULL, NULL, 0, nowhere);
}

bool fw_loop_is_slice(const struct fw_loop_expression *expression)
{
    return expression->kind == FW_LOOP_NAME && strcmp(expression->name, ":") == 0;
}

static struct binding *find_binding(const struct call *call, const char *name)
{
    for (size_t i = 0; i < call->bindings.count; i++)
        if (strcmp(call->bindings.at[i].name, name) == 0)
            return &call->bindings.at[i];
    return NULL;
}

static struct binding *add_binding(struct call *call, const char *name)
{
    struct binding *binding = FW_APPEND(call->program->arena, &call->bindings);
    binding->name = name;
    return binding;
}

static bool is_taken(const struct call *call, const char *name)
{
    const struct fw_loop_program *program = call->program, *function = call->function;
    const char *interned = fw_loop_intern(call->program, name, strlen(name));
    for (size_t i = 0; i < function->variables.count; i++)
        if (strcmp(function->variables.at[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < function->parameters.count; i++)
        if (strcmp(function->parameters.at[i], name) == 0)
            return true;
    for (size_t i = 0; i < program->statements.count; i++)
        if (program->statements.at[i].id == interned)
            return true;
    return fw_loop_variable(program, interned) || fw_loop_is_parameter(program, interned) ||
           fw_loop_find_array(program, name) || fw_loop_find_array(function, name);
}

/* FUNCTION_NAME, with a number behind it when that is taken. */
static const char *fresh_name(struct call *call, const char *name)
{
    struct fw_arena *arena = call->program->arena;
    const char *function = call->function->name ? call->function->name : "call";
    char *made = fw_arena_printf(arena, "%s_%s", function, name);
    for (unsigned i = 2; is_taken(call, made); i++)
        made = fw_arena_printf(arena, "%s_%s_%u", function, name, i);
    return fw_loop_intern(call->program, made, strlen(made));
}

/* ---- what the function takes and gives ---- */

static void see_arrays(const struct call *call, fw_loop_names *names,
                       const struct fw_loop_expression *expression)
{
    bool plain = expression->kind == FW_LOOP_NAME;
    if (expression->kind == FW_LOOP_ACCESS || plain) {
        const struct fw_loop_program *function = call->function;
        bool is_loop = false;
        for (size_t i = 0; i < function->variables.count; i++)
            is_loop = is_loop || strcmp(function->variables.at[i].name, expression->name) == 0;
        for (size_t i = 0; i < function->parameters.count; i++)
            is_loop = is_loop || strcmp(function->parameters.at[i], expression->name) == 0;
        const struct fw_loop_array *array = fw_loop_find_array(function, expression->name);
        if (!is_loop && (!array || !array->temporary))
            fw_loop_names_add(call->program->arena, names, expression->name);
    }
    for (uint32_t i = 0; i < expression->operand_count; i++)
        see_arrays(call, names, expression->operands[i]);
}

/* The arrays that it stores, and what it takes: as stated, else its parameters, then the arrays
 * that it reads and does not store, in the order in which they are met. */
static void find_formals(const struct call *call, fw_loop_names *stored, fw_loop_names *taken)
{
    const struct fw_loop_program *function = call->function;
    struct fw_arena *arena = call->program->arena;
    fw_loop_names read = {0};
    for (size_t i = 0; i < function->statements.count; i++) {
        const struct fw_loop_statement *statement = &function->statements.at[i];
        const struct fw_loop_array *array = fw_loop_find_array(function, statement->target->name);
        if (!array || !array->temporary)
            fw_loop_names_add(arena, stored, statement->target->name);
        see_arrays(call, &read, statement->value);
        for (uint32_t j = 0; j < statement->target->operand_count; j++)
            see_arrays(call, &read, statement->target->operands[j]);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            see_arrays(call, &read, statement->conditions[j]);
    }
    for (uint32_t i = 0; i < function->formal_count; i++)
        fw_loop_names_add(arena, taken, function->formals[i]);
    for (size_t i = 0; !function->formals_given && i < function->parameters.count; i++)
        fw_loop_names_add(arena, taken, function->parameters.at[i]);
    for (size_t i = 0; !function->formals_given && i < read.count; i++)
        if (!fw_loop_has(stored->at, (uint32_t)stored->count, read.at[i]))
            fw_loop_names_add(arena, taken, read.at[i]);
}

static enum fw_status bind_all(struct call *call, const fw_loop_names *names,
                               struct fw_loop_expression *const *arguments, uint32_t count,
                               const char *what)
{
    if (names->count != count)
        return fw_loop_refuse(call->program, "LOOP100", call->span, "'%s' %s %zu, not %u",
                              call->function->name, what, names->count, count);
    for (uint32_t i = 0; i < count; i++) {
        struct binding *binding = add_binding(call, names->at[i]);
        binding->argument = arguments[i];
        binding->array = fw_loop_find_array(call->function, names->at[i]);
        for (uint32_t j = 0; j < arguments[i]->operand_count; j++)
            binding->slices += fw_loop_is_slice(arguments[i]->operands[j]);
    }
    return FW_OK;
}

/* ---- copies ---- */

static struct fw_loop_expression *copy_of(struct call *call,
                                          const struct fw_loop_expression *expression, bool *fits);

/* An element of an argument: its slices take the subscripts in turn; a whole array takes all. */
static struct fw_loop_expression *element_of(struct call *call, const struct binding *binding,
                                             const struct fw_loop_expression *access, bool *fits)
{
    struct fw_loop_expression *argument = binding->argument;
    struct fw_loop_expression *subscripts[FW_LOOP_RANK_MOST];
    bool plain = argument->kind == FW_LOOP_NAME || argument->kind == FW_LOOP_ACCESS;
    uint32_t given = access->operand_count, used = 0, count = argument->operand_count;
    if (given == 0 && binding->slices == 0)
        return argument; /* a value */
    bool whole = plain && count == 0;
    if (!plain || (whole ? given : count) > FW_LOOP_RANK_MOST ||
        (!whole && binding->slices != given)) {
        fw_loop_refuse(call->program, "LOOP101", call->span,
                       "'%s' has %u subscripts in '%s': the argument has %u of ':'", binding->name,
                       given, call->function->name, binding->slices);
        *fits = false;
        return NULL;
    }
    count = whole ? given : count;
    for (uint32_t i = 0; i < count; i++)
        subscripts[i] = whole || fw_loop_is_slice(argument->operands[i])
                            ? copy_of(call, access->operands[used++], fits)
                            : argument->operands[i];
    const char *tag = access->tag ? access->tag : argument->tag;
    return *fits ? fw_loop_access(call->program, argument->name, tag, subscripts, count, call->span)
                 : NULL;
}

/* A copy on the caller's names. */
static struct fw_loop_expression *copy_of(struct call *call,
                                          const struct fw_loop_expression *expression, bool *fits)
{
    bool names = expression->kind == FW_LOOP_NAME || expression->kind == FW_LOOP_ACCESS;
    const struct binding *binding = names ? find_binding(call, expression->name) : NULL;
    if (binding && binding->argument)
        return element_of(call, binding, expression, fits);
    struct fw_loop_program *program = call->program;
    struct fw_loop_expression *copy =
        fw_arena_copy(program->arena, expression, sizeof(*expression));
    if (expression->name)
        copy->name = fw_loop_intern(program, expression->name, strlen(expression->name));
    if (expression->tag)
        copy->tag = fw_loop_intern(program, expression->tag, strlen(expression->tag));
    if (binding)
        copy->name = binding->ours;
    copy->operands =
        FW_ARRAY(program->arena, struct fw_loop_expression *, expression->operand_count + 1);
    for (uint32_t i = 0; i < expression->operand_count && *fits; i++) {
        copy->operands[i] = copy_of(call, expression->operands[i], fits);
        *fits = *fits && copy->operands[i] && copy->operands[i]->depth < FW_LOOP_DEPTH_MOST;
        if (*fits && copy->operands[i]->depth + 1 > copy->depth)
            copy->depth = copy->operands[i]->depth + 1;
    }
    copy->loops = FW_ARRAY(program->arena, const char *, expression->loop_count + 1);
    for (uint32_t i = 0; i < expression->loop_count; i++) {
        const struct binding *loop = find_binding(call, expression->loops[i]);
        copy->loops[i] = loop && loop->ours ? loop->ours
                                            : fw_loop_intern(program, expression->loops[i],
                                                             strlen(expression->loops[i]));
    }
    return copy;
}

/* The function's condition with the caller's names: first all names become new ones, then
 * parameters what they are here, so that equal names of both do not mix. */
static enum fw_status condition_of(struct call *call, char **result, const char *condition)
{
    struct fw_loop_program *program = call->program;
    char *text = fw_arena_text(program->arena, condition, strlen(condition));
    for (size_t i = 0; i < call->bindings.count; i++)
        if (call->bindings.at[i].ours && !call->bindings.at[i].array)
            text = fw_loop_replace(program, text, call->bindings.at[i].name,
                                   call->bindings.at[i].ours);
    for (int phase = 0; phase < 2; phase++)
        for (size_t i = 0; i < call->function->parameters.count; i++) {
            const char *name = call->function->parameters.at[i];
            char *between = fw_arena_printf(program->arena, "callee__%zu", i);
            const struct binding *binding = find_binding(call, name);
            struct fw_buffer with = fw_buffer_new(program->arena);
            if (!binding || !binding->argument)
                continue; /* the caller's of that name */
            bool fresh = binding->argument->kind == FW_LOOP_NAME &&
                         !fw_loop_is_slice(binding->argument) &&
                         !fw_loop_find_array(program, binding->argument->name);
            if (fresh) /* a loop, a parameter, or one from now on */
                fw_buffer_printf(&with, "%s", binding->argument->name);
            else if (!fw_loop_affine(program, &with, binding->argument))
                return fw_loop_refuse(program, "LOOP102", call->span,
                                      "the parameter '%s' of '%s' must be given a value that is "
                                      "affine in loop names and parameters",
                                      name, call->function->name);
            text = phase == 0 ? fw_loop_replace(program, text, name, between)
                              : fw_loop_replace(program, text, between, with.text);
        }
    *result = text;
    return FW_OK;
}

static enum fw_status add_domains(struct call *call)
{
    struct fw_loop_program *program = call->program;
    for (size_t i = 0; i < call->function->variables.count; i++) {
        const char *name = call->function->variables.at[i].name;
        const char *ours = fresh_name(call, name);
        add_binding(call, name)->ours = ours;
    }
    for (size_t i = 0; i < call->function->domains.count; i++) {
        const struct fw_loop_domain *domain = &call->function->domains.at[i];
        char *condition = NULL;
        enum fw_status status = condition_of(call, &condition, domain->condition);
        struct fw_buffer text = fw_buffer_new(program->arena);
        fw_buffer_printf(&text, "{ ");
        for (uint32_t j = 0; j < domain->name_count; j++)
            fw_buffer_printf(&text, "%s%s", j ? ", " : "[",
                             find_binding(call, domain->names[j])->ours);
        fw_buffer_printf(&text, "%s : ", domain->name_count ? "]" : "");
        if (status == FW_OK) {
            fw_buffer_printf(&text, "%s }", condition);
            status = fw_loop_add_domain(program, text.text, call->span);
        }
        if (status != FW_OK)
            return status;
    }
    return FW_OK;
}

static enum fw_status add_temporaries(struct call *call)
{
    struct fw_loop_program *program = call->program;
    for (size_t i = 0; i < call->function->arrays.count; i++) {
        struct fw_loop_array *from = &call->function->arrays.at[i];
        const struct binding *formal = find_binding(call, from->name);
        if (formal) {
            const char *name = formal->argument->name;
            bool element =
                formal->argument->kind == FW_LOOP_NAME || formal->argument->kind == FW_LOOP_ACCESS;
            struct fw_loop_array *ours = element ? fw_loop_find_array(program, name) : NULL;
            if (ours && !ours->type)
                ours->type = from->type;
            continue;
        }
        if (!from->temporary)
            continue; /* declared and never used */
        const char *name = fresh_name(call, from->name);
        struct fw_loop_array *array = fw_loop_add_array(program, name, call->span);
        if (!array)
            return FW_ERROR_INPUT;
        const char *kept = array->name;
        *array = *from;
        array->name = kept;
        array->span = call->span;
        struct binding *binding = add_binding(call, from->name);
        binding->ours = kept;
        binding->array = from;
        if (from->extents)
            array->extents = FW_ARRAY(program->arena, const char *, from->rank + 1);
        for (uint32_t d = 0; from->extents && d < from->rank; d++) {
            char *extent = NULL;
            enum fw_status status = condition_of(call, &extent, from->extents[d]);
            if (status != FW_OK)
                return status;
            program->arrays.at[program->arrays.count - 1].extents[d] = extent;
        }
    }
    return FW_OK;
}

/* ---- statements ---- */

static const char *id_of(struct call *call, const fw_loop_names *ids, const fw_loop_names *ours,
                         const char *id)
{
    for (size_t i = 0; i < ids->count; i++)
        if (strcmp(ids->at[i], id) == 0)
            return ours->at[i];
    return fw_loop_intern(call->program, id, strlen(id));
}

static void place(struct call *call, struct fw_loop_statement *statement,
                  const struct fw_loop_statement *from, const struct fw_loop_statement *around)
{
    struct fw_arena *arena = call->program->arena;
    fw_loop_names loops = {0}, words = {0};
    for (uint32_t i = 0; i < around->loop_count; i++)
        fw_loop_names_add(arena, &loops, around->loops[i]);
    for (uint32_t i = 0; i < from->loop_count; i++) {
        const struct binding *loop = find_binding(call, from->loops[i]);
        const char *ours = loop && loop->ours ? loop->ours
                                              : fw_loop_intern(call->program, from->loops[i],
                                                               strlen(from->loops[i]));
        fw_loop_names_add(arena, &loops, ours);
    }
    /* Every statement of a call stands in the loops that the call mentions. */
    for (size_t i = 0; i < call->bindings.count; i++)
        if (call->bindings.at[i].argument)
            fw_loop_mentioned(call->program, &words, call->bindings.at[i].argument);
    for (size_t i = 0; i < words.count; i++)
        if (fw_loop_variable(call->program, words.at[i]))
            fw_loop_names_add(arena, &loops, words.at[i]);
    statement->loops = loops.at;
    statement->loop_count = (uint32_t)loops.count;
    statement->loops_given = from->loops_given;
    statement->tags = around->tags;
    statement->tag_count = around->tag_count;
}

static enum fw_status add_statement(struct call *call, const struct fw_loop_statement *from,
                                    const struct fw_loop_statement *around,
                                    const fw_loop_names *ids, const fw_loop_names *ours)
{
    struct fw_loop_program *program = call->program;
    bool fits = true;
    struct fw_loop_expression *target = copy_of(call, from->target, &fits);
    struct fw_loop_expression *value = fits ? copy_of(call, from->value, &fits) : NULL;
    uint32_t conditions = from->condition_count + around->condition_count;
    struct fw_loop_expression **all =
        FW_ARRAY(program->arena, struct fw_loop_expression *, conditions + 1);
    for (uint32_t i = 0; i < conditions && fits; i++)
        all[i] = i < around->condition_count
                     ? around->conditions[i]
                     : copy_of(call, from->conditions[i - around->condition_count], &fits);
    if (!fits || !target || !value)
        return fw_loop_refuse(program, "LOOP103", call->span, "'%s' cannot be put in place here",
                              call->function->name);
    if (program->statements.count >= STATEMENTS_MOST)
        return fw_loop_refuse(program, "LOOP104", call->span, "more than %d statements",
                              STATEMENTS_MOST);
    struct fw_loop_statement *statement = fw_loop_add_statement(program, target, value, from->span);
    statement->conditions = all;
    statement->condition_count = conditions;
    place(call, statement, from, around);
    statement->id = from->id ? id_of(call, ids, ours, from->id) : around->id;
    fw_loop_names after = {0};
    for (uint32_t i = 0; i < around->after_count; i++)
        fw_loop_names_add(program->arena, &after, around->after[i]);
    for (uint32_t i = 0; i < from->after_count; i++)
        fw_loop_names_add(program->arena, &after, id_of(call, ids, ours, from->after[i]));
    statement->after = after.at;
    statement->after_count = (uint32_t)after.count;
    return FW_OK;
}

enum fw_status fw_loop_call(struct fw_loop_program *program, const struct fw_loop_program *function,
                            struct fw_loop_expression *const *results, uint32_t result_count,
                            struct fw_loop_expression *const *arguments, uint32_t argument_count,
                            const struct fw_loop_statement *around, struct fw_span span)
{
    struct call call = {.program = program, .function = function, .span = span};
    fw_loop_names stored = {0}, taken = {0}, ids = {0}, ours = {0};
    find_formals(&call, &stored, &taken);
    /* Parameters may be left out: they are the caller's of the same names. */
    size_t parameters = function->parameters.count;
    if (!function->formals_given && argument_count + parameters == taken.count) {
        taken.at += parameters;
        taken.count -= parameters;
    }
    enum fw_status status = bind_all(&call, &stored, results, result_count, "gives");
    if (status == FW_OK)
        status = bind_all(&call, &taken, arguments, argument_count, "takes");
    if (status == FW_OK)
        status = add_domains(&call);
    if (status == FW_OK)
        status = add_temporaries(&call);
    for (size_t i = 0; i < function->statements.count; i++)
        if (function->statements.at[i].id) {
            *FW_APPEND(program->arena, &ids) = function->statements.at[i].id;
            *FW_APPEND(program->arena, &ours) = fresh_name(&call, function->statements.at[i].id);
        }
    for (size_t i = 0; status == FW_OK && i < function->statements.count; i++)
        status = add_statement(&call, &function->statements.at[i], around, &ids, &ours);
    return status;
}
