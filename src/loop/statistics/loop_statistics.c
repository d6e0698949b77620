/* Statistics: rows of operations and accesses over the statements' domains. */
#include "loop_access.h"
#include "loop_gather.h"
#include "loop_space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const granularity_texts[] = {
#define X(name, text) text,
    FW_LOOP_GRANULARITIES(X)
#undef X
};

const char *fw_loop_granularity_text(enum fw_loop_granularity granularity)
{
    return granularity_texts[granularity];
}

bool fw_loop_granularity_read(enum fw_loop_granularity *granularity, const char *text)
{
    for (unsigned i = 0; i < FW_LOOP_GRANULARITY_COUNT; i++)
        if (strcmp(granularity_texts[i], text) == 0) {
            *granularity = (enum fw_loop_granularity)i;
            return true;
        }
    return false;
}

/* ---- counts ---- */

enum fw_status fw_gather_count(struct gather *gather, uint32_t *index, const char *text,
                               struct fw_span span)
{
    struct fw_map_entry *entry = fw_map_add(&gather->known, text, strlen(text), NULL);
    struct fw_set *set = NULL;
    struct fw_count *count = NULL;
    if (!entry->value) {
        const struct fw_count_options options = {.assumptions = gather->assumptions,
                                                 .budget = gather->options->count_budget};
        struct fw_count **place = FW_APPEND(gather->arena, &gather->counts);
        enum fw_status status = fw_loop_set(&set, gather->program, text, span);
        if (status == FW_OK)
            status = fw_set_count(&count, set, &options, NULL);
        fw_set_free(set);
        *place = count;
        if (status == FW_ERROR_INPUT)
            return fw_loop_refuse(gather->program, "LOOP030", span,
                                  "the statement's domain cannot be counted: %s", text);
        if (status != FW_OK)
            return status;
        entry->value = (uint32_t)gather->counts.count;
    }
    *index = entry->value - 1;
    return FW_OK;
}

const char *fw_gather_axis(const struct fw_loop_program *program, const fw_loop_names *loops,
                           enum fw_loop_tag_kind kind, unsigned axis)
{
    for (size_t i = 0; i < loops->count; i++) {
        const struct fw_loop_variable *variable = fw_loop_variable(program, loops->at[i]);
        if (variable->tag.kind == kind && variable->tag.axis == axis)
            return variable->name;
    }
    return NULL;
}

/* ---- rows ---- */

void fw_gather_points(struct gather *gather, struct sum_terms *terms, const fw_loop_names *loops,
                      enum fw_loop_granularity granularity, int64_t times)
{
    struct fw_loop_program *program = gather->program;
    fw_loop_names names = {0}, kept = {0};
    struct fw_buffer more = fw_buffer_new(gather->arena);
    int64_t factor = times;
    if (gather->status != FW_OK)
        return;
    for (size_t i = 0; i < loops->count; i++) {
        fw_loop_names_add(gather->arena, &names, loops->at[i]);
        if (granularity == FW_LOOP_PER_THREAD ||
            fw_loop_variable(program, loops->at[i])->tag.kind != FW_LOOP_THREAD)
            fw_loop_names_add(gather->arena, &kept, loops->at[i]);
    }
    for (unsigned axis = 0; axis < FW_LOOP_AXES && !gather->options->unique; axis++) {
        if (gather->blocks[axis] && !fw_gather_axis(program, loops, FW_LOOP_BLOCK, axis)) {
            const char *name = fw_gather_axis_name(gather->arena, axis);
            *FW_APPEND(gather->arena, &kept) = name;
            fw_buffer_printf(&more, " and (%s)", gather->blocks[axis]);
        }
        if (granularity == FW_LOOP_PER_THREAD && gather->threads[axis] &&
            !fw_gather_axis(program, loops, FW_LOOP_THREAD, axis))
            factor *= gather->threads[axis];
    }
    if (granularity == FW_LOOP_PER_WARP)
        factor *= gather->warps;
    char *conditions = fw_loop_statement_conditions(program, gather->statement, &names);
    conditions = fw_arena_printf(gather->arena, "%s%s", conditions, more.length ? more.text : "");
    char *text =
        fw_loop_set_text(program, kept.at, (uint32_t)kept.count, &names, conditions, false);
    uint32_t index = 0;
    gather->status = fw_gather_count(gather, &index, text, gather->statement->span);
    *FW_APPEND(gather->arena, &terms->counts) = index;
    *FW_APPEND(gather->arena, &terms->factors) = factor;
}

