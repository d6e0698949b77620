/* Prefetching: a piece of an array, fetched into shared memory by all threads of a block. */
#include "checked.h"
#include "loop_dependence.h"
#include "loop_transform_internal.h"

#include <inttypes.h>
#include <string.h>

enum { SHARED_MOST = 48 << 10 };

struct prefetching {
    struct fw_loop_program *program;
    const struct fw_loop_prefetch *wanted;
    struct fw_span span;
    const char *array; /* interned */
    const char *tag;
    const char **sweeps;
    fw_loop_sites sites;                            /* the loads that will be replaced */
    uint32_t rank;                                  /* of the array */
    struct fw_loop_linear bases[FW_LOOP_RANK_MOST]; /* what is subtracted from each subscript */
    int64_t extents[FW_LOOP_RANK_MOST];
    const char *dims[FW_LOOP_RANK_MOST]; /* fetching loops; NULL: the extent is 1 */
    const char *fetch;
    fw_loop_names outer; /* loops that the bases mention */
};

/* ---- what is fetched ---- */

static bool is_swept(const struct prefetching *prefetching, const char *name)
{
    return fw_loop_has(prefetching->sweeps, prefetching->wanted->sweep_count, name);
}

static bool stands_in_all(const struct prefetching *prefetching, const struct fw_loop_site *site)
{
    for (uint32_t i = 0; i < prefetching->wanted->sweep_count; i++)
        if (!fw_loop_has(site->loops.at, (uint32_t)site->loops.count, prefetching->sweeps[i]))
            return false;
    return true;
}

static enum fw_status find_sites(struct prefetching *prefetching)
{
    struct fw_loop_program *program = prefetching->program;
    fw_loop_sites all = fw_loop_find_sites(program);
    for (size_t i = 0; i < all.count; i++) {
        struct fw_loop_site *site = &all.at[i];
        if (site->array->name != prefetching->array)
            continue;
        if (site->store)
            return fw_loop_refuse(program, "LOOP080", program->statements.at[site->statement].span,
                                  "'%s' is stored to here: what was fetched before could be old",
                                  prefetching->array);
        if ((prefetching->tag && site->access->tag != prefetching->tag) ||
            !stands_in_all(prefetching, site))
            continue;
        if (!site->affine)
            return fw_loop_refuse(program, "LOOP081", site->access->span,
                                  "a subscript is not affine: what '%s' is read at is not known",
                                  prefetching->array);
        *FW_APPEND(program->arena, &prefetching->sites) = *site;
    }
    if (!prefetching->sites.count)
        return fw_loop_refuse(program, "LOOP082", prefetching->span,
                              "no load of '%s'%s stands in all of these loops",
                              prefetching->wanted->array, prefetching->tag ? " with this tag" : "");
    return FW_OK;
}

/* The form without the sweeps' terms. */
static struct fw_loop_linear outside(const struct prefetching *prefetching,
                                     const struct fw_loop_linear *linear)
{
    struct fw_loop_linear rest = {.constant = linear->constant};
    for (uint32_t i = 0; i < linear->count; i++)
        if (!is_swept(prefetching, linear->names[i]) && linear->factors[i])
            fw_loop_add_term(&rest, linear->names[i], linear->factors[i]);
    return rest;
}

/* "{ [x] : exists (...: subscript - base = x) }" of one dimension, over all sites. */
static enum fw_status range_of(struct prefetching *prefetching, uint32_t d, int64_t *least,
                               int64_t *greatest, bool *bounded)
{
    struct fw_loop_program *program = prefetching->program;
    *least = INT64_MAX;
    *greatest = INT64_MIN;
    *bounded = true;
    for (size_t i = 0; i < prefetching->sites.count; i++) {
        const struct fw_loop_site *site = &prefetching->sites.at[i];
        fw_loop_names names = {0};
        int64_t low = 0, high = 0;
        bool known = false;
        for (size_t j = 0; j < site->loops.count; j++)
            fw_loop_names_add(program->arena, &names, site->loops.at[j]);
        struct fw_buffer text = fw_buffer_new(program->arena);
        fw_buffer_printf(&text, "%s and x__ = ",
                         fw_loop_statement_conditions(
                             program, &program->statements.at[site->statement], &names));
        fw_loop_affine(program, &text, site->access->operands[d]);
        fw_buffer_printf(&text, " - ");
        fw_loop_print_linear(&text, &prefetching->bases[d]);
        const char *const kept[1] = {"x__"};
        char *set = fw_loop_set_text(program, kept, 1, &names, text.text, true);
        enum fw_status status = fw_loop_range(&low, &high, &known, program, set);
        if (status != FW_OK && status != FW_ERROR_INPUT)
            return status;
        *bounded = *bounded && known;
        *least = low < *least ? low : *least;
        *greatest = high > *greatest ? high : *greatest;
    }
    return FW_OK;
}

