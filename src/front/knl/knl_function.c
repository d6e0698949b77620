/* Functions and kernels of a text: where they begin and end, and calls. */
#include "knl_internal.h"

#include <ctype.h>
#include <string.h>

/* ---- kernels ---- */

size_t knl_name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return isdigit((unsigned char)*text) ? 0 : length;
}

const char *knl_kernel_line(const char *at, const char **name, size_t *length)
{
    while (*at) {
        const char *line = at + strspn(at, " \t\r");
        const char *word = line + strlen("kernel");
        if (strncmp(line, "kernel", strlen("kernel")) == 0 && (*word == ' ' || *word == '\t')) {
            *name = word + strspn(word, " \t");
            *length = knl_name_length(*name);
            if (*length)
                return line;
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return NULL;
}

enum fw_status fw_knl_kernels(const char *const **names, size_t *count, struct fw_arena *arena,
                              const struct fw_source *source)
{
    FW_VECTOR(const char *) list = {0};
    const char *name;
    size_t length;
    jmp_buf exhausted;
    jmp_buf *before = fw_arena_on_exhausted(arena, &exhausted);
    enum fw_status status = FW_ERROR_MEMORY;
    *names = NULL;
    *count = 0;
    if (setjmp(exhausted) == 0) {
        const char *at = source->text;
        while ((at = knl_kernel_line(at, &name, &length)) != NULL) {
            *FW_APPEND(arena, &list) = fw_arena_text(arena, name, length);
            at = name + length;
        }
        *names = list.at;
        *count = list.count;
        status = FW_OK;
    }
    fw_arena_on_exhausted(arena, before);
    return status;
}

/* ---- functions ---- */

enum fw_status knl_formals(knl_names *formals, struct knl *knl, struct fw_loop_program *program)
{
    enum fw_status status = knl_next(knl);
    while (status == FW_OK && !knl_is(knl, ")")) {
        if (knl->token.kind != TOKEN_NAME)
            return knl_fault(knl, "KNL002", "a name is expected here");
        *FW_APPEND(knl->arena, formals) =
            fw_loop_intern(program, knl->token.text, knl->token.length);
        status = knl_check_name(knl);
        if (status == FW_OK)
            status = knl_next(knl);
        if (status == FW_OK && knl_is(knl, ","))
            status = knl_next(knl);
        else if (status == FW_OK && !knl_is(knl, ")"))
            return knl_fault(knl, "KNL002", "')' is expected here");
    }
    return status;
}

static enum fw_status read_formals(struct knl *knl, struct fw_loop_program *program)
{
    knl_names formals = {0};
    program->formals_given = true;
    enum fw_status status = knl_formals(&formals, knl, program);
    program->formals = formals.at;
    program->formal_count = (uint32_t)formals.count;
    return status == FW_OK ? knl_next(knl) : status;
}

enum fw_status knl_function_begin(struct knl *knl)
{
    struct fw_span span = knl_span(knl, knl->token.text, knl->token.length);
    if (knl->caller || knl->frame_count)
        return knl_fault(knl, "KNL008", "a function stands in no other block");
    enum fw_status status = knl_next(knl);
    if (status == FW_OK && knl->token.kind != TOKEN_NAME)
        return knl_fault(knl, "KNL002", "a name is expected here");
    if (status != FW_OK)
        return status;
    struct fw_loop_program *program = fw_loop_new(knl->arena, knl->program->poly, knl->sink);
    program->name = fw_loop_intern(program, knl->token.text, knl->token.length);
    for (size_t i = 0; i < knl->functions.count; i++)
        if (strcmp(knl->functions.at[i].name, program->name) == 0)
            return knl_fault(knl, "KNL012", "there is a function '%s' already", program->name);
    status = knl_next(knl);
    if (status == FW_OK && knl_is(knl, "("))
        status = read_formals(knl, program);
    if (status != FW_OK)
        return status;
    if (knl->token.kind != TOKEN_LINE && knl->token.kind != TOKEN_END)
        return knl_fault(knl, "KNL002", "the line should end here");
    knl->at = knl->token.text;
    *FW_APPEND(knl->arena, &knl->functions) = (struct knl_function){program->name, program, span};
    knl->caller = knl->program;
    knl->program = program;
    knl->rules_before = knl->rules.count;
    return FW_OK;
}

enum fw_status knl_function_end(struct knl *knl)
{
    knl->program = knl->caller;
    knl->caller = NULL;
    knl->rules.count = knl->rules_before;
    return FW_OK;
}

/* ---- calls ---- */

/* The function that the token names; the one that is being read is not complete. */
static const struct knl_function *function_here(const struct knl *knl)
{
    size_t complete = knl->functions.count - (knl->caller ? 1 : 0);
    for (size_t i = 0; knl->token.kind == TOKEN_NAME && i < complete; i++)
        if (strlen(knl->functions.at[i].name) == knl->token.length &&
            memcmp(knl->functions.at[i].name, knl->token.text, knl->token.length) == 0)
            return &knl->functions.at[i];
    return NULL;
}

bool knl_is_call(const struct knl *knl)
{
    return function_here(knl) && knl->at[strspn(knl->at, " \t\r")] == '(';
}

static bool has_slices(const struct fw_loop_expression *expression)
{
    if (fw_loop_is_slice(expression))
        return true;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        if (has_slices(expression->operands[i]))
            return true;
    return false;
}

/* ":" stands for a whole subscript of an argument, nowhere deeper. */
static bool slices_fit(const struct fw_loop_expression *argument)
{
    bool array = argument->kind == FW_LOOP_ACCESS;
    for (uint32_t i = 0; i < argument->operand_count; i++)
        if (has_slices(argument->operands[i]) &&
            !(array && fw_loop_is_slice(argument->operands[i])))
            return false;
    return !fw_loop_is_slice(argument);
}

enum fw_status knl_call(struct knl *knl, const knl_expressions *targets,
                        struct fw_loop_statement *around, struct fw_span span)
{
    const struct knl_function function = *function_here(knl);
    knl_expressions arguments = {0};
    enum fw_status status = knl_next(knl);
    knl->slices = true;
    if (status == FW_OK)
        status = knl_next(knl); /* the bracket */
    if (status == FW_OK && knl_is(knl, ")"))
        status = knl_next(knl);
    else if (status == FW_OK)
        status = knl_list(&arguments, knl, ")");
    knl->slices = false;
    if (status == FW_OK && knl_is(knl, "{"))
        status = knl_options(knl, around);
    if (status != FW_OK)
        return status;
    for (size_t i = 0; i < targets->count + arguments.count; i++)
        if (!slices_fit(i < targets->count ? targets->at[i] : arguments.at[i - targets->count]))
            return knl_fault(knl, "KNL013", "':' stands for a whole subscript of an argument");
    return fw_loop_call(knl->program, function.program, targets->at, (uint32_t)targets->count,
                        arguments.at, (uint32_t)arguments.count, around, span);
}
