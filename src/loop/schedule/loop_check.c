/* What a schedule cannot do: readers before their writers, and dependences between blocks. */
#include "loop_schedule_internal.h"
#include "set_text.h"

#include <string.h>

struct checking {
    struct fw_loop_schedule *schedule;
    struct fw_loop_program *program;
    struct fw_loop_relation before;
    fw_loop_sites sites;
};

static const char *name_of(const struct checking *checking, uint32_t index)
{
    const struct fw_loop_statement *statement = &checking->program->statements.at[index];
    return statement->id ? statement->id : statement->target->name;
}

/* ---- private temporaries ---- */

static enum fw_status check_private(struct checking *checking, const struct fw_loop_site *writer,
                                    const struct fw_loop_site *reader)
{
    struct fw_loop_program *program = checking->program;
    const struct fw_loop_statement *one = &program->statements.at[writer->statement];
    const struct fw_loop_statement *two = &program->statements.at[reader->statement];
    for (uint32_t i = 0; i < one->loop_count && !writer->array->by_thread; i++)
        if (!fw_loop_is_sequential(program, one->loops[i]) &&
            !fw_loop_has(two->loops, two->loop_count, one->loops[i]))
            return fw_loop_refuse(program, "LOOP056", two->span,
                                  "'%s' is each thread's own: it is set in the loop '%s', and read "
                                  "outside of it, by '%s'",
                                  writer->array->name, one->loops[i],
                                  name_of(checking, reader->statement));
    return FW_OK;
}

/* ---- blocks and redundant threads ---- */

/* Both statements stand in a loop on that axis whose order does not matter. */
static bool is_promised(const struct checking *checking, const struct fw_loop_site *x,
                        const struct fw_loop_site *y, unsigned axis)
{
    const struct fw_loop_program *program = checking->program;
    const struct fw_loop_statement *one = &program->statements.at[x->statement];
    const struct fw_loop_statement *two = &program->statements.at[y->statement];
    for (uint32_t i = 0; i < one->loop_count; i++) {
        const struct fw_loop_variable *variable = fw_loop_variable(program, one->loops[i]);
        if (variable->tag.kind == FW_LOOP_BLOCK && variable->tag.axis == axis &&
            variable->unordered && fw_loop_has(two->loops, two->loop_count, variable->name))
            return true;
    }
    return false;
}

static enum fw_status check_blocks(struct checking *checking, const struct fw_loop_site *x,
                                   const struct fw_loop_site *y)
{
    struct fw_loop_program *program = checking->program;
    const struct fw_loop_launch *launch = checking->schedule->launch;
    struct fw_buffer relation = fw_buffer_new(program->arena);
    for (unsigned a = 0; a < FW_LOOP_AXES; a++) {
        const struct fw_loop_axis *axis = &launch->axes[FW_LOOP_OF_BLOCKS][a];
        if (axis->used && axis->extent != 1 && !is_promised(checking, x, y, a))
            fw_buffer_printf(&relation, "%s%s__x != %s__y", relation.length ? " or " : "(",
                             axis->name, axis->name);
    }
    if (!relation.length)
        return FW_OK;
    fw_buffer_printf(&relation, ") and %s",
                     fw_loop_done_before(checking->schedule, x->statement, y->statement));
    if (!fw_loop_may_meet(program, launch, x, y, relation.text))
        return FW_OK;
    return fw_loop_refuse(program, "LOOP057", program->statements.at[y->statement].span,
                          "'%s' and '%s' may touch the same element of '%s' in different blocks, "
                          "which do not wait for each other: they need kernels of their own",
                          name_of(checking, x->statement), name_of(checking, y->statement),
                          x->array->name);
}

