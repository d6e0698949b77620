/* Transformations: the same program, done otherwise.  Each refuses what would change the result. */
#include "loop_dependence.h"
#include "loop_transform_internal.h"

#include <inttypes.h>
#include <string.h>

/* A copy of the tree with names replaced; unchanged parts are shared. */
static struct fw_loop_expression *substitute(struct fw_loop_program *program,
                                             struct fw_loop_expression *expression,
                                             const char *name, struct fw_loop_expression *with)
{
    if (expression->kind == FW_LOOP_NAME)
        return expression->name == name ? with : expression;
    struct fw_loop_expression *copy = NULL;
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        struct fw_loop_expression *operand =
            substitute(program, expression->operands[i], name, with);
        if (operand == expression->operands[i])
            continue;
        if (!copy) {
            copy = fw_arena_copy(program->arena, expression, sizeof(*expression));
            copy->operands = fw_arena_copy(program->arena, expression->operands,
                                           expression->operand_count * sizeof(*copy->operands));
        }
        copy->operands[i] = operand;
        if (operand->depth + 1 > copy->depth)
            copy->depth = operand->depth + 1;
    }
    return copy ? copy : expression;
}

/* In the reductions of a tree, `name` replaced by two others. */
static void replace_reduced(struct fw_loop_program *program, struct fw_loop_expression *expression,
                            const char *name, const char *outer, const char *inner)
{
    if (expression->kind == FW_LOOP_REDUCE)
        fw_loop_replace_loop(program, &expression->loops, &expression->loop_count, name, outer,
                             inner);
    for (uint32_t i = 0; i < expression->operand_count; i++)
        replace_reduced(program, expression->operands[i], name, outer, inner);
}

void fw_loop_substitute_everywhere(struct fw_loop_program *program, const char *name,
                                   struct fw_loop_expression *with)
{
    for (size_t i = 0; i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        statement->target = substitute(program, statement->target, name, with);
        statement->value = substitute(program, statement->value, name, with);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            statement->conditions[j] = substitute(program, statement->conditions[j], name, with);
    }
}

static uint32_t deepest(const struct fw_loop_program *program)
{
    uint32_t depth = 0;
    for (size_t i = 0; i < program->statements.count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        if (statement->value->depth > depth)
            depth = statement->value->depth;
        if (statement->target->depth > depth)
            depth = statement->target->depth;
        for (uint32_t j = 0; j < statement->condition_count; j++)
            if (statement->conditions[j]->depth > depth)
                depth = statement->conditions[j]->depth;
    }
    return depth;
}

static enum fw_status check_split(struct fw_loop_program *program, const char *name, int64_t factor,
                                  const char *outer, const char *inner, struct fw_span span)
{
    const struct fw_loop_variable *variable = fw_loop_variable(program, name);
    if (!variable)
        return fw_loop_refuse(program, "LOOP013", span, "'%s' is no loop name of a domain", name);
    if (factor <= 0 || factor > INT32_MAX)
        return fw_loop_refuse(program, "LOOP040", span, "the factor must be positive");
    if (variable->tag.kind != FW_LOOP_SEQUENTIAL)
        return fw_loop_refuse(program, "LOOP041", span, "'%s' is tagged already: split it first",
                              name);
    const char *const made[] = {outer, inner};
    for (unsigned i = 0; i < 2; i++)
        if (fw_loop_variable(program, made[i]) || fw_loop_is_parameter(program, made[i]) ||
            fw_loop_find_array(program, made[i]))
            return fw_loop_refuse(program, "LOOP003", span, "the name '%s' is taken", made[i]);
    if (deepest(program) + 3 > FW_LOOP_DEPTH_MOST)
        return fw_loop_refuse(program, "LOOP010", span, "expressions would be nested too deeply");
    return FW_OK;
}

enum fw_status fw_loop_split(struct fw_loop_program *program, const char *name, int64_t factor,
                             struct fw_span span)
{
    name = fw_loop_intern(program, name, strlen(name));
    const char *outer = fw_arena_printf(program->arena, "%s_outer", name);
    const char *inner = fw_arena_printf(program->arena, "%s_inner", name);
    outer = fw_loop_intern(program, outer, strlen(outer));
    inner = fw_loop_intern(program, inner, strlen(inner));
    enum fw_status status = check_split(program, name, factor, outer, inner, span);
    if (status != FW_OK)
        return status;
    return fw_loop_split_as(program, name, factor, outer, inner, span);
}