/* Floating-point operations that one is taken for. */
static int64_t flops_of(const char *operation, enum fw_type type)
{
    if (fw_type_class(type) != 'f')
        return 0;
    return strcmp(operation, "madd") == 0 || strcmp(operation, "func:fma") == 0 ? 2 : 1;
}

static void add_operation(struct gather *gather, const char *operation, enum fw_type type,
                          const fw_loop_names *loops)
{
    struct fw_loop_statistics *statistics = gather->statistics;
    size_t at = 0;
    if (flops_of(operation, type))
        fw_gather_points(gather, &gather->flop_terms, loops, FW_LOOP_PER_THREAD,
                         flops_of(operation, type));
    while (at < statistics->operations.count &&
           (statistics->operations.at[at].type != type ||
            strcmp(statistics->operations.at[at].operation, operation) != 0))
        at++;
    if (at == statistics->operations.count) {
        struct fw_loop_operation_row *row = FW_APPEND(gather->arena, &statistics->operations);
        *row = (struct fw_loop_operation_row){
            fw_arena_text(gather->arena, operation, strlen(operation)), type, FW_LOOP_PER_WARP,
            NULL, false};
        FW_APPEND(gather->arena, &gather->operation_terms);
    }
    statistics->operations.at[at].leans |= gather->leans;
    fw_gather_points(gather, &gather->operation_terms.at[at], loops, FW_LOOP_PER_WARP, 1);
}

static bool same_stride(const struct fw_loop_stride *a, const struct fw_loop_stride *b)
{
    return a->known == b->known && a->term_count == b->term_count &&
           memcmp(a->factors, b->factors, sizeof(a->factors)) == 0 &&
           memcmp(a->inner, b->inner, sizeof(a->inner)) == 0;
}

static bool same_row(const struct fw_loop_memory_row *a, const struct fw_loop_memory_row *b)
{
    bool same = a->space == b->space && a->store == b->store && a->array == b->array &&
                a->tag == b->tag && a->granularity == b->granularity;
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
        same = same && same_stride(&a->thread_strides[axis], &b->thread_strides[axis]) &&
               same_stride(&a->block_strides[axis], &b->block_strides[axis]);
    return same;
}

static void add_access(void *user, const struct fw_loop_statement *statement,
                       const struct fw_loop_expression *access, bool store,
                       const fw_loop_names *loops)
{
    struct gather *gather = user;
    struct fw_loop_statistics *statistics = gather->statistics;
    const struct fw_loop_array *array = fw_loop_find_array(gather->program, access->name);
    struct fw_loop_memory_row row = {.space = fw_loop_space(gather->program, array),
                                     .store = store,
                                     .type = array->type,
                                     .array = array->name,
                                     .tag = access->tag,
                                     .span = access->span};
    (void)statement;
    if (row.space == FW_SPACE_REG || row.space == FW_SPACE_PARAM)
        return;
    fw_gather_strides(gather, &row, access, loops);
    bool moves = !row.thread_strides[0].known || row.thread_strides[0].term_count > 0;
    row.granularity = row.space == FW_SPACE_GLOBAL && moves ? FW_LOOP_PER_THREAD : FW_LOOP_PER_WARP;
    size_t at = 0;
    while (at < statistics->memory.count && !same_row(&statistics->memory.at[at], &row))
        at++;
    if (at == statistics->memory.count) {
        *FW_APPEND(gather->arena, &statistics->memory) = row;
        FW_APPEND(gather->arena, &gather->memory_terms);
    }
    statistics->memory.at[at].leans |= gather->leans;
    fw_gather_points(gather, &gather->memory_terms.at[at], loops, row.granularity, 1);
}

/* ---- walks ---- */

static void walk_operations(struct gather *gather, const struct fw_loop_expression *expression,
                            const fw_loop_names *loops, bool taken);

/* An addition: with `contract` it takes in its first operand that is a multiplication of its type.
 */
static void walk_addition(struct gather *gather, const struct fw_loop_expression *expression,
                          const fw_loop_names *loops)
{
    uint32_t taken = UINT32_MAX;
    for (uint32_t i = expression->operand_count; gather->options->contract && i-- > 0;)
        if (expression->operands[i]->kind == FW_LOOP_MULTIPLY &&
            expression->operands[i]->type == expression->type)
            taken = i;
    add_operation(gather, taken == UINT32_MAX ? "add" : "madd", expression->type, loops);
    for (uint32_t i = 0; i < expression->operand_count; i++)
        walk_operations(gather, expression->operands[i], loops, i == taken);
}

