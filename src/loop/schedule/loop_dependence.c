/* Conditions on pairs of executions, and whether they can hold. */
#include "loop_access.h"
#include "loop_dependence.h"
#include "set_text.h"

#include <inttypes.h>
#include <string.h>

struct site_list {
    struct fw_loop_program *program;
    fw_loop_sites sites;
};

static void see_site(void *user, const struct fw_loop_statement *statement,
                     const struct fw_loop_expression *access, bool store,
                     const fw_loop_names *loops)
{
    struct site_list *list = user;
    struct fw_loop_program *program = list->program;
    struct fw_loop_site *site = FW_APPEND(program->arena, &list->sites);
    site->statement = (uint32_t)(statement - program->statements.at);
    site->access = access;
    site->array = fw_loop_find_array(program, access->name);
    site->space = fw_loop_space(program, site->array);
    site->store = store;
    site->affine = true;
    for (uint32_t d = 0; d < access->operand_count; d++) {
        struct fw_buffer scratch = fw_buffer_new(program->arena);
        site->affine = site->affine && fw_loop_affine(program, &scratch, access->operands[d]);
    }
    for (size_t i = 0; i < loops->count; i++)
        fw_loop_names_add(program->arena, &site->loops, loops->at[i]);
}

/* A number for all that fw_loop_may_meet says of the site, its launch and its partner aside. */
static uint32_t number_of(struct fw_loop_program *program, const char *known,
                          const struct fw_loop_site *site)
{
    const struct fw_loop_statement *statement = &program->statements.at[site->statement];
    struct fw_buffer text = fw_buffer_new(program->arena);
    fw_loop_names names = {0};
    char *execution = fw_loop_execution(program, NULL, site, "", &names);
    fw_buffer_printf(&text, "site %s %s %u", known, execution, site->access->operand_count);
    for (size_t i = 0; i < names.count; i++)
        fw_buffer_printf(&text, " %s", names.at[i]);
    fw_buffer_printf(&text, " :");
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_buffer_printf(&text, " %s", statement->loops[i]);
    fw_loop_spend(program, 20);
    return fw_loop_number(program, text.text);
}

fw_loop_sites fw_loop_find_sites(struct fw_loop_program *program)
{
    struct site_list list = {.program = program};
    for (size_t i = 0; i < program->statements.count; i++)
        fw_loop_each_access(program, &program->statements.at[i], see_site, &list);
    char *known = fw_arena_printf(program->arena, "%s%s", fw_loop_prefix(program),
                                  program->assumptions ? program->assumptions : "");
    for (size_t i = 0; i < list.sites.count; i++)
        list.sites.at[i].alike = number_of(program, known, &list.sites.at[i]);
    return list.sites;
}

/* Renames every name of a condition and appends the new ones. */
static char *with_suffix(struct fw_loop_program *program, char *text, const fw_loop_names *names,
                         const char *suffix, fw_loop_names *renamed)
{
    for (size_t i = 0; i < names->count; i++) {
        char *name = fw_arena_printf(program->arena, "%s%s", names->at[i], suffix);
        text = fw_loop_replace(program, text, names->at[i], name);
        *FW_APPEND(program->arena, renamed) = name;
    }
    return text;
}

static void add_axes(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                     const struct fw_loop_statement *statement, struct fw_buffer *buffer,
                     const char *suffix, fw_loop_names *names)
{
    fw_buffer_printf(
        buffer, " and %s",
        fw_loop_axis_conditions(launch, program, statement->loops, statement->loop_count, suffix));
    for (unsigned side = 0; side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; a < FW_LOOP_AXES; a++) {
            const struct fw_loop_axis *axis = &launch->axes[side][a];
            if (!axis->used)
                continue;
            *FW_APPEND(program->arena, names) =
                fw_arena_printf(program->arena, "%s%s", axis->name, suffix);
            fw_buffer_printf(buffer, " and 0 <= %s%s", axis->name, suffix);
            if (axis->extent)
                fw_buffer_printf(buffer, " < %" PRId64, axis->extent);
        }
}

char *fw_loop_execution(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                        const struct fw_loop_site *site, const char *suffix, fw_loop_names *names)
{
    const struct fw_loop_statement *statement = &program->statements.at[site->statement];
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_loop_names own = {0};
    for (size_t i = 0; i < site->loops.count; i++)
        fw_loop_names_add(program->arena, &own, site->loops.at[i]);
    fw_buffer_printf(&buffer, "%s", fw_loop_statement_conditions(program, statement, &own));
    for (uint32_t d = 0; site->access && d < site->access->operand_count; d++) {
        struct fw_buffer subscript = fw_buffer_new(program->arena);
        if (fw_loop_affine(program, &subscript, site->access->operands[d]))
            fw_buffer_printf(&buffer, " and element__%u = %s", d, subscript.text);
    }
    char *text = with_suffix(program, buffer.text, &own, suffix, names);
    if (!launch)
        return text;
    struct fw_buffer whole = fw_buffer_new(program->arena);
    fw_buffer_printf(&whole, "%s", text);
    add_axes(program, launch, statement, &whole, suffix, names);
    return whole.text;
}

static bool may_meet(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                     const struct fw_loop_site *x, const struct fw_loop_site *y,
                     const char *relation)
{
    fw_loop_names names = {0};
    char *one = fw_loop_execution(program, launch, x, "__x", &names);
    char *two = fw_loop_execution(program, launch, y, "__y", &names);
    for (uint32_t d = 0; d < x->access->operand_count; d++)
        *FW_APPEND(program->arena, &names) = fw_arena_printf(program->arena, "element__%u", d);
    struct fw_buffer text = fw_buffer_new(program->arena);
    fw_buffer_printf(&text, "%s{ [", fw_loop_prefix(program));
    for (size_t i = 0; i < names.count; i++)
        fw_buffer_printf(&text, "%s%s", i ? ", " : "", names.at[i]);
    fw_buffer_printf(&text, "] : %s and %s and %s", one, two, relation);
    if (program->assumptions)
        fw_buffer_printf(&text, " and %s", program->assumptions);
    fw_buffer_printf(&text, " }");
    bool empty = false;
    enum fw_status status = fw_loop_empty(&empty, program, text.text);
    return status != FW_OK || !empty;
}

bool fw_loop_may_meet(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                      const struct fw_loop_site *x, const struct fw_loop_site *y,
                      const char *relation)
{
    bool *answer;
    char *question = fw_arena_printf(program->arena, "meet %u %u %p %s", x->alike, y->alike,
                                     (const void *)launch, relation);
    if (fw_loop_recall(&answer, program, question))
        return *answer;
    bool may = may_meet(program, launch, x, y, relation);
    fw_loop_recall(&answer, program, question);
    *answer = may;
    return may;
}

static char *compare_axes(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                          enum fw_loop_side side, const char *compare, const char *between)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    for (unsigned a = 0; a < FW_LOOP_AXES; a++)
        if (launch->axes[side][a].used)
            fw_buffer_printf(&buffer, "%s%s__x %s %s__y", buffer.length ? between : "(",
                             launch->axes[side][a].name, compare, launch->axes[side][a].name);
    if (!buffer.length)
        return NULL;
    fw_buffer_printf(&buffer, ")");
    return buffer.text;
}

char *fw_loop_axes_differ(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                          enum fw_loop_side side)
{
    return compare_axes(program, launch, side, "!=", " or ");
}

char *fw_loop_axes_equal(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                         enum fw_loop_side side)
{
    char *text = compare_axes(program, launch, side, "=", " and ");
    return text ? text : fw_arena_printf(program->arena, "0 = 0");
}
