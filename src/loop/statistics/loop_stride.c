/* Statistics: strides, extents and footprints of arrays, and values of counts by name. */
#include "checked.h"
#include "loop_access.h"
#include "loop_gather.h"
#include "loop_space.h"

#include <string.h>

/* ---- strides ---- */

static bool mentions(const struct fw_loop_expression *expression, const char *name)
{
    if (expression->kind == FW_LOOP_NAME && expression->name == name)
        return true;
    for (uint32_t i = 0; i < expression->operand_count; i++)
        if (mentions(expression->operands[i], name))
            return true;
    return false;
}

/* The value of an expression of integers alone. */
static bool constant_of(int64_t *value, const struct fw_loop_expression *expression)
{
    if (expression->kind == FW_LOOP_INTEGER) {
        *value = expression->integer;
        return true;
    }
    return expression->kind == FW_LOOP_NEGATE && constant_of(value, expression->operands[0]) &&
           !fw_subtract_overflows((int64_t)0, *value, value);
}

/* The coefficient of the name in the expression; false when it is not linear in it. */
static bool coefficient_of(int64_t *result, const struct fw_loop_expression *expression,
                           const char *name)
{
    int64_t left = 0, right = 0;
    *result = 0;
    if (!mentions(expression, name))
        return true;
    switch (expression->kind) {
    case FW_LOOP_NAME:
        *result = 1;
        return true;
    case FW_LOOP_NEGATE:
        return coefficient_of(&left, expression->operands[0], name) &&
               !fw_subtract_overflows((int64_t)0, left, result);
    case FW_LOOP_ADD:
    case FW_LOOP_SUBTRACT:
        if (!coefficient_of(&left, expression->operands[0], name) ||
            !coefficient_of(&right, expression->operands[1], name))
            return false;
        return expression->kind == FW_LOOP_ADD ? !fw_add_overflows(left, right, result)
                                               : !fw_subtract_overflows(left, right, result);
    case FW_LOOP_MULTIPLY: {
        uint32_t constant = constant_of(&left, expression->operands[0]) ? 0 : 1;
        return (constant == 0 || constant_of(&left, expression->operands[1])) &&
               coefficient_of(&right, expression->operands[1 - constant], name) &&
               !fw_multiply_overflows(left, right, result);
    }
    default:
        return false;
    }
}

/* The dimensions inside of dimension d: its stride is the product of their extents. */
static uint32_t inner_of(const struct fw_loop_array *array, uint32_t d)
{
    uint32_t mask = 0;
    for (uint32_t i = array->rank; array->axes && i-- > 0 && array->axes[i] != d;)
        mask |= (uint32_t)1 << array->axes[i];
    for (uint32_t i = 0; !array->axes && i < array->rank; i++)
        if (array->layout == FW_LOOP_ROW_MAJOR ? i > d : i < d)
            mask |= (uint32_t)1 << i;
    return mask;
}

static void stride_along(struct fw_loop_stride *stride, const struct fw_loop_array *array,
                         const struct fw_loop_expression *access, const char *name)
{
    stride->known = true;
    for (uint32_t d = 0; name && d < access->operand_count; d++) {
        int64_t coefficient;
        if (!coefficient_of(&coefficient, access->operands[d], name)) {
            memset(stride, 0, sizeof(*stride));
            return;
        }
        if (coefficient == 0)
            continue;
        stride->factors[stride->term_count] = coefficient;
        stride->inner[stride->term_count++] = inner_of(array, d);
    }
}

void fw_gather_strides(struct gather *gather, struct fw_loop_memory_row *row,
                       const struct fw_loop_expression *access, const fw_loop_names *loops)
{
    const struct fw_loop_array *array = fw_loop_find_array(gather->program, access->name);
    for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++) {
        stride_along(&row->thread_strides[axis], array, access,
                     fw_gather_axis(gather->program, loops, FW_LOOP_THREAD, axis));
        stride_along(&row->block_strides[axis], array, access,
                     fw_gather_axis(gather->program, loops, FW_LOOP_BLOCK, axis));
    }
}

/* ---- sets of elements ---- */

/* All points at which the statement's access happens. */
static char *points_text(struct fw_loop_program *program, const struct fw_loop_statement *statement,
                         const fw_loop_names *loops)
{
    fw_loop_names names = {0};
    for (size_t i = 0; i < loops->count; i++)
        fw_loop_names_add(program->arena, &names, loops->at[i]);
    char *conditions = fw_loop_statement_conditions(program, statement, &names);
    return fw_loop_set_text(program, loops->at, (uint32_t)loops->count, &names, conditions, false);
}

