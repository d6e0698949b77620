/* The launch of a program: axes and their extents. */
#include "loop_launch.h"
#include "loop_points.h"

#include <inttypes.h>
#include <string.h>

enum { THREADS_MOST = 1024 };

static const char *const side_names[FW_LOOP_SIDES] = {"block", "thread"};

const struct fw_loop_axis *fw_loop_axis_of(const struct fw_loop_launch *launch,
                                           const struct fw_loop_variable *variable)
{
    if (variable->tag.kind == FW_LOOP_BLOCK)
        return &launch->axes[FW_LOOP_OF_BLOCKS][variable->tag.axis];
    if (variable->tag.kind == FW_LOOP_THREAD)
        return &launch->axes[FW_LOOP_OF_THREADS][variable->tag.axis];
    return NULL;
}

/* "exists (names, : conditions and x = name - low)"; every name gets a suffix of the variable's. */
static char *values_of(struct fw_loop_program *program, const char *name, int64_t low,
                       const char *x)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_loop_names names = {0};
    fw_loop_names_add(program->arena, &names, name);
    char *conditions = fw_loop_conditions(program, &names);
    fw_buffer_printf(&buffer, "(exists (");
    for (size_t i = 0; i < names.count; i++) {
        char *hidden = fw_arena_printf(program->arena, "%s__of_%s", names.at[i], name);
        conditions = fw_loop_replace(program, conditions, names.at[i], hidden);
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "", hidden);
    }
    fw_buffer_printf(&buffer, " : %s and %s = %s__of_%s - (%" PRId64 ")))", conditions, x, name,
                     name, low);
    return buffer.text;
}

/* "{ [x] : exists (...) }", closed over parameters and assumptions when `closed`. */
static char *one_set(struct fw_loop_program *program, const char *condition, bool closed)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_buffer_printf(&buffer, "%s{ [x__] : ", closed ? "[] -> " : fw_loop_prefix(program));
    if (closed && program->parameters.count) {
        for (size_t i = 0; i < program->parameters.count; i++)
            fw_buffer_printf(&buffer, "%s%s", i ? ", " : "exists (", program->parameters.at[i]);
        fw_buffer_printf(&buffer, " : ");
    }
    fw_buffer_printf(&buffer, "%s%s%s", condition, program->assumptions ? " and " : "",
                     program->assumptions ? program->assumptions : "");
    fw_buffer_printf(&buffer, closed && program->parameters.count ? ") }" : " }");
    return buffer.text;
}

static enum fw_status add_loop(struct fw_loop_launch *launch, struct fw_loop_program *program,
                               size_t index)
{
    const struct fw_loop_variable *variable = &program->variables.at[index];
    struct fw_loop_axis *axis = (struct fw_loop_axis *)(uintptr_t)fw_loop_axis_of(launch, variable);
    bool thread = variable->tag.kind == FW_LOOP_THREAD;
    int64_t least = 0, greatest = 0;
    bool bounded = false;
    char *all = one_set(program, values_of(program, variable->name, 0, "x__"), true);
    enum fw_status status = fw_loop_range(&least, &greatest, &bounded, program, all);
    struct fw_span place = fw_loop_variable_span(program, variable);
    if (status == FW_ERROR_BUDGET || status == FW_ERROR_MEMORY)
        return fw_loop_undecided(program, status, place);
    if (least == INT64_MIN || (thread && !bounded))
        return fw_loop_refuse(program, "LOOP060", place,
                              "'%s' is on an axis of %ss, but its range has no constant %s",
                              variable->name, thread ? "thread" : "block",
                              thread ? "bounds" : "lower bound");
    launch->low[index] = least;
    int64_t extent = bounded ? greatest - least + 1 : 0;
    char *reach = values_of(program, variable->name, least, "last__");
    /* All indices up to the last: loops that leave some out have guards. */
    char *below =
        fw_arena_printf(program->arena, "(exists (last__ : 0 <= x__ <= last__ and %s))", reach);
    axis->extent_set = axis->extent_set
                           ? fw_arena_printf(program->arena, "%s or %s", axis->extent_set, below)
                           : below;
    if (!axis->used)
        axis->extent = extent;
    else if (!extent || !axis->extent)
        axis->extent = 0;
    else if (extent > axis->extent)
        axis->extent = extent;
    axis->used = true;
    return FW_OK;
}

