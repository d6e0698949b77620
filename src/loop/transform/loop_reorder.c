/* Whether a changed program still does what depends on each other in the old order. */
#include "loop_dependence.h"
#include "loop_transform_internal.h"
#include "loop_tree.h"

#include <string.h>

static bool matters(const struct fw_loop_site *x, const struct fw_loop_site *y)
{
    return x->array == y->array && (x->store || y->store) && x->space != FW_SPACE_PARAM;
}

/* The loops of a statement that sets a private temporary in each of their iterations anew, before
 * anything there reads it: no value goes from one iteration to another.  NULL: there is none. */
static const struct fw_loop_statement *lives_in(const struct fw_loop_program *program,
                                                const struct fw_loop_array *array)
{
    const struct fw_loop_statement *setter = NULL;
    for (size_t i = 0; i < program->statements.count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        bool writes = statement->target->name == array->name;
        bool reads = fw_loop_statement_reads(statement, array->name);
        if (!writes && !reads)
            continue;
        if (!setter && (reads || statement->condition_count || array->rank))
            return NULL;
        if (!setter)
            setter = statement;
        for (uint32_t j = 0; j < setter->loop_count; j++)
            if (!fw_loop_has(statement->loops, statement->loop_count, setter->loops[j]))
                return NULL;
    }
    return setter;
}

/* "l__x = l__y and ..." for the loops that a private temporary's values do not leave. */
static char *confined(struct fw_loop_program *program, const struct fw_loop_site *site)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    const struct fw_loop_statement *setter =
        site->space == FW_SPACE_REG ? lives_in(program, site->array) : NULL;
    fw_buffer_printf(&buffer, "0 = 0");
    for (uint32_t i = 0; setter && i < setter->loop_count; i++)
        fw_buffer_printf(&buffer, " and %s__x = %s__y", setter->loops[i], setter->loops[i]);
    return buffer.text;
}

/* A condition of the changed program in the old one's names. */
static char *in_old_names(struct fw_loop_program *program, char *text,
                          const struct fw_loop_mapping *mapping)
{
    static const char *const suffixes[] = {"__x", "__y"};
    for (; mapping && mapping->name; mapping++)
        for (unsigned i = 0; i < 2; i++) {
            char *name = fw_arena_printf(program->arena, "%s%s", mapping->name, suffixes[i]);
            struct fw_buffer with = fw_buffer_new(program->arena);
            for (const char *at = mapping->with; *at; at++)
                if (at[0] == '%' && at[1] == 's')
                    fw_buffer_printf(&with, "%s", suffixes[i]), at++;
                else
                    fw_buffer_add(&with, at, 1);
            text = fw_loop_replace(program, text, name, with.text);
        }
    return text;
}

/* Nobody hears what is refused while an order is looked for. */
static enum fw_status quiet_tree(struct fw_loop_schedule **schedule,
                                 struct fw_loop_program *program)
{
    const struct fw_sink *sink = program->sink;
    program->sink = NULL;
    enum fw_status status = fw_loop_schedule_tree(schedule, program);
    program->sink = sink;
    return status;
}

bool fw_loop_has_order(struct fw_loop_program *program)
{
    struct fw_loop_schedule *schedule = NULL;
    return quiet_tree(&schedule, program) == FW_OK;
}

enum fw_status fw_loop_check_order(struct fw_loop_program *before, struct fw_loop_program *after,
                                   const struct fw_loop_mapping *mapping, struct fw_span span)
{
    struct fw_loop_schedule *old = NULL, *new = NULL;
    enum fw_status status = quiet_tree(&old, before);
    if (status != FW_OK)
        return status == FW_ERROR_INPUT ? FW_OK : status;
    status = quiet_tree(&new, after);
    if (status != FW_OK)
        return status == FW_ERROR_INPUT ? FW_OK : status;
    fw_loop_sites sites = fw_loop_find_sites(old->program);
    for (size_t i = 0; i < sites.count; i++)
        for (size_t j = 0; j < sites.count; j++) {
            const struct fw_loop_site *x = &sites.at[i], *y = &sites.at[j];
            if (!matters(x, y))
                continue;
            char *first = fw_loop_done_before(old, x->statement, y->statement);
            char *then = fw_loop_done_after(new, x->statement, y->statement);
            if (strcmp(first, "(1 = 0)") == 0 || strcmp(then, "(1 = 0)") == 0)
                continue;
            fw_loop_simplify_statements(old->program); /* once */
            then = in_old_names(before, then, mapping);
            char *relation = fw_arena_printf(before->arena, "%s and %s and %s", first, then,
                                             confined(old->program, x));
            if (fw_loop_may_meet(old->program, NULL, x, y, relation))
                return fw_loop_refuse(before, "LOOP070", span,
                                      "iterations that touch the same element of '%s' would be "
                                      "done in another order",
                                      x->array->name);
        }
    return FW_OK;
}