static void walk_reduction(struct gather *gather, const struct fw_loop_expression *expression,
                           const fw_loop_names *loops)
{
    fw_loop_names inner = fw_loop_reduction_loops(gather->arena, loops, expression);
    if (strcmp(expression->name, "sum") == 0) {
        walk_addition(gather, expression, &inner);
        return;
    }
    const char *operation = strcmp(expression->name, "product") == 0
                                ? "mul"
                                : fw_arena_printf(gather->arena, "func:%s", expression->name);
    add_operation(gather, operation, expression->type, &inner);
    walk_operations(gather, expression->operands[0], &inner, false);
}

/* `taken`: the operation itself is part of another. */
static void walk_operations(struct gather *gather, const struct fw_loop_expression *expression,
                            const fw_loop_names *loops, bool taken)
{
    static const char *const counted[FW_LOOP_KIND_COUNT] = {
#define X(name, text, precedence, row) [FW_LOOP_##name] = row,
        FW_LOOP_OPERATORS(X)
#undef X
    };
    enum fw_loop_kind kind = expression->kind;
    if (kind == FW_LOOP_ADD || kind == FW_LOOP_SUBTRACT) {
        walk_addition(gather, expression, loops);
        return;
    }
    if (kind == FW_LOOP_REDUCE) {
        walk_reduction(gather, expression, loops);
        return;
    }
    if (kind == FW_LOOP_CALL)
        add_operation(gather, fw_arena_printf(gather->arena, "func:%s", expression->name),
                      expression->type, loops);
    else if (counted[kind] && counted[kind][0] && !taken)
        add_operation(gather, counted[kind], expression->type, loops);
    if (kind == FW_LOOP_ACCESS && !gather->options->subscripts)
        return;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        walk_operations(gather, expression->operands[i], loops, false);
}

/* A statement has at most one loop on each axis. */
static enum fw_status check_axes(struct gather *gather, const fw_loop_names *loops)
{
    for (size_t i = 0; i < loops->count; i++) {
        const struct fw_loop_variable *one = fw_loop_variable(gather->program, loops->at[i]);
        bool parallel = one->tag.kind == FW_LOOP_THREAD || one->tag.kind == FW_LOOP_BLOCK;
        const char *first =
            parallel ? fw_gather_axis(gather->program, loops, one->tag.kind, one->tag.axis) : NULL;
        if (first && first != one->name)
            return fw_loop_refuse(gather->program, "LOOP032", gather->statement->span,
                                  "'%s' and '%s' are on the same axis", first, one->name);
    }
    return FW_OK;
}

static void gather_statement(struct gather *gather, const struct fw_loop_statement *statement)
{
    struct fw_loop_program *program = gather->program;
    const char *only = gather->options->only_tag;
    bool wanted = !only;
    for (uint32_t i = 0; i < statement->tag_count; i++)
        wanted |= only && strcmp(statement->tags[i], only) == 0;
    if (!wanted)
        return;
    if (gather->options->both_sides) {
        struct fw_loop_statement *plain =
            fw_arena_copy(gather->arena, statement, sizeof(*statement));
        plain->condition_count = 0;
        statement = plain;
    }
    fw_loop_names loops = fw_loop_statement_loops(gather->arena, statement);
    gather->statement = statement;
    gather->status = check_axes(gather, &loops);
    gather->leans = false;
    for (uint32_t i = 0; i < statement->condition_count; i++) {
        struct fw_buffer scratch = fw_buffer_new(gather->arena);
        if (fw_loop_affine_condition(program, &scratch, statement->conditions[i]))
            continue;
        gather->statistics->data_dependent = true;
        gather->leans = true;
        *FW_APPEND(gather->arena, &gather->statistics->taken) = statement->conditions[i]->span;
        walk_operations(gather, statement->conditions[i], &loops, false);
    }
    walk_operations(gather, statement->value, &loops, false);
    if (gather->options->subscripts)
        walk_operations(gather, statement->target, &loops, false);
    fw_loop_each_access(program, statement, add_access, gather);
}

/* ---- all of it ---- */

static enum fw_status add_up(struct gather *gather, struct fw_count **sum,
                             const struct sum_terms *terms)
{
    const struct fw_count **counts =
        FW_ARRAY(gather->arena, const struct fw_count *, terms->counts.count);
    for (size_t i = 0; i < terms->counts.count; i++)
        counts[i] = gather->counts.at[terms->counts.at[i]];
    return fw_count_add(sum, counts, terms->factors.at, terms->counts.count);
}