static enum fw_status finish_axis(struct fw_loop_program *program, struct fw_loop_axis *axis,
                                  bool blocks)
{
    const char *const kept[1] = {"x__"};
    fw_loop_names none = {0};
    char *condition = fw_loop_simplified(program, kept, 1, &none, axis->extent_set, NULL);
    /* A block has as many threads as it may need for any parameters. */
    axis->points =
        blocks ? fw_loop_replace(program, condition, "x__", axis->name)
               : fw_arena_printf(program->arena, "0 <= %s < %" PRId64, axis->name, axis->extent);
    axis->extent_set =
        fw_arena_printf(program->arena, "%s{ [x__] : %s }", fw_loop_prefix(program), condition);
    if (!blocks)
        return FW_OK;
    char *context = fw_arena_printf(program->arena, "%s{ : %s }", fw_loop_prefix(program),
                                    program->assumptions ? program->assumptions : "0 = 0");
    enum fw_status status =
        fw_ast_extreme(&axis->last, program->poly, program->arena, axis->extent_set, context, true);
    if (status == FW_ERROR_INPUT)
        return fw_loop_refuse(program, "LOOP061", fw_loop_source(program),
                              "the number of blocks along %s is not bounded", axis->name);
    return status;
}

enum fw_status fw_loop_launch_new(struct fw_loop_launch **launch, struct fw_loop_program *program)
{
    struct fw_loop_launch *made = FW_NEW(program->arena, struct fw_loop_launch);
    made->low = FW_ARRAY(program->arena, int64_t, program->variables.count);
    made->threads = 1;
    *launch = made;
    for (unsigned side = 0; side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; a < FW_LOOP_AXES; a++)
            made->axes[side][a].name =
                fw_arena_printf(program->arena, "%s__%u", side_names[side], a);
    enum fw_status status = FW_OK;
    for (size_t i = 0; status == FW_OK && i < program->variables.count; i++)
        if (fw_loop_axis_of(made, &program->variables.at[i]))
            status = add_loop(made, program, i);
    for (unsigned side = 0; side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; status == FW_OK && a < FW_LOOP_AXES; a++) {
            struct fw_loop_axis *axis = &made->axes[side][a];
            if (!axis->used)
                continue;
            status = finish_axis(program, axis, side == FW_LOOP_OF_BLOCKS);
            if (side == FW_LOOP_OF_THREADS && axis->extent <= THREADS_MOST)
                made->threads *= axis->extent;
            else if (side == FW_LOOP_OF_THREADS)
                made->threads = THREADS_MOST + 1;
        }
    if (status == FW_OK && made->threads > THREADS_MOST)
        return fw_loop_refuse(program, "LOOP062", fw_loop_source(program),
                              "a block would have %" PRId64 " threads: %d are the most",
                              made->threads, THREADS_MOST);
    return status;
}

char *fw_loop_axis_conditions(const struct fw_loop_launch *launch, struct fw_loop_program *program,
                              const char *const *loops, uint32_t count, const char *suffix)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_buffer_printf(&buffer, "0 = 0");
    for (uint32_t i = 0; i < count; i++) {
        const struct fw_loop_variable *variable = fw_loop_variable(program, loops[i]);
        const struct fw_loop_axis *axis = fw_loop_axis_of(launch, variable);
        if (axis)
            fw_buffer_printf(&buffer, " and %s%s = %s%s - (%" PRId64 ")", axis->name, suffix,
                             variable->name, suffix, launch->low[variable - program->variables.at]);
    }
    return buffer.text;
}
