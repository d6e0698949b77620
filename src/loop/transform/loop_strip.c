/* The work remover: Stevens and Kloeckner, "A mechanism for balancing accuracy and scope in
 * cross-machine black-box GPU performance modeling", algorithm 3.  Each load of global memory that
 * is kept adds to one private value, each store that is kept stores it; without such a store, each
 * thread stores it to an element of its own at the end, so that no compiler can drop the loads. */
#include "loop_dependence.h"
#include "loop_transform_internal.h"
#include "set_text.h"

#include <string.h>

struct stripping {
    struct fw_loop_program *program;
    const char *const *removed;
    uint32_t removed_count;
    fw_loop_sites sites;
    const char *value; /* read_tgt */
    enum fw_type type;
    FW_VECTOR(struct fw_loop_statement) statements;
    struct fw_span span;
};

static bool is_removed(const struct stripping *stripping, const char *array)
{
    for (uint32_t i = 0; i < stripping->removed_count; i++)
        if (strcmp(stripping->removed[i], array) == 0)
            return true;
    return false;
}

static bool is_kept(const struct stripping *stripping, const struct fw_loop_site *site)
{
    return site->space == FW_SPACE_GLOBAL && !is_removed(stripping, site->array->name);
}

static struct fw_loop_statement *add_statement(struct stripping *stripping,
                                               const struct fw_loop_statement *like)
{
    struct fw_loop_statement *made = FW_APPEND(stripping->program->arena, &stripping->statements);
    if (like)
        *made = *like;
    made->id = NULL;
    made->after = NULL;
    made->after_count = 0;
    made->loops_given = true;
    made->span = like ? like->span : stripping->span;
    return made;
}

/* What a kept statement's conditions or a kept access's subscripts read must be kept, too. */
static enum fw_status check_inside(const struct stripping *stripping,
                                   const struct fw_loop_expression *expression)
{
    struct fw_loop_program *program = stripping->program;
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        enum fw_status status = check_inside(stripping, expression->operands[i]);
        if (status != FW_OK)
            return status;
    }
    if (expression->kind != FW_LOOP_ACCESS)
        return FW_OK;
    const struct fw_loop_array *array = fw_loop_find_array(program, expression->name);
    enum fw_space space = fw_loop_space(program, array);
    if (space == FW_SPACE_PARAM ||
        (space == FW_SPACE_GLOBAL && !is_removed(stripping, array->name)))
        return FW_OK;
    return fw_loop_refuse(program, "LOOP090", expression->span,
                          "what is kept depends on '%s', which would be removed", array->name);
}

static enum fw_status check_kept(const struct stripping *stripping, const struct fw_loop_site *site)
{
    const struct fw_loop_statement *statement = &stripping->program->statements.at[site->statement];
    enum fw_status status = FW_OK;
    for (uint32_t d = 0; status == FW_OK && d < site->access->operand_count; d++)
        status = check_inside(stripping, site->access->operands[d]);
    for (uint32_t i = 0; status == FW_OK && i < statement->condition_count; i++)
        status = check_inside(stripping, statement->conditions[i]);
    return status;
}

/* Whether the access stands in another kept access's subscript: it happens with that. */
static bool is_nested(const struct stripping *stripping, const struct fw_loop_site *site)
{
    for (size_t i = 0; i < stripping->sites.count; i++) {
        const struct fw_loop_site *other = &stripping->sites.at[i];
        if (other == site || other->statement != site->statement || !is_kept(stripping, other))
            continue;
        for (uint32_t d = 0; d < other->access->operand_count; d++) {
            const struct fw_loop_expression *stack[64];
            size_t depth = 0;
            stack[depth++] = other->access->operands[d];
            while (depth) {
                const struct fw_loop_expression *at = stack[--depth];
                if (at == site->access)
                    return true;
                for (uint32_t k = 0; k < at->operand_count && depth < 64; k++)
                    stack[depth++] = at->operands[k];
            }
        }
    }
    return false;
}