enum fw_status fw_loop_split_as(struct fw_loop_program *program, const char *name, int64_t factor,
                                const char *outer, const char *inner, struct fw_span span)
{
    struct fw_loop_variable *variable = fw_loop_variable(program, name);
    uint32_t index = variable->domain;
    char *value = fw_arena_printf(program->arena, "%" PRId64 "*%s + %s", factor, outer, inner);
    for (size_t i = 0; i < program->domains.count; i++) {
        struct fw_loop_domain *domain = &program->domains.at[i];
        domain->condition = fw_loop_replace(program, domain->condition, name, value);
        fw_loop_replace_loop(program, &domain->names, &domain->name_count, name, outer, inner);
        if (i == index)
            domain->condition = fw_arena_printf(program->arena, "(%s) and 0 <= %s < %" PRId64,
                                                domain->condition, inner, factor);
    }
    variable->name = outer;
    struct fw_loop_variable *added = FW_APPEND(program->arena, &program->variables);
    added->name = inner;
    added->domain = index;

    struct fw_loop_expression *parts[2] = {fw_loop_integer(program, factor),
                                           fw_loop_access(program, outer, NULL, NULL, 0, span)};
    parts[1] = fw_loop_operation(program, FW_LOOP_MULTIPLY, NULL, parts, 2, span);
    parts[0] = fw_loop_access(program, inner, NULL, NULL, 0, span);
    fw_loop_substitute_everywhere(program, name,
                                  fw_loop_operation(program, FW_LOOP_ADD, NULL, parts, 2, span));
    for (size_t i = 0; i < program->orders.count; i++)
        fw_loop_replace_loop(program, &program->orders.at[i].loops, &program->orders.at[i].count,
                             name, outer, inner);
    for (size_t i = 0; i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        fw_loop_replace_loop(program, &statement->loops, &statement->loop_count, name, outer,
                             inner);
        replace_reduced(program, statement->value, name, outer, inner);
        replace_reduced(program, statement->target, name, outer, inner);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            replace_reduced(program, statement->conditions[j], name, outer, inner);
    }
    return fw_loop_finish(program);
}

/* ---- tags ---- */

bool fw_loop_tag_read(struct fw_loop_tag *tag, const char *text)
{
    static const struct {
        const char *text;
        enum fw_loop_tag_kind kind;
    } kinds[] = {{"block.", FW_LOOP_BLOCK},
                 {"g.", FW_LOOP_BLOCK},
                 {"thread.", FW_LOOP_THREAD},
                 {"l.", FW_LOOP_THREAD}},
      words[] = {{"sequential", FW_LOOP_SEQUENTIAL}, {"for", FW_LOOP_SEQUENTIAL},
                 {"unroll", FW_LOOP_UNROLL},         {"unr", FW_LOOP_UNROLL},
                 {"vector", FW_LOOP_VECTOR},         {"vec", FW_LOOP_VECTOR}};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strcmp(text, words[i].text) == 0) {
            *tag = (struct fw_loop_tag){words[i].kind, 0};
            return true;
        }
    *tag = (struct fw_loop_tag){FW_LOOP_SEQUENTIAL, 0};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        size_t length = strlen(kinds[i].text);
        if (strncmp(text, kinds[i].text, length) != 0 || text[length] < '0' ||
            text[length] >= '0' + FW_LOOP_AXES || text[length + 1])
            continue;
        tag->kind = kinds[i].kind;
        tag->axis = (unsigned)(text[length] - '0');
        return true;
    }
    return false;
}

/* Whether two different iterations of the loop may touch one element at these two sites. */
static bool may_meet(struct fw_loop_program *program, const char *name,
                     const struct fw_loop_site *a, const struct fw_loop_site *b)
{
    bool both = fw_loop_has(a->loops.at, (uint32_t)a->loops.count, name) &&
                fw_loop_has(b->loops.at, (uint32_t)b->loops.count, name);
    /* Of one access with itself, either order stands for both: one convex set instead of two. */
    const char *relation =
        both ? fw_arena_printf(program->arena, "%s__x %s %s__y", name, a == b ? "<" : "!=", name)
             : "0 = 0";
    return !a->affine || !b->affine || fw_loop_may_meet(program, NULL, a, b, relation);
}