/* The base of each dimension, and how far it reaches from there. */
static enum fw_status find_piece(struct prefetching *prefetching)
{
    struct fw_loop_program *program = prefetching->program;
    const struct fw_loop_expression *first = prefetching->sites.at[0].access;
    prefetching->rank = first->operand_count;
    for (uint32_t d = 0; d < prefetching->rank; d++) {
        struct fw_loop_linear linear = {0};
        int64_t least = 0, greatest = 0;
        bool bounded = false;
        if (!fw_loop_add_linear(&linear, first->operands[d], 1))
            return fw_loop_refuse(program, "LOOP081", first->span,
                                  "subscript %u of '%s' is not a sum of loop names: what to fetch "
                                  "is not known",
                                  d + 1, prefetching->array);
        prefetching->bases[d] = outside(prefetching, &linear);
        enum fw_status status = range_of(prefetching, d, &least, &greatest, &bounded);
        if (status != FW_OK)
            return status;
        if (!bounded)
            return fw_loop_refuse(program, "LOOP083", prefetching->span,
                                  "the piece of '%s' has no constant size along subscript %u: "
                                  "split the loops that it is fetched for",
                                  prefetching->array, d + 1);
        prefetching->bases[d].constant += least;
        prefetching->extents[d] = greatest - least + 1;
        for (uint32_t i = 0; i < prefetching->bases[d].count; i++)
            if (fw_loop_variable(program, prefetching->bases[d].names[i]))
                fw_loop_names_add(program->arena, &prefetching->outer,
                                  prefetching->bases[d].names[i]);
    }
    return FW_OK;
}

static int64_t bytes_of(const struct fw_loop_program *program, const char *array)
{
    return (int64_t)(fw_type_bits(fw_loop_find_array(program, array)->type) + 7) / 8;
}

/* Bytes of the shared arrays that there are already, as far as their extents are numbers. */
static int64_t taken_bytes(const struct fw_loop_program *program)
{
    int64_t sum = 0;
    for (size_t a = 0; a < program->arrays.count; a++) {
        const struct fw_loop_array *array = &program->arrays.at[a];
        int64_t bytes = bytes_of(program, array->name), extent = 0;
        if (fw_loop_space(program, array) != FW_SPACE_SHARED)
            continue;
        for (uint32_t d = 0; d < array->rank && bytes <= SHARED_MOST; d++) {
            const char *text = array->extents ? array->extents[d] : "";
            bool known = fw_text_integer(text + strspn(text, " "), false, &extent);
            if (fw_multiply_overflows(bytes, known ? extent : 0, &bytes))
                bytes = SHARED_MOST + 1;
        }
        sum += bytes;
    }
    return sum;
}

static enum fw_status check_size(const struct prefetching *prefetching)
{
    int64_t size = bytes_of(prefetching->program, prefetching->array);
    int64_t taken = taken_bytes(prefetching->program);
    for (uint32_t d = 0; d < prefetching->rank; d++)
        if (fw_multiply_overflows(size, prefetching->extents[d], &size) || size > SHARED_MOST)
            return fw_loop_refuse(prefetching->program, "LOOP084", prefetching->span,
                                  "the piece of '%s' does not fit: it is larger than the %d bytes "
                                  "of shared memory that any block may have",
                                  prefetching->array, SHARED_MOST);
    if (size + taken > SHARED_MOST)
        return fw_loop_refuse(prefetching->program, "LOOP084", prefetching->span,
                              "the piece of '%s' does not fit: it has %lld bytes, other shared "
                              "arrays have %lld, and any block may have %d in all",
                              prefetching->array, (long long)size, (long long)taken, SHARED_MOST);
    return FW_OK;
}

