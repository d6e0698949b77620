/* Transformations that change which loops statements stand in, and what loops are called. */
#include "loop_transform_internal.h"
#include "set_text.h"
#include "loop_tree.h"

#include <inttypes.h>
#include <string.h>

static const char *intern(struct fw_loop_program *program, const char *name)
{
    return fw_loop_intern(program, name, strlen(name));
}

static enum fw_status check_new(struct fw_loop_program *program, const char *name,
                                struct fw_span span)
{
    if (fw_loop_word(name) != strlen(name) || strstr(name, "__"))
        return fw_loop_refuse(program, "LOOP002", span, "'%s' is no name for a loop", name);
    if (fw_loop_variable(program, name) || fw_loop_is_parameter(program, name) ||
        fw_loop_find_array(program, name))
        return fw_loop_refuse(program, "LOOP003", span, "the name '%s' is taken", name);
    return FW_OK;
}

static enum fw_status find_loop(struct fw_loop_variable **variable, struct fw_loop_program *program,
                                const char *name, struct fw_span span)
{
    *variable = fw_loop_variable(program, name);
    if (!*variable)
        return fw_loop_refuse(program, "LOOP013", span, "'%s' is no loop name of a domain", name);
    return FW_OK;
}

/* ---- duplicates ---- */

enum fw_status fw_loop_duplicate(struct fw_loop_program *program, const char *name,
                                 const char *copy, struct fw_loop_selector selector,
                                 struct fw_span span)
{
    struct fw_loop_variable *variable = NULL;
    name = intern(program, name);
    copy = intern(program, copy);
    enum fw_status status = find_loop(&variable, program, name, span);
    if (status == FW_OK)
        status = check_new(program, copy, span);
    if (status != FW_OK)
        return status;
    struct fw_loop_program *changed = fw_loop_copy(program);
    bool any = false;
    status = fw_loop_bound_alike(changed, name, copy, span);
    for (size_t i = 0; status == FW_OK && i < changed->statements.count; i++) {
        struct fw_loop_statement *statement = &changed->statements.at[i];
        bool inside = fw_loop_has(statement->loops, statement->loop_count, name);
        if (!inside || !fw_loop_selects(&selector, statement))
            continue;
        fw_loop_rename_in(changed, statement, name, copy);
        any = true;
    }
    if (status == FW_OK && !any)
        return fw_loop_refuse(program, "LOOP071", span,
                              "no statement of that kind stands in the loop '%s'", name);
    if (status == FW_OK)
        status = fw_loop_finish(changed);
    const struct fw_loop_mapping mapping[] = {
        {copy, fw_arena_printf(program->arena, "%s%%s", name)}, {NULL, NULL}};
    if (status == FW_OK)
        status = fw_loop_check_order(program, changed, mapping, span);
    if (status == FW_OK)
        *program = *changed;
    return status;
}

/* ---- more loops ---- */

static enum fw_status check_again(struct fw_loop_program *program,
                                  const struct fw_loop_statement *statement, const char *name,
                                  struct fw_span span)
{
    const char *stored = statement->target->name;
    if (fw_loop_statement_reads(statement, stored))
        return fw_loop_refuse(program, "LOOP072", span,
                              "a statement that reads what it stores ('%s') cannot be done again",
                              stored);
    for (size_t i = 0; i < program->statements.count; i++) {
        const struct fw_loop_statement *other = &program->statements.at[i];
        const char *theirs = other->target->name;
        if (other == statement || !fw_loop_has(other->loops, other->loop_count, name))
            continue;
        if (theirs == stored || fw_loop_statement_reads(statement, theirs))
            return fw_loop_refuse(program, "LOOP072", span,
                                  "'%s' is stored in the loop '%s': doing the statement again "
                                  "there would not give the same",
                                  theirs, name);
    }
    return FW_OK;
}

