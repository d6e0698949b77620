/* Statistics: the launch that a program's tags state. */
#include "loop_gather.h"

#include <string.h>

const char *fw_gather_axis_name(struct fw_arena *arena, unsigned axis)
{
    return fw_arena_printf(arena, "block__%u", axis);
}

/* "(exists (... : conditions with `value` for the name))"; all names other than the value's are
 * bound, under names of their own. */
static char *axis_condition(struct gather *gather, const char *name, const char *value)
{
    struct fw_loop_program *program = gather->program;
    struct fw_buffer buffer = fw_buffer_new(gather->arena);
    fw_loop_names names = {0};
    fw_loop_names_add(gather->arena, &names, name);
    char *conditions = fw_loop_conditions(program, &names);
    conditions = fw_loop_replace(program, conditions, name, value);
    for (size_t i = 1; i < names.count; i++) {
        char *hidden = fw_arena_printf(gather->arena, "%s__%s", names.at[i], value);
        conditions = fw_loop_replace(program, conditions, names.at[i], hidden);
        fw_buffer_printf(&buffer, "%s%s", i > 1 ? ", " : "(exists (", hidden);
    }
    fw_buffer_printf(&buffer, names.count > 1 ? " : %s))" : "(%s)", conditions);
    return buffer.text;
}

static enum fw_status thread_extent(struct gather *gather, const struct fw_loop_variable *variable)
{
    struct fw_loop_program *program = gather->program;
    fw_loop_names names = {0};
    fw_loop_names_add(gather->arena, &names, variable->name);
    char *conditions = fw_loop_conditions(program, &names);
    char *text = fw_loop_set_text(program, &variable->name, 1, &names, conditions, true);
    struct fw_set *set = NULL;
    struct fw_count *count = NULL;
    struct fw_span nowhere = {0};
    mpz_t value;
    mpz_init(value);
    enum fw_status status = fw_loop_set(&set, program, text, nowhere);
    if (status == FW_OK)
        status = fw_set_count(&count, set, NULL, NULL);
    if (status == FW_OK)
        status = fw_count_evaluate(value, count, program->poly, NULL);
    if (status == FW_OK && (!mpz_fits_slong_p(value) || mpz_cmp_si(value, 65536) > 0))
        status = FW_ERROR_INPUT;
    int64_t *extent = &gather->threads[variable->tag.axis];
    if (status == FW_OK && mpz_get_si(value) > *extent)
        *extent = mpz_get_si(value);
    if (status == FW_ERROR_INPUT)
        fw_loop_refuse(program, "LOOP031", nowhere,
                       "the thread axis of '%s' has no constant bound "
                       "that a block could have",
                       variable->name);
    mpz_clear(value);
    fw_count_free(count);
    fw_set_free(set);
    return status;
}

/* How many blocks there are along the axes. */
static enum fw_status count_blocks(struct gather *gather)
{
    struct fw_span nowhere = {0};
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++) {
        if (!gather->blocks[axis])
            continue;
        const char *name = fw_gather_axis_name(gather->arena, axis);
        char *text = fw_arena_printf(gather->arena, "%s{ [%s] : %s }",
                                     fw_loop_prefix(gather->program), name, gather->blocks[axis]);
        uint32_t index = 0;
        enum fw_status status = fw_gather_count(gather, &index, text, nowhere);
        if (status != FW_OK)
            return status;
        const struct fw_count *count = gather->counts.at[index];
        const int64_t once = 1;
        status = fw_count_add(&gather->statistics->blocks[axis], &count, &once, 1);
        if (status != FW_OK)
            return status;
    }
    return FW_OK;
}

enum fw_status fw_gather_launch(struct gather *gather)
{
    struct fw_loop_program *program = gather->program;
    uint32_t warp = gather->options->warp_size ? gather->options->warp_size : 32;
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct fw_loop_variable *variable = &program->variables.at[i];
        unsigned axis = variable->tag.axis;
        enum fw_status status = FW_OK;
        if (variable->tag.kind == FW_LOOP_THREAD)
            status = thread_extent(gather, variable);
        if (status != FW_OK)
            return status;
        if (variable->tag.kind == FW_LOOP_BLOCK) {
            char *one =
                axis_condition(gather, variable->name, fw_gather_axis_name(gather->arena, axis));
            gather->blocks[axis] = gather->blocks[axis] ? fw_arena_printf(gather->arena, "%s or %s",
                                                                          gather->blocks[axis], one)
                                                        : one;
        }
    }
    int64_t threads = 1;
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
        threads *= gather->threads[axis] ? gather->threads[axis] : 1;
    memcpy(gather->statistics->threads, gather->threads, sizeof(gather->threads));
    gather->statistics->block_threads = threads;
    gather->warps = (threads + warp - 1) / warp;
    return count_blocks(gather);
}