/* ---- the footprint ---- */

/* The elements that one site reads, as a condition on dim loops and `outer`: base + dim is a
 * subscript of some point.  With `box`, each dimension by itself lies between two subscripts. */
static void add_site(struct prefetching *prefetching, struct fw_buffer *buffer,
                     const struct fw_loop_site *site)
{
    struct fw_loop_program *program = prefetching->program;
    fw_loop_names names = {0};
    bool first = true;
    for (size_t i = 0; i < site->loops.count; i++)
        fw_loop_names_add(program->arena, &names, site->loops.at[i]);
    char *conditions =
        fw_loop_statement_conditions(program, &program->statements.at[site->statement], &names);
    fw_buffer_printf(buffer, "(");
    for (size_t i = 0; i < names.count; i++)
        if (!fw_loop_has(prefetching->outer.at, (uint32_t)prefetching->outer.count, names.at[i])) {
            fw_buffer_printf(buffer, "%s%s", first ? "exists (" : ", ", names.at[i]);
            first = false;
        }
    fw_buffer_printf(buffer, "%s%s", first ? "(" : " : ", conditions);
    for (uint32_t d = 0; d < prefetching->rank; d++) {
        fw_buffer_printf(buffer, " and ");
        fw_loop_print_linear(buffer, &prefetching->bases[d]);
        fw_buffer_printf(buffer, " + %s = ", prefetching->dims[d] ? prefetching->dims[d] : "0");
        fw_loop_affine(program, buffer, site->access->operands[d]);
    }
    fw_buffer_printf(buffer, "))");
}

static char *footprint(struct prefetching *prefetching)
{
    struct fw_buffer buffer = fw_buffer_new(prefetching->program->arena);
    for (size_t i = 0; i < prefetching->sites.count; i++) {
        fw_buffer_printf(&buffer, i ? " or " : "(");
        add_site(prefetching, &buffer, &prefetching->sites.at[i]);
    }
    fw_buffer_printf(&buffer, ")");
    return buffer.text;
}

/* For each dimension: it lies between two elements of the footprint, wherever the others are. */
static char *bounding_box(struct prefetching *prefetching, const char *elements)
{
    struct fw_loop_program *program = prefetching->program;
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    for (uint32_t d = 0; d < prefetching->rank; d++) {
        if (!prefetching->dims[d])
            continue;
        for (unsigned side = 0; side < 2; side++) {
            char *other = fw_arena_printf(program->arena, "%s", elements);
            fw_buffer_printf(&buffer, "%s(exists (", buffer.length ? " and " : "");
            bool first = true;
            for (uint32_t e = 0; e < prefetching->rank; e++) {
                if (!prefetching->dims[e])
                    continue;
                char *name = fw_arena_printf(program->arena, "%s__b", prefetching->dims[e]);
                other = fw_loop_replace(program, other, prefetching->dims[e], name);
                fw_buffer_printf(&buffer, "%s%s", first ? "" : ", ", name);
                first = false;
            }
            fw_buffer_printf(&buffer, " : %s and %s__b %s %s))", other, prefetching->dims[d],
                             side ? ">=" : "<=", prefetching->dims[d]);
        }
    }
    return buffer.length ? buffer.text : fw_arena_printf(program->arena, "%s", elements);
}

/* The condition of the fetching loops' domain. */
static enum fw_status fetch_condition(struct prefetching *prefetching, char **condition)
{
    struct fw_loop_program *program = prefetching->program;
    fw_loop_names kept = {0}, none = {0};
    bool convex = false;
    char *elements = footprint(prefetching);
    for (size_t i = 0; i < prefetching->outer.count; i++)
        fw_loop_names_add(program->arena, &kept, prefetching->outer.at[i]);
    for (uint32_t d = 0; d < prefetching->rank; d++)
        if (prefetching->dims[d])
            fw_loop_names_add(program->arena, &kept, prefetching->dims[d]);
    if (prefetching->wanted->box)
        elements = bounding_box(prefetching, elements);
    *condition =
        fw_loop_simplified(program, kept.at, (uint32_t)kept.count, &none, elements, &convex);
    if (!convex && !prefetching->wanted->box)
        return fw_loop_refuse(program, "LOOP086", prefetching->span,
                              "what is read of '%s' is not convex: 'box' fetches its bounding "
                              "box",
                              prefetching->array);
    return FW_OK;
}