/* Wherever the statement happens, the loop has an iteration. */
static enum fw_status check_runs(struct fw_loop_program *program,
                                 const struct fw_loop_statement *statement, const char *name,
                                 struct fw_span span)
{
    fw_loop_names without = {0}, with = {0};
    for (uint32_t i = 0; i < statement->loop_count; i++) {
        fw_loop_names_add(program->arena, &without, statement->loops[i]);
        fw_loop_names_add(program->arena, &with, statement->loops[i]);
    }
    fw_loop_names_add(program->arena, &with, name);
    char *known = fw_loop_statement_conditions(program, statement, &without);
    char *wanted = fw_loop_statement_conditions(program, statement, &with);
    if (program->assumptions)
        known = fw_arena_printf(program->arena, "%s and %s", known, program->assumptions);
    char *all =
        fw_loop_set_text(program, statement->loops, statement->loop_count, &without, known, false);
    char *some =
        fw_loop_set_text(program, statement->loops, statement->loop_count, &with, wanted, false);
    bool subset = false;
    enum fw_status status = fw_loop_subset(&subset, program, all, some);
    if (status == FW_OK && !subset)
        return fw_loop_refuse(program, "LOOP073", span,
                              "the loop '%s' may have no iteration where the statement has one: "
                              "it would not be done",
                              name);
    return status;
}

enum fw_status fw_loop_add_loop(struct fw_loop_program *program, const char *name,
                                struct fw_loop_selector selector, struct fw_span span)
{
    struct fw_loop_variable *variable = NULL;
    name = intern(program, name);
    bool any = false;
    enum fw_status status = find_loop(&variable, program, name, span);
    for (size_t i = 0; status == FW_OK && i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        if (!fw_loop_selects(&selector, statement))
            continue;
        any = true;
        if (fw_loop_has(statement->loops, statement->loop_count, name))
            continue;
        status = check_again(program, statement, name, span);
        if (status == FW_OK)
            status = check_runs(program, statement, name, span);
        if (status != FW_OK)
            return status;
        fw_loop_names loops = {0};
        for (uint32_t j = 0; j < statement->loop_count; j++)
            fw_loop_names_add(program->arena, &loops, statement->loops[j]);
        fw_loop_names_add(program->arena, &loops, name);
        statement->loops = loops.at;
        statement->loop_count = (uint32_t)loops.count;
    }
    if (status == FW_OK && !any)
        return fw_loop_refuse(program, "LOOP071", span, "no statement is of that kind");
    return status == FW_OK ? fw_loop_finish(program) : status;
}

/* ---- orders ---- */

/* Whether an order of the program says the same. */
static bool is_stated(const struct fw_loop_program *program, const struct fw_loop_order *order)
{
    for (size_t o = 0; o < program->orders.count; o++) {
        const struct fw_loop_order *other = &program->orders.at[o];
        bool same = other->count == order->count;
        for (uint32_t i = 0; same && i < order->count; i++)
            same = strcmp(other->loops[i], order->loops[i]) == 0;
        if (same)
            return true;
    }
    return false;
}

enum fw_status fw_loop_set_order(struct fw_loop_program *program, const char *const *loops,
                                 uint32_t count, bool unordered, struct fw_span span)
{
    struct fw_loop_program *changed = fw_loop_copy(program);
    struct fw_loop_order *order = FW_APPEND(program->arena, &changed->orders);
    order->loops = FW_ARRAY(program->arena, const char *, count);
    order->count = count;
    order->span = span;
    for (uint32_t i = 0; i < count; i++) {
        struct fw_loop_variable *variable = NULL;
        order->loops[i] = intern(changed, loops[i]);
        enum fw_status status = find_loop(&variable, changed, order->loops[i], span);
        if (status == FW_OK && fw_loop_has(order->loops, i, order->loops[i]))
            status =
                fw_loop_refuse(program, "LOOP003", span, "the name '%s' stands twice", loops[i]);
        if (status != FW_OK)
            return status;
    }
    if (is_stated(program, order)) /* the same line again changes nothing */
        return FW_OK;
    enum fw_status status = unordered ? FW_OK : fw_loop_check_order(program, changed, NULL, span);
    if (status == FW_OK && !unordered && fw_loop_has_order(program)) {
        /* What had an order before must have one with this line. */
        struct fw_loop_schedule *schedule = NULL;
        status = fw_loop_schedule_tree(&schedule, changed);
    }
    if (status == FW_OK)
        *program = *changed;
    return status;
}

/* ---- joining ---- */