/* The load under the choices that stand around it in the tree: what they keep from happening, such
 * as a subscript that leaves the array, must not happen now.  NULL: it is not in the tree. */
static struct fw_loop_expression *guarded(struct fw_loop_program *program,
                                          const struct fw_loop_expression *tree,
                                          const struct fw_loop_expression *load)
{
    if (tree == load)
        return (struct fw_loop_expression *)(uintptr_t)load;
    for (uint32_t i = 0; i < tree->operand_count; i++) {
        struct fw_loop_expression *inner = guarded(program, tree->operands[i], load);
        struct fw_buffer scratch = fw_buffer_new(program->arena);
        if (!inner)
            continue;
        if (tree->kind != FW_LOOP_IF || i == 0 ||
            !fw_loop_affine_condition(program, &scratch, tree->operands[0]))
            return inner;
        struct fw_loop_expression *zero = fw_loop_integer(program, 0);
        struct fw_loop_expression *choice[3] = {tree->operands[0], i == 1 ? inner : zero,
                                                i == 1 ? zero : inner};
        return fw_loop_operation(program, FW_LOOP_IF, NULL, choice, 3, load->span);
    }
    return NULL;
}

/* value = value + load, in the load's loops. */
static void add_load(struct stripping *stripping, const struct fw_loop_site *site)
{
    struct fw_loop_program *program = stripping->program;
    struct fw_loop_statement *made =
        add_statement(stripping, &program->statements.at[site->statement]);
    struct fw_loop_expression *load =
        guarded(program, program->statements.at[site->statement].value, site->access);
    struct fw_loop_expression *pair[2] = {
        fw_loop_name(program, stripping->value),
        load ? load : (struct fw_loop_expression *)(uintptr_t)site->access};
    made->target = fw_loop_name(program, stripping->value);
    made->value = fw_loop_operation(program, FW_LOOP_ADD, NULL, pair, 2, site->access->span);
    fw_loop_names loops = {0};
    for (size_t i = 0; i < site->loops.count; i++)
        fw_loop_names_add(program->arena, &loops, site->loops.at[i]);
    made->loops = loops.at;
    made->loop_count = (uint32_t)loops.count;
}

static void add_store(struct stripping *stripping, const struct fw_loop_site *site)
{
    struct fw_loop_statement *made =
        add_statement(stripping, &stripping->program->statements.at[site->statement]);
    made->value = fw_loop_name(stripping->program, stripping->value);
}

/* ---- the store at the end ---- */

/* The loop with the most iterations of those on an axis. */
static const char *loop_on(const struct stripping *stripping, const struct fw_loop_launch *launch,
                           const struct fw_loop_axis *axis)
{
    struct fw_loop_program *program = stripping->program;
    const char *best = NULL;
    int64_t most = -1;
    for (size_t i = 0; i < program->variables.count; i++) {
        const struct fw_loop_variable *variable = &program->variables.at[i];
        if (fw_loop_axis_of(launch, variable) != axis)
            continue;
        fw_loop_names names = {0};
        int64_t least = 0, greatest = 0;
        bool bounded = false;
        fw_loop_names_add(program->arena, &names, variable->name);
        char *conditions = fw_loop_conditions(program, &names);
        char *set = fw_loop_set_text(program, &variable->name, 1, &names, conditions, true);
        if (fw_loop_range(&least, &greatest, &bounded, program, set) != FW_OK)
            continue;
        int64_t extent = bounded ? greatest - least : INT32_MAX;
        if (extent > most) {
            most = extent;
            best = variable->name;
        }
    }
    return best;
}