/* ---- the fetch ---- */

static void name_dims(struct prefetching *prefetching)
{
    struct fw_loop_program *program = prefetching->program;
    for (uint32_t d = 0; d < prefetching->rank; d++)
        if (prefetching->extents[d] > 1)
            prefetching->dims[d] = fw_loop_new_name(
                program, fw_arena_printf(program->arena, "%s_dim_%u", prefetching->array, d));
}

static enum fw_status add_fetch_domain(struct prefetching *prefetching)
{
    struct fw_loop_program *program = prefetching->program;
    char *condition = NULL;
    enum fw_status status = fetch_condition(prefetching, &condition);
    if (status != FW_OK)
        return status;
    struct fw_loop_domain *domain = FW_APPEND(program->arena, &program->domains);
    domain->condition = condition;
    domain->names = FW_ARRAY(program->arena, const char *, prefetching->rank);
    for (uint32_t d = 0; d < prefetching->rank; d++) {
        if (!prefetching->dims[d])
            continue;
        domain->names[domain->name_count++] = prefetching->dims[d];
        struct fw_loop_variable *variable = FW_APPEND(program->arena, &program->variables);
        variable->name = prefetching->dims[d];
        variable->domain = (uint32_t)program->domains.count - 1;
    }
    return FW_OK;
}

static enum fw_status add_fetch_array(struct prefetching *prefetching)
{
    struct fw_loop_program *program = prefetching->program;
    enum fw_type type = fw_loop_find_array(program, prefetching->array)->type;
    struct fw_loop_array *array = fw_loop_add_array(program, prefetching->fetch, prefetching->span);
    if (!array)
        return FW_ERROR_INPUT;
    array->type = type;
    array->temporary = true;
    array->space = FW_SPACE_SHARED;
    array->ranked = true;
    array->extents = FW_ARRAY(program->arena, const char *, prefetching->rank);
    for (uint32_t d = 0; d < prefetching->rank; d++)
        if (prefetching->dims[d])
            array->extents[array->rank++] =
                fw_arena_printf(program->arena, "%" PRId64, prefetching->extents[d]);
    if (!array->rank) /* one element */
        array->extents[array->rank++] = "1";
    return FW_OK;
}

/* fetch[dims] = array[base + dims], before the first statement that reads it. */
static enum fw_status add_fetch_statement(struct prefetching *prefetching, const char *id)
{
    struct fw_loop_program *program = prefetching->program;
    struct fw_loop_expression *from[FW_LOOP_RANK_MOST], *to[FW_LOOP_RANK_MOST];
    const struct fw_loop_expression *first = prefetching->sites.at[0].access;
    uint32_t at = UINT32_MAX, rank = 0;
    for (size_t i = 0; i < prefetching->sites.count; i++)
        if (prefetching->sites.at[i].statement < at)
            at = prefetching->sites.at[i].statement;
    for (uint32_t d = 0; d < prefetching->rank; d++) {
        struct fw_loop_linear linear = prefetching->bases[d];
        if (prefetching->dims[d]) {
            if (!fw_loop_add_term(&linear, prefetching->dims[d], 1))
                return fw_loop_refuse(program, "LOOP081", first->span, "too many loops");
            to[rank++] = fw_loop_name(program, prefetching->dims[d]);
        }
        from[d] = fw_loop_of_linear(program, &linear);
    }
    if (!rank)
        to[rank++] = fw_loop_integer(program, 0);
    struct fw_loop_expression *target =
        fw_loop_access(program, prefetching->fetch, NULL, to, rank, prefetching->span);
    struct fw_loop_expression *value = fw_loop_access(program, prefetching->array, first->tag, from,
                                                      prefetching->rank, prefetching->span);
    if (!target || !value)
        return FW_ERROR_INPUT;
    struct fw_loop_statement *statement = fw_loop_insert_statement(program, at);
    statement->id = id;
    statement->target = target;
    statement->value = value;
    statement->span = prefetching->span;
    fw_loop_names loops = {0};
    for (size_t i = 0; i < prefetching->outer.count; i++)
        fw_loop_names_add(program->arena, &loops, prefetching->outer.at[i]);
    for (uint32_t d = 0; d < prefetching->rank; d++)
        if (prefetching->dims[d])
            fw_loop_names_add(program->arena, &loops, prefetching->dims[d]);
    statement->loops = loops.at;
    statement->loop_count = (uint32_t)loops.count;
    for (size_t i = 0; i < prefetching->sites.count; i++)
        prefetching->sites.at[i].statement += prefetching->sites.at[i].statement >= at;
    return FW_OK;
}

