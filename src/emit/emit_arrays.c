/* Arrays: how large they are, how they are addressed, and whether accesses stay inside. */
#include "emit_internal.h"
#include "checked.h"
#include "set_text.h"

#include <inttypes.h>
#include <string.h>

enum { SHARED_MOST = 227 << 10, PRIVATE_MOST = 1 << 16 };

struct measuring {
    struct emitter *emitter;
    fw_loop_sites sites;
    const char *context;
};

/* "(exists (...: the site's points and x__ = subscript))" */
static char *subscript_values(struct emitter *emitter, const struct fw_loop_site *site, uint32_t d)
{
    struct fw_loop_program *program = emitter->program;
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_loop_names names = {0};
    for (size_t i = 0; i < site->loops.count; i++)
        fw_loop_names_add(program->arena, &names, site->loops.at[i]);
    char *conditions =
        fw_loop_statement_conditions(program, &program->statements.at[site->statement], &names);
    for (size_t i = 0; i < names.count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "(exists (", names.at[i]);
    fw_buffer_printf(&buffer, "%s%s and x__ = ", names.count ? " : " : "((", conditions);
    if (!fw_loop_affine(program, &buffer, site->access->operands[d]))
        return NULL;
    fw_buffer_printf(&buffer, "))");
    return buffer.text;
}

static char *set_of(const struct emitter *emitter, const char *condition, bool closed)
{
    struct fw_loop_program *program = emitter->program;
    fw_loop_names none = {0};
    const char *const kept[1] = {"x__"};
    return fw_loop_set_text(program, kept, 1, &none, condition, closed);
}

/* The values of one dimension: "x__ = extent - 1", or all subscripts; NULL: not known. */
static char *dimension_values(struct measuring *measuring, const struct fw_loop_array *array,
                              uint32_t d)
{
    struct emitter *emitter = measuring->emitter;
    struct fw_buffer buffer = fw_buffer_new(emitter->arena);
    fw_loop_names seen = {0};
    if (array->extents)
        return fw_arena_printf(emitter->arena, "x__ = (%s) - 1", array->extents[d]);
    for (size_t i = 0; i < measuring->sites.count; i++) {
        const struct fw_loop_site *site = &measuring->sites.at[i];
        if (site->array != array)
            continue;
        const char *values = subscript_values(emitter, site, d);
        bool known = false;
        if (!values)
            return NULL;
        for (size_t j = 0; j < seen.count; j++)
            known |= strcmp(seen.at[j], values) == 0;
        if (known)
            continue;
        *FW_APPEND(emitter->arena, &seen) = values;
        fw_buffer_printf(&buffer, "%s%s", buffer.length ? " or " : "(", values);
    }
    if (!buffer.length)
        return NULL;
    fw_buffer_printf(&buffer, ")");
    return buffer.text;
}

static enum fw_status measure_dimension(struct measuring *measuring, struct layout *layout,
                                        const struct fw_loop_array *array, uint32_t d)
{
    struct emitter *emitter = measuring->emitter;
    struct fw_poly *poly = emitter->program->poly;
    char *values = dimension_values(measuring, array, d);
    bool own = layout->space == FW_SPACE_SHARED || layout->space == FW_SPACE_REG;
    int64_t least = 0, greatest = 0;
    bool bounded = false;
    if (!values && (own || layout->order[0] != d)) {
        emit_refuse(emitter, "EMIT002", array->span,
                    "how far subscript %u of '%s' reaches is not known: declare its extents", d,
                    array->name);
        return FW_ERROR_INPUT;
    }
    if (!values)
        return FW_OK;
    enum fw_status status =
        fw_loop_range(&least, &greatest, &bounded, emitter->program, set_of(emitter, values, true));
    if (status != FW_OK && status != FW_ERROR_INPUT)
        return status;
    if (own && (!bounded || greatest < 0)) {
        emit_refuse(emitter, "EMIT002", array->span,
                    "'%s' is %s: its extents must be constant, and subscript %u has no constant "
                    "bound",
                    array->name, layout->space == FW_SPACE_REG ? "each thread's own" : "shared", d);
        return FW_ERROR_INPUT;
    }
    layout->constant[d] = bounded && greatest >= 0 ? greatest + 1 : 0;
    if (own)
        return FW_OK;
    status = fw_ast_extreme(&layout->extents[d], poly, emitter->arena,
                            set_of(emitter, values, false), measuring->context, true);
    if (status != FW_OK) {
        emit_refuse(emitter, "EMIT002", array->span,
                    "how far subscript %u of '%s' reaches cannot be said: declare its extents", d,
                    array->name);
        return FW_ERROR_INPUT;
    }
    struct fw_ast_expression *sum = FW_NEW(emitter->arena, struct fw_ast_expression);
    struct fw_ast_expression *one = FW_NEW(emitter->arena, struct fw_ast_expression);
    one->kind = FW_AST_INTEGER;
    one->value = 1;
    struct fw_ast_expression *last = layout->extents[d];
    if (last->kind == FW_AST_INTEGER) {
        last->value++;
        return FW_OK;
    }
    /* "n - 1" and "-1 + n" plus one are n. */
    for (uint32_t i = 0; i < last->operand_count && last->kind == FW_AST_ADD; i++)
        if (last->operands[i]->kind == FW_AST_INTEGER && last->operands[i]->value == -1) {
            layout->extents[d] = last->operands[1 - i];
            return FW_OK;
        }
    if (last->kind == FW_AST_SUBTRACT && last->operands[1]->kind == FW_AST_INTEGER) {
        int64_t less = last->operands[1]->value;
        if (less == 1) {
            layout->extents[d] = last->operands[0];
            return FW_OK;
        }
    }
    if (last->kind == FW_AST_ADD && last->operands[1]->kind == FW_AST_INTEGER) {
        last->operands[1]->value++;
        return FW_OK;
    }
    sum->kind = FW_AST_ADD;
    sum->operand_count = 2;
    sum->operands = FW_ARRAY(emitter->arena, struct fw_ast_expression *, 2);
    sum->operands[0] = last;
    sum->operands[1] = one;
    layout->extents[d] = sum;
    return FW_OK;
}