/* Indices of blocks and threads that do the statement. */
static char *threads_of(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                        const struct fw_loop_statement *statement)
{
    fw_loop_names names = {0};
    struct fw_buffer text = fw_buffer_new(program->arena);
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_loop_names_add(program->arena, &names, statement->loops[i]);
    char *conditions = fw_loop_statement_conditions(program, statement, &names);
    for (size_t i = 0; i < names.count; i++)
        fw_buffer_printf(&text, "%s%s", i ? ", " : "(exists (", names.at[i]);
    fw_buffer_printf(
        &text, "%s%s and %s%s", names.count ? " : " : "(", conditions,
        fw_loop_axis_conditions(launch, program, statement->loops, statement->loop_count, ""),
        names.count ? "))" : ")");
    return text.text;
}

/* "[n] -> { [axes] : condition }" of all indices of the launch. */
static char *index_set(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                       const char *condition)
{
    struct fw_buffer names = fw_buffer_new(program->arena), points = fw_buffer_new(program->arena);
    fw_buffer_add(&names, "", 0);
    fw_buffer_add(&points, "", 0);
    for (unsigned side = 0; side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; a < FW_LOOP_AXES; a++) {
            const struct fw_loop_axis *axis = &launch->axes[side][a];
            if (!axis->used)
                continue;
            fw_buffer_printf(&names, "%s%s", names.length ? ", " : "", axis->name);
            fw_buffer_printf(&points, "(%s) and ", axis->points);
        }
    return fw_arena_printf(program->arena, "%s{ [%s] : %s(%s)%s%s }", fw_loop_prefix(program),
                           names.text, points.text, condition, program->assumptions ? " and " : "",
                           program->assumptions ? program->assumptions : "");
}

/* Whether each thread that adds to the value stores it later on, come what may: else a compiler
 * could drop its loads. */
static bool all_stored(const struct stripping *stripping, const struct fw_loop_launch *launch)
{
    struct fw_loop_program *program = stripping->program;
    const char *storing = "1 = 0"; /* of the statements behind */
    for (size_t i = stripping->statements.count; i-- > 1;) {
        const struct fw_loop_statement *statement = &stripping->statements.at[i];
        bool load = statement->target->name == stripping->value, affine = true, covered = false;
        for (uint32_t c = 0; c < statement->condition_count; c++) {
            struct fw_buffer scratch = fw_buffer_new(program->arena);
            affine =
                affine && fw_loop_affine_condition(program, &scratch, statement->conditions[c]);
        }
        char *threads = threads_of(program, launch, statement);
        if (!load && affine)
            storing = fw_arena_printf(program->arena, "%s or %s", storing, threads);
        if (!load)
            continue;
        char *one = index_set(program, launch, threads);
        char *all = index_set(program, launch, storing);
        if (fw_loop_subset(&covered, program, one, all) != FW_OK || !covered)
            return false;
    }
    return true;
}

/* destination[block 2, thread 2, ..., thread 0] = value, where it is needed */
static enum fw_status add_destination(struct stripping *stripping)
{
    struct fw_loop_program *program = stripping->program;
    struct fw_loop_launch *launch = NULL;
    fw_loop_names loops = {0};
    struct fw_loop_expression *subscripts[FW_LOOP_RANK_MOST];
    enum fw_status status = fw_loop_launch_new(&launch, program);
    if (status != FW_OK || all_stored(stripping, launch))
        return status;
    for (unsigned a = FW_LOOP_AXES; a-- > 0;)
        for (unsigned side = 0; side < FW_LOOP_SIDES; side++)
            if (launch->axes[side][a].used)
                fw_loop_names_add(program->arena, &loops,
                                  loop_on(stripping, launch, &launch->axes[side][a]));
    for (size_t i = 0; i < loops.count; i++)
        subscripts[i] = fw_loop_name(program, loops.at[i]);
    const char *name = fw_loop_new_name(program, "read_tgt_dest");
    struct fw_loop_array *array = fw_loop_add_array(program, name, stripping->span);
    if (!array)
        return FW_ERROR_INPUT;
    array->type = stripping->type;
    if (!loops.count)
        subscripts[0] = fw_loop_integer(program, 0);
    struct fw_loop_statement *made = add_statement(stripping, NULL);
    made->target = fw_loop_access(program, name, NULL, subscripts,
                                  loops.count ? (uint32_t)loops.count : 1, stripping->span);
    made->value = fw_loop_name(program, stripping->value);
    made->loops = loops.at;
    made->loop_count = (uint32_t)loops.count;
    return FW_OK;
}