/* ---- the loads ---- */

static bool is_replaced(const struct prefetching *prefetching,
                        const struct fw_loop_expression *access)
{
    for (size_t i = 0; i < prefetching->sites.count; i++)
        if (prefetching->sites.at[i].access == access)
            return true;
    return false;
}

/* fetch[subscripts - bases]; NULL with a diagnostic. */
static struct fw_loop_expression *fetched(const struct prefetching *prefetching,
                                          const struct fw_loop_expression *access)
{
    struct fw_loop_program *program = prefetching->program;
    struct fw_loop_expression *subscripts[FW_LOOP_RANK_MOST];
    uint32_t rank = 0;
    for (uint32_t d = 0; d < prefetching->rank; d++) {
        struct fw_loop_linear linear = {0};
        const struct fw_loop_linear *base = &prefetching->bases[d];
        if (!prefetching->dims[d])
            continue;
        bool known = fw_loop_add_linear(&linear, access->operands[d], 1);
        linear.constant -= base->constant;
        for (uint32_t i = 0; known && i < base->count; i++)
            known = fw_loop_add_term(&linear, base->names[i], -base->factors[i]);
        struct fw_loop_expression *pair[2] = {access->operands[d],
                                              fw_loop_of_linear(program, base)};
        subscripts[rank++] =
            known ? fw_loop_of_linear(program, &linear)
                  : fw_loop_operation(program, FW_LOOP_SUBTRACT, NULL, pair, 2, access->span);
    }
    if (!rank)
        subscripts[rank++] = fw_loop_integer(program, 0);
    return fw_loop_access(program, prefetching->fetch, NULL, subscripts, rank, access->span);
}

static struct fw_loop_expression *replaced(const struct prefetching *prefetching,
                                           struct fw_loop_expression *expression)
{
    if (is_replaced(prefetching, expression))
        return fetched(prefetching, expression);
    struct fw_loop_expression *copy =
        fw_arena_copy(prefetching->program->arena, expression, sizeof(*expression));
    copy->operands = fw_arena_copy(prefetching->program->arena, expression->operands,
                                   expression->operand_count * sizeof(*copy->operands));
    for (uint32_t i = 0; i < copy->operand_count; i++) {
        copy->operands[i] = replaced(prefetching, copy->operands[i]);
        if (!copy->operands[i])
            return NULL;
    }
    return copy;
}

static enum fw_status replace_loads(struct prefetching *prefetching, const char *id)
{
    struct fw_loop_program *program = prefetching->program;
    bool *touched = FW_ARRAY(program->arena, bool, program->statements.count);
    for (size_t i = 0; i < prefetching->sites.count; i++)
        touched[prefetching->sites.at[i].statement] = true;
    for (size_t i = 0; i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        if (!touched[i])
            continue;
        statement->value = replaced(prefetching, statement->value);
        if (!statement->value)
            return FW_ERROR_INPUT;
        statement->conditions =
            fw_arena_copy(program->arena, statement->conditions,
                          statement->condition_count * sizeof(*statement->conditions));
        for (uint32_t j = 0; j < statement->condition_count; j++) {
            statement->conditions[j] = replaced(prefetching, statement->conditions[j]);
            if (!statement->conditions[j])
                return FW_ERROR_INPUT;
        }
        const char **after = FW_ARRAY(program->arena, const char *, statement->after_count + 1);
        for (uint32_t j = 0; j < statement->after_count; j++)
            after[j] = statement->after[j];
        after[statement->after_count] = id;
        statement->after = after;
        statement->after_count++;
    }
    return FW_OK;
}

/* ---- threads ---- */