static enum fw_status read_assumptions(struct gather *gather)
{
    struct fw_loop_program *program = gather->program;
    struct fw_span nowhere = {0};
    if (!program->assumptions)
        return FW_OK;
    char *text =
        fw_arena_printf(gather->arena, "%s{ : %s }", fw_loop_prefix(program), program->assumptions);
    return fw_loop_set(&gather->assumptions, program, text, nowhere);
}

static enum fw_status gather_all(struct gather *gather)
{
    struct fw_loop_program *program = gather->program;
    struct fw_loop_statistics *statistics = gather->statistics;
    gather->status = read_assumptions(gather);
    if (gather->status == FW_OK)
        gather->status = fw_gather_launch(gather);
    size_t count = gather->options->launch ? 0 : program->statements.count;
    for (size_t i = 0; gather->status == FW_OK && i < count; i++)
        gather_statement(gather, &program->statements.at[i]);
    for (size_t i = 0; gather->status == FW_OK && i < statistics->operations.count; i++)
        gather->status =
            add_up(gather, &statistics->operations.at[i].count, &gather->operation_terms.at[i]);
    for (size_t i = 0; gather->status == FW_OK && i < statistics->memory.count; i++)
        gather->status =
            add_up(gather, &statistics->memory.at[i].count, &gather->memory_terms.at[i]);
    if (gather->status == FW_OK)
        gather->status = add_up(gather, &statistics->flops, &gather->flop_terms);
    if (gather->status == FW_OK)
        fw_gather_extents(gather);
    if (gather->status == FW_OK && gather->options->footprints && count)
        gather->status = fw_gather_footprints(gather);
    if (gather->status == FW_OK && gather->options->barriers && count)
        fw_gather_barriers(gather);
    return gather->status;
}

/* What gathering holds beside the arena. */
static void let_go(struct gather *gather)
{
    for (size_t i = 0; i < gather->counts.count; i++)
        fw_count_free(gather->counts.at[i]);
    fw_set_free(gather->assumptions);
    fw_set_free(gather->live);
}

enum fw_status fw_loop_statistics_new(struct fw_loop_statistics **statistics,
                                      struct fw_loop_program *program,
                                      const struct fw_loop_statistics_options *options)
{
    static const struct fw_loop_statistics_options defaults = {0};
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    *statistics = NULL;
    if (!arena)
        return FW_ERROR_MEMORY;
    jmp_buf exhausted;
    struct fw_arena *outer = program->arena;
    jmp_buf *before = fw_arena_on_exhausted(outer, &exhausted);
    fw_arena_on_exhausted(arena, &exhausted);
    struct gather *volatile gather = NULL;
    enum fw_status status = FW_ERROR_MEMORY;
    if (setjmp(exhausted) == 0) {
        gather = FW_NEW(arena, struct gather);
        gather->statistics = FW_NEW(arena, struct fw_loop_statistics);
        gather->statistics->arena = arena;
        gather->program = program;
        gather->options = options ? options : &defaults;
        gather->arena = arena;
        gather->known = fw_map_new(arena);
        status = gather_all(gather);
    } else if (fw_arena_status(outer) == FW_ERROR_BUDGET) {
        status = FW_ERROR_BUDGET;
    }
    fw_arena_on_exhausted(outer, before);
    fw_arena_on_exhausted(arena, NULL);
    if (gather)
        let_go(gather);
    if (status == FW_OK)
        *statistics = gather->statistics;
    else if (gather && gather->statistics)
        fw_loop_statistics_free(gather->statistics);
    else
        fw_arena_free(arena);
    return status;
}

void fw_loop_statistics_free(struct fw_loop_statistics *statistics)
{
    if (!statistics)
        return;
    for (size_t i = 0; i < statistics->operations.count; i++)
        fw_count_free(statistics->operations.at[i].count);
    for (size_t i = 0; i < statistics->memory.count; i++)
        fw_count_free(statistics->memory.at[i].count);
    for (size_t i = 0; i < statistics->footprints.count; i++) {
        fw_count_free(statistics->footprints.at[i].count);
        fw_count_free(statistics->footprints.at[i].accesses);
    }
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
        fw_count_free(statistics->blocks[axis]);
    fw_count_free(statistics->flops);
    fw_count_free(statistics->barriers);
    fw_count_free(statistics->waits);
    for (size_t i = 0; statistics->extents && i < statistics->array_count * FW_LOOP_RANK_MOST; i++)
        fw_count_free(statistics->extents[i]);
    fw_arena_free(statistics->arena);
}