/* Both loops stand in the same statements and reductions, or none of them does. */
static bool stand_together(const struct fw_loop_expression *expression, const char *a,
                           const char *b)
{
    if (expression->kind == FW_LOOP_REDUCE &&
        fw_loop_has(expression->loops, expression->loop_count, a) !=
            fw_loop_has(expression->loops, expression->loop_count, b))
        return false;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        if (!stand_together(expression->operands[i], a, b))
            return false;
    return true;
}

/* The inner loop runs from 0 to extent - 1 wherever the outer one is. */
static enum fw_status inner_extent(int64_t *extent, struct fw_loop_program *program,
                                   const char *outer, const char *inner, struct fw_span span)
{
    fw_loop_names names = {0}, around = {0};
    int64_t least = 0, greatest = 0;
    bool bounded = false, subset = false;
    fw_loop_names_add(program->arena, &names, inner);
    char *conditions = fw_loop_conditions(program, &names);
    char *values = fw_loop_set_text(program, &inner, 1, &names, conditions, true);
    enum fw_status status = fw_loop_range(&least, &greatest, &bounded, program, values);
    if (status != FW_OK || !bounded || least != 0)
        return fw_loop_refuse(program, "LOOP074", span,
                              "'%s' must run from 0 to a constant to be joined", inner);
    fw_loop_names_add(program->arena, &around, outer);
    fw_loop_names_add(program->arena, &around, inner);
    conditions = fw_loop_conditions(program, &around);
    const char *const both[2] = {outer, inner};
    char *some = fw_loop_set_text(program, both, 2, &around, conditions, false);
    char *alone = fw_loop_set_text(program, both, 1, &around, conditions, false);
    /* { [outer, inner] : outer is a value, 0 <= inner < extent } */
    char *colon = strchr(strchr(alone, '{'), ':');
    char *all =
        fw_arena_printf(program->arena, "%s{ [%s, inner__] : 0 <= inner__ <= %" PRId64 " and (%s",
                        fw_loop_prefix(program), outer, greatest, colon + 1);
    all[strlen(all) - 1] = '\0'; /* the brace */
    all = fw_arena_printf(program->arena, "%s)%s%s }", all, program->assumptions ? " and " : "",
                          program->assumptions ? program->assumptions : "");
    status = fw_loop_subset(&subset, program, all, some);
    if (status == FW_OK && !subset)
        return fw_loop_refuse(program, "LOOP074", span,
                              "the range of '%s' depends on other loops or parameters: it cannot "
                              "be joined",
                              inner);
    *extent = greatest + 1;
    return status;
}

static enum fw_status check_join(struct fw_loop_program *program, const char *outer,
                                 const char *inner, const char *name, struct fw_span span)
{
    struct fw_loop_variable *a = NULL, *b = NULL;
    enum fw_status status = find_loop(&a, program, outer, span);
    if (status == FW_OK)
        status = find_loop(&b, program, inner, span);
    if (status == FW_OK)
        status = check_new(program, name, span);
    if (status != FW_OK)
        return status;
    if (a == b || a->tag.kind != FW_LOOP_SEQUENTIAL || b->tag.kind != FW_LOOP_SEQUENTIAL)
        return fw_loop_refuse(program, "LOOP041", span,
                              "only two different loops without a tag can be joined");
    for (size_t i = 0; i < program->statements.count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        bool together = stand_together(statement->value, outer, inner) &&
                        stand_together(statement->target, outer, inner) &&
                        fw_loop_has(statement->loops, statement->loop_count, outer) ==
                            fw_loop_has(statement->loops, statement->loop_count, inner);
        if (!together)
            return fw_loop_refuse(program, "LOOP074", statement->span,
                                  "one of '%s' and '%s' stands here without the other: they "
                                  "cannot be joined",
                                  outer, inner);
    }
    return FW_OK;
}

static void join_lists(struct fw_loop_program *program, const char ***loops, uint32_t *count,
                       const char *outer, const char *inner, const char *name)
{
    fw_loop_replace_loop(program, loops, count, outer, name, name);
    fw_loop_replace_loop(program, loops, count, inner, name, name);
}