static void order_dimensions(struct layout *layout, const struct fw_loop_array *array)
{
    for (uint32_t i = 0; i < array->rank; i++)
        layout->order[i] = array->axes                          ? array->axes[i]
                           : array->layout == FW_LOOP_ROW_MAJOR ? i
                                                                : array->rank - 1 - i;
}

/* Whether all elements have numbers below 2^31. */
static bool is_small(const struct layout *layout, uint32_t rank)
{
    int64_t elements = 1;
    for (uint32_t d = 0; d < rank; d++)
        if (!layout->constant[d] ||
            fw_multiply_overflows(elements, layout->constant[d], &elements) || elements > INT32_MAX)
            return false;
    return true;
}

static enum fw_status measure_array(struct measuring *measuring, size_t index)
{
    struct emitter *emitter = measuring->emitter;
    const struct fw_loop_array *array = &emitter->program->arrays.at[index];
    struct layout *layout = &emitter->layouts[index];
    bool used = false;
    layout->space = fw_loop_space(emitter->program, array);
    order_dimensions(layout, array);
    for (size_t i = 0; i < measuring->sites.count; i++)
        used |= measuring->sites.at[i].array == array;
    enum fw_status status = FW_OK;
    for (uint32_t d = 0; status == FW_OK && d < array->rank; d++)
        if (used || array->extents)
            status = measure_dimension(measuring, layout, array, d);
    layout->wide = array->rank > 1 && !is_small(layout, array->rank);
    int64_t bytes = (int64_t)(fw_type_bits(array->type) + 7) / 8;
    bool shared = layout->space == FW_SPACE_SHARED;
    if (status != FW_OK || !(shared || layout->space == FW_SPACE_REG))
        return status;
    for (uint32_t d = 0; d < array->rank; d++)
        if (layout->constant[d] && fw_multiply_overflows(bytes, layout->constant[d], &bytes))
            bytes = INT64_MAX / 2;
    if (shared)
        emitter->emission->shared_bytes += (uint64_t)bytes;
    if (bytes > (shared ? SHARED_MOST : PRIVATE_MOST) ||
        emitter->emission->shared_bytes > SHARED_MOST) {
        emit_refuse(emitter, "EMIT007", array->span,
                    "'%s' does not fit: the program's %s arrays take more than %d bytes",
                    array->name, shared ? "shared" : "private",
                    shared ? SHARED_MOST : PRIVATE_MOST);
        return FW_ERROR_INPUT;
    }
    return status;
}

/* ---- bounds ---- */

/* Adds the conditions of the choices around the access; whether it stands in the tree. */
static bool add_choices(struct emitter *emitter, struct fw_buffer *buffer,
                        const struct fw_loop_expression *expression,
                        const struct fw_loop_expression *access)
{
    if (expression == access)
        return true;
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        if (!add_choices(emitter, buffer, expression->operands[i], access))
            continue;
        struct fw_buffer condition = fw_buffer_new(emitter->arena);
        if (expression->kind == FW_LOOP_IF && i > 0 &&
            fw_loop_affine_condition(emitter->program, &condition, expression->operands[0]))
            fw_buffer_printf(buffer, " and %s(%s)", i == 1 ? "" : "not ", condition.text);
        return true;
    }
    return false;
}