/* The fetching loops on the axes that threads have, the fastest dimension on axis 0; one that is
 * longer than its axis is split. */
static enum fw_status spread(struct prefetching *prefetching)
{
    struct fw_loop_program *program = prefetching->program;
    const struct fw_loop_array *array = fw_loop_find_array(program, prefetching->array);
    struct fw_loop_launch *launch = NULL;
    enum fw_status status = fw_loop_launch_new(&launch, program);
    unsigned axis = 0;
    for (uint32_t i = 0; status == FW_OK && i < prefetching->rank; i++) {
        uint32_t d = prefetching->rank - 1 - i;
        if (array->axes)
            d = array->axes[d];
        else if (array->layout == FW_LOOP_COLUMN_MAJOR)
            d = i;
        const char *name = prefetching->dims[d];
        if (!name)
            continue;
        while (axis < FW_LOOP_AXES && !launch->axes[FW_LOOP_OF_THREADS][axis].used)
            axis++;
        if (axis == FW_LOOP_AXES)
            break;
        int64_t threads = launch->axes[FW_LOOP_OF_THREADS][axis].extent;
        if (prefetching->extents[d] > threads) {
            const char *outer =
                fw_loop_new_name(program, fw_arena_printf(program->arena, "%s_outer", name));
            const char *inner =
                fw_loop_new_name(program, fw_arena_printf(program->arena, "%s_inner", name));
            status = fw_loop_split_as(program, name, threads, outer, inner, prefetching->span);
            name = inner;
        }
        if (status == FW_OK) {
            struct fw_loop_variable *variable = fw_loop_variable(program, name);
            variable->tag = (struct fw_loop_tag){FW_LOOP_THREAD, axis++};
            variable->unordered = true;
        }
    }
    return status;
}

enum fw_status fw_loop_add_prefetch(struct fw_loop_program *program,
                                    const struct fw_loop_prefetch *wanted, struct fw_span span)
{
    struct fw_loop_array *array = fw_loop_find_array(program, wanted->array);
    if (!array || fw_loop_space(program, array) != FW_SPACE_GLOBAL || !array->rank)
        return fw_loop_refuse(program, "LOOP077", span, "there is no array '%s' in global memory",
                              wanted->array);
    struct fw_loop_program *changed = fw_loop_copy(program);
    struct prefetching *prefetching = FW_NEW(program->arena, struct prefetching);
    prefetching->program = changed;
    prefetching->wanted = wanted;
    prefetching->span = span;
    prefetching->array = array->name;
    prefetching->tag =
        wanted->tag ? fw_loop_intern(changed, wanted->tag, strlen(wanted->tag)) : NULL;
    prefetching->sweeps = FW_ARRAY(program->arena, const char *, wanted->sweep_count + 1);
    for (uint32_t i = 0; i < wanted->sweep_count; i++) {
        prefetching->sweeps[i] =
            fw_loop_intern(changed, wanted->sweeps[i], strlen(wanted->sweeps[i]));
        if (!fw_loop_variable(changed, prefetching->sweeps[i]))
            return fw_loop_refuse(program, "LOOP013", span, "'%s' is no loop name of a domain",
                                  wanted->sweeps[i]);
    }
    enum fw_status status = find_sites(prefetching);
    if (status == FW_OK)
        status = find_piece(prefetching);
    if (status == FW_OK)
        status = check_size(prefetching);
    if (status != FW_OK)
        return status;
    name_dims(prefetching);
    prefetching->fetch = fw_loop_new_name(
        changed,
        wanted->name ? wanted->name : fw_arena_printf(program->arena, "%s_fetch", array->name));
    const char *id =
        fw_loop_new_name(changed, fw_arena_printf(program->arena, "%s_rule", prefetching->fetch));
    status = add_fetch_domain(prefetching);
    if (status == FW_OK)
        status = add_fetch_array(prefetching);
    if (status == FW_OK)
        status = add_fetch_statement(prefetching, id);
    if (status == FW_OK)
        status = replace_loads(prefetching, id);
    if (status == FW_OK)
        status = fw_loop_finish(changed);
    if (status == FW_OK && !wanted->untagged)
        status = spread(prefetching);
    if (status == FW_OK)
        *program = *changed;
    return status;
}