static struct fw_loop_expression *joined(struct fw_loop_program *program,
                                         struct fw_loop_expression *expression, const char *outer,
                                         const char *inner, const char *name)
{
    struct fw_loop_expression *copy =
        fw_arena_copy(program->arena, expression, sizeof(*expression));
    copy->operands = fw_arena_copy(program->arena, expression->operands,
                                   expression->operand_count * sizeof(*copy->operands));
    for (uint32_t i = 0; i < copy->operand_count; i++)
        copy->operands[i] = joined(program, copy->operands[i], outer, inner, name);
    if (copy->kind == FW_LOOP_REDUCE)
        join_lists(program, &copy->loops, &copy->loop_count, outer, inner, name);
    return copy;
}

static void join_names(struct fw_loop_program *program, const char *outer, const char *inner,
                       const char *name, int64_t extent)
{
    struct fw_span nowhere = {0};
    struct fw_loop_expression *pair[2] = {fw_loop_name(program, name),
                                          fw_loop_integer(program, extent)};
    char *high = fw_arena_printf(program->arena, "floor((%s)/%" PRId64 ")", name, extent);
    char *low = fw_arena_printf(program->arena, "(%s) mod %" PRId64, name, extent);
    uint32_t index = fw_loop_variable(program, outer)->domain;
    for (size_t i = 0; i < program->domains.count; i++) {
        struct fw_loop_domain *domain = &program->domains.at[i];
        domain->condition = fw_loop_replace(program, domain->condition, outer, high);
        domain->condition = fw_loop_replace(program, domain->condition, inner, low);
        join_lists(program, &domain->names, &domain->name_count, outer, inner, name);
    }
    size_t kept = 0;
    for (size_t i = 0; i < program->variables.count; i++) {
        if (program->variables.at[i].name == inner)
            continue;
        program->variables.at[kept] = program->variables.at[i];
        if (program->variables.at[kept].name == outer)
            program->variables.at[kept].name = name;
        kept++;
    }
    program->variables.count = kept;
    fw_loop_variable(program, name)->domain = index;
    for (size_t i = 0; i < program->orders.count; i++)
        join_lists(program, &program->orders.at[i].loops, &program->orders.at[i].count, outer,
                   inner, name);
    fw_loop_substitute_everywhere(
        program, outer, fw_loop_operation(program, FW_LOOP_FLOOR, NULL, pair, 2, nowhere));
    fw_loop_substitute_everywhere(
        program, inner, fw_loop_operation(program, FW_LOOP_MODULO, NULL, pair, 2, nowhere));
}

enum fw_status fw_loop_join(struct fw_loop_program *program, const char *outer, const char *inner,
                            const char *name, struct fw_span span)
{
    int64_t extent = 0;
    outer = intern(program, outer);
    inner = intern(program, inner);
    name = intern(program, name);
    enum fw_status status = check_join(program, outer, inner, name, span);
    if (status == FW_OK)
        status = inner_extent(&extent, program, outer, inner, span);
    if (status != FW_OK)
        return status;
    struct fw_loop_program *changed = fw_loop_copy(program);
    uint32_t inner_domain = fw_loop_variable(program, inner)->domain;
    if (inner_domain != fw_loop_variable(program, outer)->domain)
        return fw_loop_refuse(program, "LOOP074", span,
                              "'%s' and '%s' are of different domains: they cannot be joined",
                              outer, inner);
    for (size_t i = 0; i < changed->statements.count; i++) {
        struct fw_loop_statement *statement = &changed->statements.at[i];
        statement->value = joined(changed, statement->value, outer, inner, name);
        statement->target = joined(changed, statement->target, outer, inner, name);
        statement->conditions =
            fw_arena_copy(changed->arena, statement->conditions,
                          statement->condition_count * sizeof(*statement->conditions));
        join_lists(changed, &statement->loops, &statement->loop_count, outer, inner, name);
    }
    join_names(changed, outer, inner, name, extent);
    status = fw_loop_finish(changed);
    char *with = fw_arena_printf(program->arena, "%" PRId64 "*%s%%s + %s%%s", extent, outer, inner);
    const struct fw_loop_mapping mapping[] = {{name, with}, {NULL, NULL}};
    if (status == FW_OK)
        status = fw_loop_check_order(program, changed, mapping, span);
    if (status == FW_OK)
        *program = *changed;
    return status;
}

/* ---- coarsening ---- */

