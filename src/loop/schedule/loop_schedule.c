/* Schedules: the tree of loops and statements. */
#include "loop_edit.h"
#include "loop_schedule_internal.h"

#include <stdio.h>
#include <string.h>

enum { STATEMENTS_MOST = 256, LOOPS_MOST = 128 };

struct builder {
    struct fw_loop_schedule *schedule;
    struct fw_loop_program *program;
    struct fw_loop_relation before;
    const uint32_t *rank;
    const char ***paths; /* of each statement: its sequential loops, outermost first */
    uint32_t *path_lengths;
};

static struct fw_loop_node *node_new(struct fw_arena *arena, enum fw_loop_node_kind kind,
                                     struct fw_loop_node *parent)
{
    struct fw_loop_node *node = FW_NEW(arena, struct fw_loop_node);
    node->kind = kind;
    node->parent = parent;
    if (parent)
        *FW_APPEND(arena, &parent->children) = node;
    return node;
}

static uint32_t rank_of(const struct builder *builder, const char *name)
{
    return builder->rank[fw_loop_variable(builder->program, name) - builder->program->variables.at];
}

static void find_path(struct builder *builder, size_t index)
{
    const struct fw_loop_statement *statement = &builder->program->statements.at[index];
    struct fw_arena *arena = builder->program->arena;
    const char **path = FW_ARRAY(arena, const char *, statement->loop_count + 1);
    uint32_t length = 0;
    for (uint32_t i = 0; i < statement->loop_count; i++) {
        if (!fw_loop_is_sequential(builder->program, statement->loops[i]))
            continue;
        uint32_t at = length++;
        for (; at > 0 && rank_of(builder, path[at - 1]) > rank_of(builder, statement->loops[i]);
             at--)
            path[at] = path[at - 1];
        path[at] = statement->loops[i];
    }
    builder->paths[index] = path;
    builder->path_lengths[index] = length;
}

/* What stands side by side: a statement, or a loop with its statements. */
struct item {
    const char *loop; /* NULL: one statement */
    FW_VECTOR(uint32_t) statements;
};
typedef FW_VECTOR(struct item) items;

static items group(const struct builder *builder, const uint32_t *statements, size_t count,
                   uint32_t depth)
{
    struct fw_arena *arena = builder->program->arena;
    items list = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t s = statements[i];
        const char *loop = builder->path_lengths[s] > depth ? builder->paths[s][depth] : NULL;
        size_t at = 0;
        while (at < list.count && (!loop || list.at[at].loop != loop))
            at++;
        if (at == list.count)
            FW_APPEND(arena, &list)->loop = loop;
        *FW_APPEND(arena, &list.at[at].statements) = s;
    }
    return list;
}

static bool item_before(const struct builder *builder, const struct item *a, const struct item *b)
{
    for (size_t i = 0; i < a->statements.count; i++)
        for (size_t j = 0; j < b->statements.count; j++)
            if (*fw_loop_related(&builder->before, a->statements.at[i], b->statements.at[j]))
                return true;
    return false;
}

static const char *name_of(const struct fw_loop_statement *statement)
{
    return statement->id ? statement->id : statement->target->name;
}

static enum fw_status refuse_items(const struct builder *builder, const struct item *loop)
{
    const struct fw_loop_statement *at = builder->program->statements.at;
    uint32_t first = loop->statements.at[0];
    uint32_t last = loop->statements.at[loop->statements.count - 1];
    return fw_loop_refuse(builder->program, "LOOP055", at[first].span,
                          "the loop '%s' holds '%s' and '%s', but something that is not in it has "
                          "to come between them: duplicate the loop for one of them",
                          loop->loop ? loop->loop : "?", name_of(&at[first]), name_of(&at[last]));
}

static enum fw_status place(struct builder *builder, struct fw_loop_node *sequence,
                            const uint32_t *statements, size_t count, uint32_t depth);