static enum fw_status check_site(struct emitter *emitter, const struct fw_loop_site *site)
{
    struct fw_loop_program *program = emitter->program;
    const struct fw_loop_statement *statement = &program->statements.at[site->statement];
    struct fw_buffer choices = fw_buffer_new(emitter->arena);
    fw_buffer_printf(&choices, "0 = 0");
    if (!site->store)
        add_choices(emitter, &choices, statement->value, site->access);
    for (uint32_t d = 0; d < site->access->operand_count; d++) {
        struct fw_buffer subscript = fw_buffer_new(emitter->arena);
        if (!fw_loop_affine(program, &subscript, site->access->operands[d]))
            continue;
        fw_loop_names names = {0};
        for (size_t i = 0; i < site->loops.count; i++)
            fw_loop_names_add(program->arena, &names, site->loops.at[i]);
        char *conditions = fw_loop_statement_conditions(program, statement, &names);
        char *outside = fw_arena_printf(
            emitter->arena, "%s and %s%s%s and (%s < 0%s%s%s%s%s)", conditions, choices.text,
            program->assumptions ? " and " : "", program->assumptions ? program->assumptions : "",
            subscript.text, site->array->extents ? " or " : "",
            site->array->extents ? subscript.text : "", site->array->extents ? " >= (" : "",
            site->array->extents ? site->array->extents[d] : "", site->array->extents ? ")" : "");
        char *set = fw_loop_set_text(program, NULL, 0, &names, outside, false);
        bool empty = false;
        enum fw_status status = fw_loop_empty(&empty, program, set);
        if (status == FW_OK && empty)
            continue;
        char *when = NULL;
        fw_set_text_witness(&when, program->poly, emitter->arena, set);
        emit_refuse(emitter, "EMIT003", site->access->span,
                    "subscript %u of '%s' may be outside of the array%s%s", d, site->array->name,
                    when && *when ? ", for instance with " : "", when ? when : "");
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}

/* Whether no access of the statement can be outside of its array: one question for all. */
static bool all_inside(struct emitter *emitter, const fw_loop_sites *sites, uint32_t index)
{
    struct fw_loop_program *program = emitter->program;
    const struct fw_loop_statement *statement = &program->statements.at[index];
    struct fw_buffer outside = fw_buffer_new(emitter->arena);
    fw_loop_names names = {0};
    bool empty = false;
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_loop_names_add(program->arena, &names, statement->loops[i]);
    char *conditions = fw_loop_statement_conditions(program, statement, &names);
    for (size_t i = 0; i < sites->count; i++) {
        const struct fw_loop_site *site = &sites->at[i];
        for (uint32_t d = 0; site->statement == index && d < site->access->operand_count; d++) {
            struct fw_buffer subscript = fw_buffer_new(emitter->arena);
            if (!fw_loop_affine(program, &subscript, site->access->operands[d]))
                continue;
            fw_buffer_printf(&outside, "%s%s < 0", outside.length ? " or " : "", subscript.text);
            if (site->array->extents)
                fw_buffer_printf(&outside, " or %s >= (%s)", subscript.text,
                                 site->array->extents[d]);
        }
    }
    if (!outside.length)
        return true;
    conditions = fw_arena_printf(emitter->arena, "%s%s%s and (%s)", conditions,
                                 program->assumptions ? " and " : "",
                                 program->assumptions ? program->assumptions : "", outside.text);
    char *set = fw_loop_set_text(program, NULL, 0, &names, conditions, false);
    return fw_loop_empty(&empty, program, set) == FW_OK && empty;
}

enum fw_status emit_layouts(struct emitter *emitter)
{
    struct fw_loop_program *program = emitter->program;
    struct measuring measuring = {.emitter = emitter};
    measuring.sites = fw_loop_find_sites(program);
    measuring.context = fw_arena_printf(emitter->arena, "%s{ : %s }", fw_loop_prefix(program),
                                        program->assumptions ? program->assumptions : "0 = 0");
    emitter->layouts = FW_ARRAY(emitter->arena, struct layout, program->arrays.count + 1);
    enum fw_status status = FW_OK;
    for (size_t i = 0; status == FW_OK && i < program->arrays.count; i++)
        status = measure_array(&measuring, i);
    for (uint32_t s = 0; status == FW_OK && s < program->statements.count; s++) {
        if (all_inside(emitter, &measuring.sites, s))
            continue;
        for (size_t i = 0; status == FW_OK && i < measuring.sites.count; i++)
            if (measuring.sites.at[i].statement == s)
                status = check_site(emitter, &measuring.sites.at[i]);
    }
    return status;
}