enum fw_status fw_loop_coarsen(struct fw_loop_program *program, const char *name, int64_t factor,
                               struct fw_span span)
{
    struct fw_loop_variable *variable = NULL;
    int64_t least = 0, greatest = 0;
    bool bounded = false;
    name = intern(program, name);
    enum fw_status status = find_loop(&variable, program, name, span);
    if (status != FW_OK)
        return status;
    if (variable->tag.kind != FW_LOOP_THREAD)
        return fw_loop_refuse(program, "LOOP075", span, "'%s' is on no axis of threads", name);
    fw_loop_names names = {0};
    fw_loop_names_add(program->arena, &names, name);
    char *conditions = fw_loop_conditions(program, &names);
    char *values = fw_loop_set_text(program, &name, 1, &names, conditions, true);
    status = fw_loop_range(&least, &greatest, &bounded, program, values);
    if (status != FW_OK || !bounded || least != 0)
        return fw_loop_refuse(program, "LOOP075", span,
                              "'%s' must run from 0 to a constant to be coarsened", name);
    if (factor < 1 || factor > greatest + 1)
        return fw_loop_refuse(program, "LOOP040", span,
                              "the factor must be 1 or more, and no more than the %" PRId64
                              " threads that there are",
                              greatest + 1);
    const char *outer = intern(program, fw_arena_printf(program->arena, "%s_coarse", name));
    status = check_new(program, outer, span);
    if (status != FW_OK)
        return status;
    struct fw_loop_variable before = *variable;
    status = fw_loop_split_as(program, name, (greatest + factor) / factor, outer, name, span);
    if (status == FW_OK) {
        struct fw_loop_variable *inner = fw_loop_variable(program, name);
        struct fw_loop_variable *coarse = fw_loop_variable(program, outer);
        inner->tag = before.tag;
        inner->unordered = before.unordered;
        coarse->tag = (struct fw_loop_tag){FW_LOOP_SEQUENTIAL, 0};
        coarse->unordered = false;
    }
    return status;
}

/* ---- names ---- */

/* The tree with an array renamed; a copy. */
static struct fw_loop_expression *array_renamed(struct fw_loop_program *program,
                                                struct fw_loop_expression *expression,
                                                const char *from, const char *to)
{
    struct fw_loop_expression *copy =
        fw_arena_copy(program->arena, expression, sizeof(*expression));
    copy->operands = fw_arena_copy(program->arena, expression->operands,
                                   expression->operand_count * sizeof(*copy->operands));
    for (uint32_t i = 0; i < copy->operand_count; i++)
        copy->operands[i] = array_renamed(program, copy->operands[i], from, to);
    if (copy->kind == FW_LOOP_ACCESS && copy->name == from)
        copy->name = to;
    return copy;
}

static enum fw_status rename_array(struct fw_loop_program *program, struct fw_loop_array *array,
                                   const char *to)
{
    const char *from = array->name;
    for (size_t i = 0; i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        statement->target = array_renamed(program, statement->target, from, to);
        statement->value = array_renamed(program, statement->value, from, to);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            statement->conditions[j] = array_renamed(program, statement->conditions[j], from, to);
    }
    array->name = to;
    return fw_loop_finish(program);
}

enum fw_status fw_loop_rename(struct fw_loop_program *program, const char *from, const char *to,
                              struct fw_span span)
{
    struct fw_loop_array *array = fw_loop_find_array(program, from);
    struct fw_loop_variable *variable = NULL;
    from = intern(program, from);
    to = intern(program, to);
    enum fw_status status = check_new(program, to, span);
    if (status == FW_OK && array)
        return rename_array(program, array, to);
    if (status == FW_OK)
        status = find_loop(&variable, program, from, span);
    if (status != FW_OK)
        return status;
    for (size_t i = 0; i < program->domains.count; i++) {
        struct fw_loop_domain *domain = &program->domains.at[i];
        domain->condition = fw_loop_replace(program, domain->condition, from, to);
        fw_loop_replace_loop(program, &domain->names, &domain->name_count, from, to, to);
    }
    for (size_t i = 0; i < program->orders.count; i++)
        fw_loop_replace_loop(program, &program->orders.at[i].loops, &program->orders.at[i].count,
                             from, to, to);
    variable->name = to;
    for (size_t i = 0; i < program->statements.count; i++)
        fw_loop_rename_in(program, &program->statements.at[i], from, to);
    return fw_loop_finish(program);
}
