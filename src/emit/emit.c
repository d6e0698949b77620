/* Emission: one kernel as text, its arguments, its launch. */
#include "emit_internal.h"

#include "checked.h"

#include <inttypes.h>
#include <string.h>

void emit_refuse(struct emitter *emitter, const char *code, struct fw_span span, const char *format,
                 ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = fw_arena_vprintf(emitter->arena, format, arguments);
    va_end(arguments);
    if (emitter->status == FW_OK)
        fw_report(emitter->program->sink, FW_ERROR, code,
                  span.source ? span : fw_loop_source(emitter->program), "%s", message);
    emitter->status = FW_ERROR_INPUT;
}

static bool is_stored(const struct fw_loop_program *program, const char *name)
{
    for (size_t i = 0; i < program->statements.count; i++)
        if (program->statements.at[i].target->name == name)
            return true;
    return false;
}

/* Arrays in the order of their declaration, values, then the domains' parameters. */
static void find_arguments(struct emitter *emitter)
{
    const struct fw_loop_program *program = emitter->program;
    struct fw_emission *emission = emitter->emission;
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct fw_loop_array *array = &program->arrays.at[i];
        const struct layout *layout = &emitter->layouts[i];
        if (layout->space == FW_SPACE_REG || layout->space == FW_SPACE_SHARED)
            continue;
        struct fw_emit_argument *argument = FW_APPEND(emitter->arena, &emission->arguments);
        argument->name = emit_name(emitter, array->name);
        argument->type = array->type;
        argument->array = layout->space != FW_SPACE_PARAM;
        argument->stored = is_stored(program, array->name);
        argument->rank = array->rank;
        memcpy(argument->extents, layout->extents, sizeof(argument->extents));
    }
    for (size_t i = 0; i < program->parameters.count; i++) {
        struct fw_emit_argument *argument = FW_APPEND(emitter->arena, &emission->arguments);
        argument->name = emit_name(emitter, program->parameters.at[i]);
        argument->type = FW_TYPE_S32;
        argument->parameter = true;
    }
}

static enum fw_status emit_all(struct emitter *emitter)
{
    struct fw_ast_node *tree = NULL;
    if (emitter->program->statements.count == 0) {
        emit_refuse(emitter, "EMIT005", (struct fw_span){0}, "the program has no statements");
        return FW_ERROR_INPUT;
    }
    enum fw_status status = emit_layouts(emitter);
    if (status == FW_OK) {
        find_arguments(emitter);
        status = emit_tree(&tree, emitter);
    }
    if (status == FW_OK)
        emit_kernel(emitter, tree);
    return status == FW_OK ? emitter->status : status;
}

enum fw_status fw_emit(struct fw_emission **emission, struct fw_loop_program *program,
                       enum fw_emit_target target)
{
    struct fw_loop_schedule *schedule = NULL;
    *emission = NULL;
    jmp_buf exhausted;
    jmp_buf *before = fw_arena_on_exhausted(program->arena, &exhausted);
    enum fw_status status;
    if (setjmp(exhausted) == 0) {
        status = fw_loop_schedule_new(&schedule, program);
        if (status == FW_OK) {
            struct emitter *emitter = FW_NEW(program->arena, struct emitter);
            emitter->emission = FW_NEW(program->arena, struct fw_emission);
            emitter->emission->target = target;
            emitter->emission->schedule = schedule;
            emitter->program = schedule->program;
            emitter->schedule = schedule;
            emitter->launch = schedule->launch;
            emitter->arena = program->arena;
            emitter->target = target;
            emitter->phased = target == FW_EMIT_C && schedule->barriers.count > 0;
            emitter->emission->name =
                emit_name(emitter, program->name ? program->name : "computation");
            status = emit_all(emitter);
            if (status == FW_OK)
                *emission = emitter->emission;
        }
    } else {
        status = fw_arena_status(program->arena);
    }
    fw_arena_on_exhausted(program->arena, before);
    return status;
}

enum fw_status fw_emission_launch(int64_t grid[3], int64_t block[3],
                                  const struct fw_emission *emission, const char *const *names,
                                  const int64_t *values, size_t bound)
{
    const struct fw_loop_launch *launch = emission->schedule->launch;
    for (unsigned a = 0; a < FW_LOOP_AXES; a++) {
        const struct fw_loop_axis *blocks = &launch->axes[FW_LOOP_OF_BLOCKS][a];
        const struct fw_loop_axis *threads = &launch->axes[FW_LOOP_OF_THREADS][a];
        int64_t last = 0;
        block[a] = threads->used ? threads->extent : 1;
        if (blocks->used) {
            enum fw_status status = fw_ast_evaluate(&last, blocks->last, names, values, bound);
            if (status != FW_OK)
                return status;
        }
        grid[a] = last + 1;
    }
    return FW_OK;
}

enum fw_status fw_emission_elements(int64_t *elements, const struct fw_emit_argument *argument,
                                    const char *const *names, const int64_t *values, size_t bound)
{
    *elements = 1;
    for (uint32_t d = 0; d < argument->rank; d++) {
        int64_t extent = 0;
        if (!argument->extents[d])
            return FW_ERROR_INPUT;
        enum fw_status status =
            fw_ast_evaluate(&extent, argument->extents[d], names, values, bound);
        if (status != FW_OK)
            return status;
        if (fw_multiply_overflows(*elements, extent, elements))
            return FW_ERROR_OVERFLOW;
    }
    return FW_OK;
}