/* A union over accesses of one array. */
struct elements {
    struct gather *gather;
    const struct fw_loop_array *array;
    bool all;           /* loads and stores */
    bool store;         /* else these alone */
    uint32_t dimension; /* UINT32_MAX: elements; else 0..subscript of this dimension */
    struct fw_set *set;
    struct sum_terms accesses;
    enum fw_status status;
    bool unknown; /* something depends on data */
};

/* "{ [i, j] -> [subscripts] }", or for one dimension "-> [x] : 0 <= x <= subscript". */
static char *relation_text(struct elements *elements, const struct fw_loop_expression *access,
                           const fw_loop_names *loops)
{
    struct fw_loop_program *program = elements->gather->program;
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_buffer_printf(&buffer, "%s{ [", fw_loop_prefix(program));
    for (size_t i = 0; i < loops->count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "", loops->at[i]);
    bool range = elements->dimension != UINT32_MAX;
    fw_buffer_printf(&buffer, range ? "] -> [element__] : 0 <= element__ <= " : "] -> [");
    for (uint32_t d = 0; d < access->operand_count; d++) {
        if (range && d != elements->dimension)
            continue;
        if (!range && d)
            fw_buffer_printf(&buffer, ", ");
        if (!fw_loop_affine(program, &buffer, access->operands[d]))
            return NULL;
    }
    fw_buffer_printf(&buffer, range ? " }" : "] }");
    return buffer.text;
}

static void see_elements(void *user, const struct fw_loop_statement *statement,
                         const struct fw_loop_expression *access, bool store,
                         const fw_loop_names *loops)
{
    struct elements *elements = user;
    struct gather *gather = elements->gather;
    if (access->name != elements->array->name || elements->unknown ||
        (!elements->all && store != elements->store))
        return;
    char *points = points_text(gather->program, statement, loops);
    if (!elements->all) {
        gather->statement = statement;
        fw_gather_points(gather, &elements->accesses, loops, FW_LOOP_PER_THREAD, 1);
        elements->status = gather->status;
    }
    char *relation = relation_text(elements, access, loops);
    struct fw_set *domain = NULL, *image = NULL, *both = NULL;
    elements->unknown = elements->status != FW_OK || !relation ||
                        fw_loop_set(&domain, gather->program, points, statement->span) != FW_OK;
    if (!elements->unknown) {
        struct fw_source source = {"access", relation, strlen(relation)};
        elements->unknown = fw_set_image(&image, domain, &source, NULL) != FW_OK;
    }
    if (!elements->unknown && elements->set) {
        elements->unknown = fw_set_unite(&both, elements->set, image, NULL) != FW_OK;
        fw_set_free(image);
        image = both;
    }
    fw_set_free(elements->set);
    fw_set_free(domain);
    elements->set = image;
    gather->live = image;
}

static void see_all(struct elements *elements)
{
    struct fw_loop_program *program = elements->gather->program;
    for (size_t i = 0; i < program->statements.count; i++)
        fw_loop_each_access(program, &program->statements.at[i], see_elements, elements);
}

/* The number of elements; NULL where it is not known. */
static struct fw_count *count_elements(struct elements *elements)
{
    const struct fw_count_options options = {.assumptions = elements->gather->assumptions,
                                             .budget = elements->gather->options->count_budget};
    struct fw_count *count = NULL;
    if (!elements->unknown && elements->set)
        fw_set_count(&count, elements->set, &options, NULL);
    fw_set_free(elements->set);
    elements->set = NULL;
    elements->gather->live = NULL;
    return count;
}

static struct fw_count *count_extent(struct gather *gather, const struct fw_loop_array *array,
                                     uint32_t dimension)
{
    struct elements elements = {
        .gather = gather, .array = array, .all = true, .dimension = dimension};
    if (!array->extents) {
        see_all(&elements);
        return count_elements(&elements);
    }
    struct fw_loop_program *program = gather->program;
    char *text = fw_arena_printf(gather->arena, "%s{ [element__] : 0 <= element__ < (%s) }",
                                 fw_loop_prefix(program), array->extents[dimension]);
    if (fw_loop_set(&elements.set, program, text, array->span) != FW_OK)
        elements.unknown = true;
    return count_elements(&elements);
}