/* ---- all ---- */

static enum fw_status strip_statements(struct stripping *stripping)
{
    struct fw_loop_program *program = stripping->program;
    bool any = false;
    for (size_t i = 0; i < stripping->sites.count; i++) {
        const struct fw_loop_site *site = &stripping->sites.at[i];
        if (!is_kept(stripping, site))
            continue;
        enum fw_status status = check_kept(stripping, site);
        if (status != FW_OK)
            return status;
        any = true;
        stripping->type = fw_loop_joined(stripping->type, site->array->type);
    }
    if (!any)
        return fw_loop_refuse(program, "LOOP091", stripping->span,
                              "no access of global memory would be left");
    struct fw_loop_statement *start = add_statement(stripping, NULL);
    start->target = fw_loop_name(program, stripping->value);
    start->value = fw_type_class(stripping->type) == 'f' ? fw_loop_real(program, 0, stripping->type)
                                                         : fw_loop_integer(program, 0);
    for (size_t i = 0; i < stripping->sites.count; i++) {
        const struct fw_loop_site *site = &stripping->sites.at[i];
        if (is_kept(stripping, site) && site->store)
            add_store(stripping, site);
        else if (is_kept(stripping, site) && !is_nested(stripping, site))
            add_load(stripping, site);
    }
    return FW_OK;
}

/* Arrays that nothing mentions any more go. */
static void drop_arrays(struct fw_loop_program *program)
{
    size_t kept = 0;
    for (size_t i = 0; i < program->arrays.count; i++) {
        bool used = false;
        for (size_t j = 0; j < program->statements.count; j++)
            used |= program->statements.at[j].target->name == program->arrays.at[i].name ||
                    fw_loop_statement_reads(&program->statements.at[j], program->arrays.at[i].name);
        if (used)
            program->arrays.at[kept++] = program->arrays.at[i];
    }
    program->arrays.count = kept;
}

enum fw_status fw_loop_strip(struct fw_loop_program *program, const char *const *removed,
                             uint32_t count, struct fw_span span)
{
    struct fw_loop_program *changed = fw_loop_copy(program);
    struct stripping stripping = {
        .program = changed, .removed = removed, .removed_count = count, .span = span};
    for (uint32_t i = 0; i < count; i++)
        if (!fw_loop_find_array(program, removed[i]))
            return fw_loop_refuse(program, "LOOP077", span, "there is no array '%s'", removed[i]);
    /* Loops of reductions become loops that the loads stand in. */
    enum fw_status status = fw_loop_part_reductions(changed);
    if (status != FW_OK)
        return status;
    stripping.sites = fw_loop_find_sites(changed);
    stripping.value = fw_loop_new_name(changed, "read_tgt");
    status = strip_statements(&stripping);
    if (status != FW_OK)
        return status;
    struct fw_loop_array *value = fw_loop_add_array(changed, stripping.value, span);
    if (!value)
        return FW_ERROR_INPUT;
    value->type = stripping.type;
    value->temporary = true;
    value->space = FW_SPACE_REG;
    value->by_thread = true;
    status = add_destination(&stripping);
    if (status != FW_OK)
        return status;
    changed->statements.at = stripping.statements.at;
    changed->statements.count = stripping.statements.count;
    changed->statements.capacity = stripping.statements.capacity;
    status = fw_loop_finish(changed);
    if (status == FW_OK) {
        drop_arrays(changed);
        *program = *changed;
    }
    return status;
}