/* A statement that several threads or blocks do alike must not read what it stores. */
static enum fw_status check_redundant(struct checking *checking, const struct fw_loop_site *x,
                                      const struct fw_loop_site *y)
{
    struct fw_loop_program *program = checking->program;
    const struct fw_loop_launch *launch = checking->schedule->launch;
    const struct fw_loop_statement *statement = &program->statements.at[x->statement];
    char *threads = fw_loop_axes_differ(program, launch, FW_LOOP_OF_THREADS);
    char *blocks = x->space == FW_SPACE_GLOBAL
                       ? fw_loop_axes_differ(program, launch, FW_LOOP_OF_BLOCKS)
                       : NULL;
    struct fw_buffer relation = fw_buffer_new(program->arena);
    if (x->statement != y->statement || (!threads && !blocks))
        return FW_OK;
    fw_buffer_printf(&relation, "(%s%s%s)", threads ? threads : "", threads && blocks ? " or " : "",
                     blocks ? blocks : "");
    if (x->space != FW_SPACE_GLOBAL)
        fw_buffer_printf(&relation, " and %s",
                         fw_loop_axes_equal(program, launch, FW_LOOP_OF_BLOCKS));
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_buffer_printf(&relation, " and %s__x = %s__y", statement->loops[i], statement->loops[i]);
    if (!fw_loop_may_meet(program, launch, x, y, relation.text))
        return FW_OK;
    return fw_loop_refuse(program, "LOOP059", statement->span,
                          "'%s' reads what it stores, and has no loop on one of the launch's axes: "
                          "each thread of that axis would do it again",
                          name_of(checking, x->statement));
}

/* ---- readers ---- */

enum when { ALL, EARLIER, LATER };

/* What is private passes between statements of one thread, what is shared of one block: the loops
 * on axes that both stand in have the same values. */
static char *same_place(const struct checking *checking, const struct fw_loop_site *writer,
                        const struct fw_loop_site *reader)
{
    struct fw_loop_program *program = checking->program;
    const struct fw_loop_statement *one = &program->statements.at[writer->statement];
    const struct fw_loop_statement *two = &program->statements.at[reader->statement];
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_buffer_printf(&buffer, "0 = 0");
    for (uint32_t i = 0; i < one->loop_count; i++) {
        enum fw_loop_tag_kind kind = fw_loop_variable(program, one->loops[i])->tag.kind;
        bool inside =
            kind == FW_LOOP_BLOCK || (kind == FW_LOOP_THREAD && reader->space == FW_SPACE_REG);
        if (inside && reader->space != FW_SPACE_GLOBAL &&
            fw_loop_has(two->loops, two->loop_count, one->loops[i]))
            fw_buffer_printf(&buffer, " and %s__x = %s__y", one->loops[i], one->loops[i]);
    }
    return buffer.text;
}

/* "{ [y's names] : y reads and exists x: x stores that element earlier (or later) }". */
static char *reads_set(struct checking *checking, const struct fw_loop_site *reader,
                       const fw_loop_sites *writers, enum when when)
{
    bool all = when == ALL;
    struct fw_loop_program *program = checking->program;
    fw_loop_names kept = {0};
    char *reading = fw_loop_execution(program, NULL, reader, "__y", &kept);
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    for (uint32_t d = 0; d < reader->access->operand_count; d++)
        *FW_APPEND(program->arena, &kept) = fw_arena_printf(program->arena, "element__%u", d);
    fw_buffer_printf(&buffer, "%s{ [", fw_loop_prefix(program));
    for (size_t i = 0; i < kept.count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "", kept.at[i]);
    fw_buffer_printf(&buffer, "] : %s", reading);
    if (program->assumptions)
        fw_buffer_printf(&buffer, " and %s", program->assumptions);
    for (size_t i = 0; !all && i < writers->count; i++) {
        const struct fw_loop_site *writer = &writers->at[i];
        fw_loop_names names = {0};
        char *writing = fw_loop_execution(program, NULL, writer, "__x", &names);
        char *before =
            when == EARLIER
                ? fw_loop_done_before(checking->schedule, writer->statement, reader->statement)
                : fw_loop_done_after(checking->schedule, writer->statement, reader->statement);
        char *alike = same_place(checking, writer, reader);
        fw_buffer_printf(&buffer, "%s", i ? " or (" : " and ((");
        for (size_t j = 0; j < names.count; j++)
            fw_buffer_printf(&buffer, "%s%s", j ? ", " : "exists (", names.at[j]);
        fw_buffer_printf(&buffer, names.count ? " : %s and %s and %s))" : "%s and %s and %s)",
                         writing, before, alike);
    }
    fw_buffer_printf(&buffer, all ? " }" : ") }");
    return buffer.text;
}