void fw_gather_extents(struct gather *gather)
{
    struct fw_loop_program *program = gather->program;
    struct fw_loop_statistics *statistics = gather->statistics;
    statistics->array_count = program->arrays.count;
    statistics->extents =
        FW_ARRAY(gather->arena, struct fw_count *, program->arrays.count * FW_LOOP_RANK_MOST);
    for (size_t r = 0; r < statistics->memory.count; r++) {
        const struct fw_loop_memory_row *row = &statistics->memory.at[r];
        const struct fw_loop_array *array = fw_loop_find_array(program, row->array);
        size_t base = (size_t)(array - program->arrays.at) * FW_LOOP_RANK_MOST;
        uint32_t needed = 0;
        for (unsigned axis = 0; axis < FW_LOOP_AXES; axis++)
            for (uint32_t t = 0; t < FW_LOOP_RANK_MOST; t++)
                needed |= row->thread_strides[axis].inner[t] | row->block_strides[axis].inner[t];
        for (uint32_t d = 0; d < array->rank; d++)
            if ((needed >> d & 1) && !statistics->extents[base + d])
                statistics->extents[base + d] = count_extent(gather, array, d);
    }
}

static enum fw_status add_footprint(struct gather *gather, const struct fw_loop_array *array,
                                    bool store)
{
    struct elements elements = {
        .gather = gather, .array = array, .store = store, .dimension = UINT32_MAX};
    see_all(&elements);
    struct fw_count *count = count_elements(&elements);
    if (elements.accesses.counts.count == 0)
        return elements.status;
    struct fw_loop_footprint_row *row = FW_APPEND(gather->arena, &gather->statistics->footprints);
    *row = (struct fw_loop_footprint_row){array->name, store, array->type, count, NULL};
    if (elements.status != FW_OK)
        return elements.status;
    size_t terms = elements.accesses.counts.count;
    const struct fw_count **counts = FW_ARRAY(gather->arena, const struct fw_count *, terms);
    for (size_t i = 0; i < terms; i++)
        counts[i] = gather->counts.at[elements.accesses.counts.at[i]];
    return fw_count_add(&row->accesses, counts, elements.accesses.factors.at, terms);
}

enum fw_status fw_gather_footprints(struct gather *gather)
{
    struct fw_loop_program *program = gather->program;
    enum fw_status status = FW_OK;
    for (size_t i = 0; status == FW_OK && i < program->arrays.count; i++) {
        enum fw_space space = fw_loop_space(program, &program->arrays.at[i]);
        if (space == FW_SPACE_PARAM || space == FW_SPACE_REG)
            continue;
        status = add_footprint(gather, &program->arrays.at[i], false);
        if (status == FW_OK)
            status = add_footprint(gather, &program->arrays.at[i], true);
    }
    return status;
}

/* ---- values ---- */

enum fw_status fw_loop_evaluate(mpz_ptr result, const struct fw_count *count, struct fw_poly *poly,
                                const char *const *names, const int64_t *values, size_t bound)
{
    enum { MOST = 64 };
    int64_t ordered[MOST];
    size_t needed = fw_count_parameter_count(count);
    if (needed > MOST)
        return FW_ERROR_USAGE;
    for (size_t i = 0; i < needed; i++) {
        size_t at = 0;
        while (at < bound && strcmp(names[at], fw_count_parameter(count, i)) != 0)
            at++;
        if (at == bound)
            return FW_ERROR_USAGE;
        ordered[i] = values[at];
    }
    return fw_count_evaluate(result, count, poly, ordered);
}

enum fw_status fw_loop_stride_evaluate(mpz_ptr result, const struct fw_loop_statistics *statistics,
                                       const struct fw_loop_program *program,
                                       const struct fw_loop_memory_row *row,
                                       const struct fw_loop_stride *stride,
                                       const char *const *names, const int64_t *values,
                                       size_t bound)
{
    const struct fw_loop_array *array = fw_loop_find_array(program, row->array);
    enum fw_status status = stride->known ? FW_OK : FW_ERROR_INPUT;
    mpz_t product, extent;
    mpz_inits(product, extent, NULL);
    mpz_set_si(result, 0);
    for (uint32_t t = 0; t < stride->term_count && status == FW_OK; t++) {
        mpz_set_si(product, stride->factors[t]);
        for (uint32_t d = 0; d < array->rank && status == FW_OK; d++) {
            size_t at = (size_t)(array - program->arrays.at) * FW_LOOP_RANK_MOST + d;
            if (!(stride->inner[t] >> d & 1))
                continue;
            status = statistics->extents[at] ? fw_loop_evaluate(extent, statistics->extents[at],
                                                                program->poly, names, values, bound)
                                             : FW_ERROR_INPUT;
            mpz_mul(product, product, extent);
        }
        mpz_add(result, result, product);
    }
    mpz_clears(product, extent, NULL);
    return status;
}
