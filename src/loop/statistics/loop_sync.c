/* Statistics: barriers, from the order in which code will be generated. */
#include "loop_gather.h"
#include "loop_edit.h"
#include "loop_tree.h"
#include "loop_space.h"

/* How often all threads together wait at a barrier: its points in all blocks, times the threads. */
static enum fw_status add_barrier(struct gather *gather, struct sum_terms *all,
                                  const struct fw_loop_schedule *schedule,
                                  const struct fw_loop_barrier *barrier)
{
    struct fw_span nowhere = {0};
    struct fw_buffer text = fw_buffer_new(gather->arena);
    uint32_t index = 0, names = 0;
    fw_buffer_printf(&text, "%s{ [", fw_loop_prefix(gather->program));
    for (uint32_t i = 0; i < barrier->loop_count; i++)
        fw_buffer_printf(&text, "%s%s", names++ ? ", " : "", barrier->loops[i]);
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
        if (schedule->launch->axes[FW_LOOP_OF_BLOCKS][axis].used)
            fw_buffer_printf(&text, "%s%s", names++ ? ", " : "",
                             schedule->launch->axes[FW_LOOP_OF_BLOCKS][axis].name);
    fw_buffer_printf(&text, "] : (%s)", barrier->points);
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
        if (schedule->launch->axes[FW_LOOP_OF_BLOCKS][axis].used)
            fw_buffer_printf(&text, " and (%s)",
                             schedule->launch->axes[FW_LOOP_OF_BLOCKS][axis].points);
    fw_buffer_printf(&text, " }");
    enum fw_status status = fw_gather_count(gather, &index, text.text, nowhere);
    *FW_APPEND(gather->arena, &all->counts) = index;
    *FW_APPEND(gather->arena, &all->factors) = schedule->launch->threads;
    return status;
}

/* The expression with subscripts of shared arrays replaced by 0. */
static struct fw_loop_expression *blurred(struct fw_loop_program *program,
                                          const struct fw_loop_expression *expression)
{
    struct fw_loop_expression *copy =
        fw_arena_copy(program->arena, expression, sizeof(*expression));
    const struct fw_loop_array *array =
        expression->kind == FW_LOOP_ACCESS ? fw_loop_find_array(program, expression->name) : NULL;
    bool shared = array && array->space == FW_SPACE_SHARED;
    copy->operands =
        FW_ARRAY(program->arena, struct fw_loop_expression *, expression->operand_count + 1);
    for (uint32_t i = 0; i < expression->operand_count; i++)
        copy->operands[i] =
            shared ? fw_loop_integer(program, 0) : blurred(program, expression->operands[i]);
    return copy;
}

/* A copy whose shared arrays are one element each: all their accesses meet. */
static struct fw_loop_program *with_whole_arrays(struct fw_loop_program *program)
{
    struct fw_loop_program *copy = fw_loop_copy(program);
    for (size_t a = 0; a < copy->arrays.count; a++)
        copy->arrays.at[a].space = fw_loop_space(program, &program->arrays.at[a]);
    for (size_t s = 0; s < copy->statements.count; s++) {
        struct fw_loop_statement *statement = &copy->statements.at[s];
        statement->target = blurred(copy, statement->target);
        statement->value = blurred(copy, statement->value);
    }
    return copy;
}

/* The order and its barriers.  Statistics ask for no more than that: what else keeps a program from
 * becoming code (elements that nothing set, promises that were made of it) is told by whoever asks
 * for the code. */
static enum fw_status find_barriers(struct fw_loop_schedule **schedule,
                                    struct fw_loop_program *program)
{
    enum fw_status status = fw_loop_schedule_tree(schedule, program);
    if (status == FW_OK) {
        fw_loop_simplify_statements((*schedule)->program);
        status = fw_loop_launch_new(&(*schedule)->launch, (*schedule)->program);
    }
    return status == FW_OK ? fw_loop_place_barriers(*schedule) : status;
}

void fw_gather_barriers(struct gather *gather)
{
    struct fw_loop_program *program = gather->program;
    struct fw_loop_statistics *statistics = gather->statistics;
    const struct fw_sink *sink = program->sink;
    struct fw_loop_schedule *schedule = NULL;
    struct sum_terms all = {0};
    program->sink = NULL;
    enum fw_status status = find_barriers(
        &schedule, gather->options->whole_arrays ? with_whole_arrays(program) : program);
    if (status == FW_OK)
        status = fw_loop_schedule_barriers(&statistics->waits, schedule);
    for (size_t b = 0; status == FW_OK && b < schedule->barriers.count; b++)
        status = add_barrier(gather, &all, schedule, &schedule->barriers.at[b]);
    program->sink = sink;
    if (status != FW_OK)
        return;
    const struct fw_count **counts =
        FW_ARRAY(gather->arena, const struct fw_count *, all.counts.count + 1);
    for (size_t i = 0; i < all.counts.count; i++)
        counts[i] = gather->counts.at[all.counts.at[i]];
    statistics->scheduled = !counts[0] || fw_count_add(&statistics->barriers, counts,
                                                       all.factors.at, all.counts.count) == FW_OK;
}