static enum fw_status place_item(struct builder *builder, struct fw_loop_node *sequence,
                                 const struct item *item, uint32_t depth)
{
    struct fw_arena *arena = builder->program->arena;
    if (!item->loop) {
        node_new(arena, FW_LOOP_NODE_STATEMENT, sequence)->index = item->statements.at[0];
        return FW_OK;
    }
    struct fw_loop_node *loop = node_new(arena, FW_LOOP_NODE_LOOP, sequence);
    loop->loop = item->loop;
    struct fw_loop_node *body = node_new(arena, FW_LOOP_NODE_SEQUENCE, loop);
    return place(builder, body, item->statements.at, item->statements.count, depth + 1);
}

static enum fw_status place(struct builder *builder, struct fw_loop_node *sequence,
                            const uint32_t *statements, size_t count, uint32_t depth)
{
    items list = group(builder, statements, count, depth);
    bool *done = FW_ARRAY(builder->program->arena, bool, list.count + 1);
    for (size_t round = 0; round < list.count; round++) {
        size_t next = list.count, waiting = list.count;
        for (size_t i = 0; i < list.count && next == list.count; i++) {
            bool ready = !done[i];
            for (size_t j = 0; j < list.count && ready; j++)
                ready = done[j] || j == i || !item_before(builder, &list.at[j], &list.at[i]);
            if (ready)
                next = i;
            if (!done[i] && (waiting == list.count || !list.at[waiting].loop))
                waiting = i;
        }
        if (next == list.count)
            return refuse_items(builder, &list.at[waiting]);
        done[next] = true;
        enum fw_status status = place_item(builder, sequence, &list.at[next], depth);
        if (status != FW_OK)
            return status;
    }
    return FW_OK;
}

/* ---- all ---- */

static enum fw_status build_tree(struct fw_loop_schedule *schedule)
{
    struct fw_loop_program *program = schedule->program;
    struct builder builder = {.schedule = schedule, .program = program};
    size_t count = program->statements.count;
    uint32_t *rank = NULL;
    if (count > STATEMENTS_MOST || program->variables.count > LOOPS_MOST)
        return fw_loop_refuse(program, "LOOP051", (struct fw_span){0},
                              "more than %d statements or %d loops are not put in order",
                              STATEMENTS_MOST, LOOPS_MOST);
    enum fw_status status = fw_loop_order_statements(&builder.before, program);
    if (status == FW_OK)
        status = fw_loop_order_loops(&rank, program);
    if (status != FW_OK)
        return status;
    builder.rank = rank;
    builder.paths = FW_ARRAY(program->arena, const char **, count);
    builder.path_lengths = FW_ARRAY(program->arena, uint32_t, count);
    uint32_t *all = FW_ARRAY(program->arena, uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        find_path(&builder, i);
        all[i] = (uint32_t)i;
    }
    schedule->root = node_new(program->arena, FW_LOOP_NODE_SEQUENCE, NULL);
    return place(&builder, schedule->root, all, count, 0);
}

enum fw_status fw_loop_schedule_tree(struct fw_loop_schedule **schedule,
                                     struct fw_loop_program *program)
{
    struct fw_loop_schedule *made = FW_NEW(program->arena, struct fw_loop_schedule);
    const struct fw_loop_selector all = {FW_LOOP_BY_ID, NULL};
    *schedule = NULL;
    made->program = fw_loop_copy(program);
    enum fw_status status = fw_loop_part_reductions(made->program);
    if (status == FW_OK)
        status = fw_loop_realize(made->program, all, (struct fw_span){0});
    if (status == FW_OK)
        status = build_tree(made);
    if (status == FW_OK)
        *schedule = made;
    return status;
}

enum fw_status fw_loop_schedule_new(struct fw_loop_schedule **schedule,
                                    struct fw_loop_program *program)
{
    enum fw_status status = fw_loop_schedule_tree(schedule, program);
    if (status == FW_OK) {
        fw_loop_simplify_statements((*schedule)->program);
        status = fw_loop_launch_new(&(*schedule)->launch, (*schedule)->program);
    }
    if (status == FW_OK)
        status = fw_loop_check_schedule(*schedule);
    if (status == FW_OK)
        status = fw_loop_place_barriers(*schedule);
    if (status != FW_OK)
        *schedule = NULL;
    return status;
}