static bool reduces_over(const struct fw_loop_expression *expression, const char *name)
{
    if (expression->kind == FW_LOOP_REDUCE &&
        fw_loop_has(expression->loops, expression->loop_count, name))
        return true;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        if (reduces_over(expression->operands[i], name))
            return true;
    return false;
}

/* Whether a temporary scalar's value goes from one iteration of the loop to another, or out of it:
 * then each thread's having its own would change the result.  It does not where a statement in the
 * loop sets it without reading it and without a condition, and all readers are in the loop. */
static bool scalar_leaves(const struct fw_loop_program *program, const char *scalar,
                          const char *name)
{
    bool written = false, set = false, read_outside = false;
    for (size_t i = 0; i < program->statements.count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        bool inside = fw_loop_has(statement->loops, statement->loop_count, name);
        bool reading = fw_loop_reads(statement->value, scalar);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            reading = reading || fw_loop_reads(statement->conditions[j], scalar);
        bool writing = statement->target->name == scalar;
        written = written || (inside && writing);
        set = set || (inside && writing && !reading && statement->condition_count == 0);
        read_outside = read_outside || (reading && !inside);
    }
    return written && (!set || read_outside);
}

static uint32_t line_of(struct fw_span span)
{
    return span.source ? fw_span_position(span).line : 0;
}

static enum fw_status refuse_meeting(const struct fw_loop_program *program, const char *name,
                                     const struct fw_loop_site *a, const struct fw_loop_site *b,
                                     struct fw_span span)
{
    const char *array = a->access->name;
    const char *note =
        a == b ? fw_arena_printf(program->arena, "line %u stores it", line_of(a->access->span))
               : fw_arena_printf(program->arena, "line %u stores it, line %u %s it",
                                 line_of(a->access->span), line_of(b->access->span),
                                 b->store ? "stores" : "loads");
    fw_report_notes(program->sink, FW_ERROR, "LOOP042", span, &note, 1,
                    "iterations of '%s' may touch the same element of '%s': 'unordered' promises "
                    "that it does not matter",
                    name, array);
    return FW_ERROR_INPUT;
}

/* Iterations of a parallel loop must not meet at an element that one of them stores. */
static enum fw_status check_parallel(struct fw_loop_program *program, const char *name,
                                     enum fw_loop_tag_kind kind, struct fw_span span)
{
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct fw_loop_array *array = &program->arrays.at[i];
        if (array->temporary && fw_loop_space(program, array) == FW_SPACE_REG &&
            scalar_leaves(program, array->name, name))
            return fw_loop_refuse(program, "LOOP042", span,
                                  "iterations of '%s' hand '%s' on: 'unordered' promises that it "
                                  "does not matter",
                                  name, array->name);
    }
    fw_loop_sites sites = fw_loop_find_sites(program);
    for (size_t i = 0; i < sites.count; i++)
        for (size_t j = 0; j < sites.count; j++) {
            const struct fw_loop_site *a = &sites.at[i], *b = &sites.at[j];
            if (!a->store || a->access->name != b->access->name || (b->store && j < i) ||
                (a->array->temporary && a->space == FW_SPACE_REG) ||
                /* Threads wait for each other between statements. */
                (kind == FW_LOOP_THREAD && a->statement != b->statement &&
                 a->space == FW_SPACE_SHARED) ||
                (!fw_loop_has(a->loops.at, (uint32_t)a->loops.count, name) &&
                 !fw_loop_has(b->loops.at, (uint32_t)b->loops.count, name)))
                continue;
            if (may_meet(program, name, a, b))
                return refuse_meeting(program, name, a, b, span);
        }
    return FW_OK;
}