/* Every element of a temporary that is read has been stored before. */
static enum fw_status check_reader(struct checking *checking, const struct fw_loop_site *reader)
{
    struct fw_loop_program *program = checking->program;
    fw_loop_sites writers = {0};
    if (reader->store || !reader->array->temporary || !reader->affine)
        return FW_OK;
    for (size_t i = 0; i < checking->sites.count; i++) {
        const struct fw_loop_site *site = &checking->sites.at[i];
        if (site->array != reader->array || !site->store)
            continue;
        if (!site->affine)
            return FW_OK;
        *FW_APPEND(program->arena, &writers) = *site;
    }
    bool subset = false;
    enum fw_status status = FW_ERROR_INPUT;
    if (writers.count)
        status = fw_loop_subset(&subset, program, reads_set(checking, reader, &writers, ALL),
                                reads_set(checking, reader, &writers, EARLIER));
    if (writers.count && status != FW_OK)
        return fw_loop_undecided(program, status, reader->access->span);
    if (subset)
        return FW_OK;
    return fw_loop_refuse(program, "LOOP058", reader->access->span,
                          "'%s' reads elements of '%s' that nothing has stored before: the loops "
                          "that store and that read them want to stand apart",
                          name_of(checking, reader->statement), reader->array->name);
}

/* A reader that stands after a writer must not meet an element that it stores only later. */
static enum fw_status check_late(struct checking *checking, const struct fw_loop_site *writer,
                                 const struct fw_loop_site *reader)
{
    struct fw_loop_program *program = checking->program;
    if (reader->array->temporary || !reader->affine || !writer->affine ||
        !*fw_loop_related(&checking->before, writer->statement, reader->statement))
        return FW_OK;
    char *late = fw_loop_done_before(checking->schedule, reader->statement, writer->statement);
    /* (x is the reader here.) */
    if (strcmp(late, "(1 = 0)") == 0 || !fw_loop_may_meet(program, NULL, reader, writer, late))
        return FW_OK;
    fw_loop_sites writers = {0};
    *FW_APPEND(program->arena, &writers) = *writer;
    bool subset = false;
    enum fw_status status =
        fw_loop_subset(&subset, program, reads_set(checking, reader, &writers, LATER),
                       reads_set(checking, reader, &writers, EARLIER));
    if (status != FW_OK || subset)
        return status ? fw_loop_undecided(program, status, reader->access->span) : FW_OK;
    return fw_loop_refuse(program, "LOOP058", reader->access->span,
                          "'%s' reads elements of '%s' that '%s' stores in later iterations only: "
                          "give one of them loops of its own",
                          name_of(checking, reader->statement), reader->array->name,
                          name_of(checking, writer->statement));
}

static enum fw_status check_pair(struct checking *checking, const struct fw_loop_site *x,
                                 const struct fw_loop_site *y)
{
    enum fw_status status = FW_OK;
    if (x->array != y->array || !(x->store || y->store))
        return FW_OK;
    if (x->space == FW_SPACE_REG)
        status = x->store && !y->store ? check_private(checking, x, y) : FW_OK;
    else if (x->space == FW_SPACE_GLOBAL)
        status = check_blocks(checking, x, y);
    if (status == FW_OK && x->store && !y->store && x->space != FW_SPACE_REG)
        status = check_redundant(checking, x, y);
    if (status == FW_OK && x->store && !y->store && x->statement != y->statement)
        status = check_late(checking, x, y);
    return status;
}

enum fw_status fw_loop_check_schedule(struct fw_loop_schedule *schedule)
{
    struct checking checking = {.schedule = schedule, .program = schedule->program};
    checking.sites = fw_loop_find_sites(schedule->program);
    enum fw_status status = fw_loop_order_statements(&checking.before, schedule->program);
    for (size_t i = 0; status == FW_OK && i < checking.sites.count; i++) {
        for (size_t j = 0; status == FW_OK && j < checking.sites.count; j++)
            status = check_pair(&checking, &checking.sites.at[i], &checking.sites.at[j]);
        if (status == FW_OK)
            status = check_reader(&checking, &checking.sites.at[i]);
    }
    return status;
}