enum fw_status fw_loop_set_tag(struct fw_loop_program *program, const char *name,
                               struct fw_loop_tag tag, bool unordered, struct fw_span span)
{
    struct fw_loop_variable *variable =
        fw_loop_variable(program, fw_loop_intern(program, name, strlen(name)));
    bool parallel = tag.kind == FW_LOOP_BLOCK || tag.kind == FW_LOOP_THREAD;
    if (!variable)
        return fw_loop_refuse(program, "LOOP013", span, "'%s' is no loop name of a domain", name);
    if (tag.axis >= FW_LOOP_AXES)
        return fw_loop_refuse(program, "LOOP043", span, "axes are 0, 1 and 2");
    for (size_t i = 0; parallel && i < program->statements.count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        bool reduced = reduces_over(statement->value, variable->name) ||
                       reduces_over(statement->target, variable->name);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            reduced = reduced || reduces_over(statement->conditions[j], variable->name);
        if (reduced)
            return fw_loop_refuse(program, "LOOP044", span,
                                  "'%s' is reduced over: its iterations "
                                  "add to one value",
                                  name);
        for (uint32_t j = 0; j < statement->loop_count; j++) {
            const struct fw_loop_variable *other = fw_loop_variable(program, statement->loops[j]);
            if (other != variable && other->tag.kind == tag.kind && other->tag.axis == tag.axis &&
                fw_loop_has(statement->loops, statement->loop_count, variable->name))
                return fw_loop_refuse(program, "LOOP032", span,
                                      "'%s' and '%s' would be on the same axis", other->name, name);
        }
    }
    enum fw_status status = FW_OK;
    if ((parallel || tag.kind == FW_LOOP_VECTOR) && !unordered)
        status = check_parallel(program, variable->name, tag.kind, span);
    if (status == FW_OK) {
        variable->tag = tag;
        variable->unordered = unordered;
    }
    return status;
}

/* ---- parameters ---- */

enum fw_status fw_loop_fix(struct fw_loop_program *program, const char *name, int64_t value,
                           struct fw_span span)
{
    name = fw_loop_intern(program, name, strlen(name));
    if (!fw_loop_is_parameter(program, name))
        return fw_loop_refuse(program, "LOOP045", span, "'%s' is no parameter", name);
    char *text = fw_arena_printf(program->arena, "%" PRId64, value);
    if (program->assumptions) {
        struct fw_set *set = NULL;
        struct fw_count *count = NULL;
        mpz_t points;
        mpz_init(points);
        char *whole = fw_arena_printf(program->arena, "[] -> { [%s] : %s = %s and exists (", name,
                                      name, text);
        struct fw_buffer buffer = fw_buffer_new(program->arena);
        fw_buffer_printf(&buffer, "%sunused__", whole);
        for (size_t i = 0; i < program->parameters.count; i++)
            if (program->parameters.at[i] != name)
                fw_buffer_printf(&buffer, ", %s", program->parameters.at[i]);
        fw_buffer_printf(&buffer, " : %s) }", program->assumptions);
        bool contradicts = fw_loop_set(&set, program, buffer.text, span) == FW_OK &&
                           fw_set_count(&count, set, NULL, NULL) == FW_OK &&
                           fw_count_evaluate(points, count, program->poly, NULL) == FW_OK &&
                           mpz_sgn(points) == 0;
        mpz_clear(points);
        fw_count_free(count);
        fw_set_free(set);
        if (contradicts)
            return fw_loop_refuse(program, "LOOP046", span,
                                  "%s = %s contradicts what is assumed of the parameters", name,
                                  text);
        program->assumptions = fw_loop_replace(program, program->assumptions, name, text);
    }
    for (size_t i = 0; i < program->domains.count; i++)
        program->domains.at[i].condition =
            fw_loop_replace(program, program->domains.at[i].condition, name, text);
    for (size_t i = 0; i < program->arrays.count; i++)
        for (uint32_t d = 0; program->arrays.at[i].extents && d < program->arrays.at[i].rank; d++)
            program->arrays.at[i].extents[d] =
                fw_loop_replace(program, program->arrays.at[i].extents[d], name, text);
    fw_loop_substitute_everywhere(program, name, fw_loop_integer(program, value));
    size_t kept = 0;
    for (size_t i = 0; i < program->parameters.count; i++)
        if (program->parameters.at[i] != name)
            program->parameters.at[kept++] = program->parameters.at[i];
    program->parameters.count = kept;
    return fw_loop_finish(program);
}
