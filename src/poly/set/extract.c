/* From isl's sets to lines: the only place that looks inside isl's sets. */
#include "set_internal.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>

/* The columns of a domain that is being built. */
struct extraction {
    struct work *work;
    struct domain *domain;
    unsigned dimensions;
    unsigned next; /* the first column that is not taken */
    struct {
        struct line *numerator;
        integer divisor;
    } floors[VARIABLES_MOST + 2]; /* by column */
    /* Where floors of parameters go instead, when assumptions are extracted. */
    struct summation *context;
    enum fw_status failure;
};

/* The columns of one local space's divs: a line each, since a floor of parameters is one. */
struct local {
    struct line *divs[VARIABLES_MOST];
    unsigned count;
};

/* A failure must not unwind while isl's objects are held: it is noted, and the extraction ends. */
static integer give_up(struct extraction *extraction, enum fw_status status)
{
    if (extraction->failure == FW_OK)
        extraction->failure = status;
    return integer_constant(0);
}

static integer read_value(struct extraction *extraction, isl_val *value)
{
    struct work *work = extraction->work;
    integer result = {0};
    int sign = isl_val_sgn(value);
    isl_size chunks = isl_val_n_abs_num_chunks(value, sizeof(uint64_t));
    if (chunks == 1) {
        uint64_t chunk = 0;
        isl_val_get_abs_num_chunks(value, sizeof(chunk), &chunk);
        if (chunk <= INT64_MAX) {
            isl_val_free(value);
            return integer_of(work, sign < 0 ? -(int64_t)chunk : (int64_t)chunk);
        }
    }
    if (chunks > 0 && (uint32_t)chunks * 64 > work->bit_budget) {
        isl_val_free(value);
        return give_up(extraction, FW_ERROR_OVERFLOW);
    }
    if (chunks > 0) {
        uint64_t *all = FW_ARRAY(work->arena, uint64_t, (size_t)chunks);
        isl_val_get_abs_num_chunks(value, sizeof(uint64_t), all);
        mpz_import(work->scratch[0], (size_t)chunks, -1, sizeof(uint64_t), 0, 0, all);
        if (sign < 0)
            mpz_neg(work->scratch[0], work->scratch[0]);
        result = fw_integer_read(work, work->scratch[0]);
    }
    isl_val_free(value);
    return result;
}

static unsigned parameter_column(const struct extraction *extraction, unsigned parameter)
{
    return 1 + extraction->domain->variables + parameter;
}

static struct line *add_scaled(struct work *work, struct line *sum, integer factor,
                               struct line *line)
{
    return fw_line_combine(work, integer_constant(1), sum, factor, line);
}

/* The column whose value is floor(numerator / divisor): a known one or a new one, as a line. */
static struct line *floor_line(struct extraction *extraction, struct line *numerator,
                               integer divisor)
{
    struct work *work = extraction->work;
    if (extraction->context && extraction->failure == FW_OK)
        return fw_floor_of(extraction->context, numerator, divisor);
    unsigned column = extraction->dimensions + 1;
    while (column < extraction->next &&
           (integer_compare(work, extraction->floors[column].divisor, divisor) ||
            !fw_line_equal(work, extraction->floors[column].numerator, numerator)))
        column++;
    struct line *line = fw_line_new(work, column + 1, false);
    line->at[column] = integer_constant(1);
    fw_line_finish(line);
    if (column < extraction->next)
        return line;
    if (column > VARIABLES_MOST || column > extraction->domain->variables ||
        integer_sign(divisor) <= 0) {
        give_up(extraction, FW_ERROR_BUDGET);
        return fw_line_new(work, 1, false);
    }
    extraction->next++;
    extraction->floors[column].numerator = numerator;
    extraction->floors[column].divisor = divisor;
    struct line *low =
        fw_line_combine(work, integer_constant(1), numerator, integer_negate(work, divisor), line);
    struct line *high = fw_line_combine(work, integer_constant(-1), numerator, divisor, line);
    extraction->domain->definitions[column][0] = low;
    extraction->domain->definitions[column][1] =
        fw_line_shift(work, high, integer_subtract(work, divisor, integer_constant(1)));
    return line;
}

/* The line of an affine expression times its denominator. */
static struct line *affine_line(struct extraction *extraction, isl_aff *affine,
                                const struct local *local, integer *denominator)
{
    struct work *work = extraction->work;
    unsigned parameters = extraction->domain->parameters;
    isl_val *scale = isl_aff_get_denominator_val(affine);
    affine = isl_aff_scale_val(affine, isl_val_copy(scale));
    *denominator = read_value(extraction, scale);
    struct line *line = fw_line_new(work, parameter_column(extraction, parameters), false);
    line->at[0] = read_value(extraction, isl_aff_get_constant_val(affine));
    for (unsigned i = 0; i < parameters; i++)
        line->at[parameter_column(extraction, i)] =
            read_value(extraction, isl_aff_get_coefficient_val(affine, isl_dim_param, (int)i));
    for (unsigned i = 0; i < extraction->dimensions; i++)
        line->at[1 + i] =
            read_value(extraction, isl_aff_get_coefficient_val(affine, isl_dim_in, (int)i));
    fw_line_finish(line);
    for (unsigned i = 0; i < local->count; i++) {
        integer at =
            read_value(extraction, isl_aff_get_coefficient_val(affine, isl_dim_div, (int)i));
        if (!integer_is_zero(at))
            line = add_scaled(work, line, at, local->divs[i]);
    }
    isl_aff_free(affine);
    return line;
}

/* The divs of a basic set, in order: each may lean on earlier ones. */
static bool read_divs(struct extraction *extraction, isl_basic_set *basic, struct local *local)
{
    isl_size count = isl_basic_set_dim(basic, isl_dim_div);
    local->count = 0;
    if (count < 0)
        return false;
    if (count == 0)
        return true;
    if (count >= VARIABLES_MOST) {
        give_up(extraction, FW_ERROR_BUDGET);
        return false;
    }
    isl_local_space *space = isl_basic_set_get_local_space(basic);
    for (int i = 0; i < count; i++) {
        isl_aff *affine = isl_local_space_get_div(space, i);
        if (!affine) {
            isl_local_space_free(space);
            return false;
        }
        integer divisor;
        struct line *numerator = affine_line(extraction, affine, local, &divisor);
        local->divs[local->count++] = floor_line(extraction, numerator, divisor);
    }
    isl_local_space_free(space);
    return true;
}

static struct line *matrix_line(struct extraction *extraction, isl_mat *matrix, int row,
                                const struct local *local, bool equality)
{
    struct work *work = extraction->work;
    unsigned parameters = extraction->domain->parameters;
    struct line *line = fw_line_new(work, parameter_column(extraction, parameters), false);
    int column = 0;
    line->at[0] = read_value(extraction, isl_mat_get_element_val(matrix, row, column++));
    for (unsigned i = 0; i < parameters; i++)
        line->at[parameter_column(extraction, i)] =
            read_value(extraction, isl_mat_get_element_val(matrix, row, column++));
    for (unsigned i = 0; i < extraction->dimensions; i++)
        line->at[1 + i] = read_value(extraction, isl_mat_get_element_val(matrix, row, column++));
    fw_line_finish(line);
    for (unsigned i = 0; i < local->count; i++) {
        integer at = read_value(extraction, isl_mat_get_element_val(matrix, row, column++));
        if (!integer_is_zero(at))
            line = add_scaled(work, line, at, local->divs[i]);
    }
    line->equality = equality;
    fw_line_reduce(work, line);
    return line;
}

/* The variables of a line and, through their definitions, all that those lean on. */
static uint64_t reach(const struct extraction *extraction, uint64_t columns)
{
    uint64_t variables = (((uint64_t)1 << extraction->domain->variables) - 1) << 1;
    columns &= variables;
    for (uint64_t before = 0; before != columns;) {
        before = columns;
        for
            EACH_COLUMN(column, before)
        if (extraction->domain->definitions[column][0])
            columns |= extraction->domain->definitions[column][0]->mask;
        columns &= variables;
    }
    return columns;
}

static bool read_basic(struct extraction *extraction, isl_basic_set *basic, struct basic *result)
{
    struct work *work = extraction->work;
    struct local local;
    if (!read_divs(extraction, basic, &local))
        return false;
    isl_mat *matrices[2] = {isl_basic_set_equalities_matrix(basic, isl_dim_cst, isl_dim_param,
                                                            isl_dim_set, isl_dim_div),
                            isl_basic_set_inequalities_matrix(basic, isl_dim_cst, isl_dim_param,
                                                              isl_dim_set, isl_dim_div)};
    bool good = matrices[0] && matrices[1];
    uint32_t rows = 0;
    for (unsigned kind = 0; good && kind < 2; kind++)
        rows += (uint32_t)isl_mat_rows(matrices[kind]);
    result->lines = FW_ARRAY(work->arena, struct line *, rows + 1);
    result->used = (((uint64_t)1 << extraction->dimensions) - 1) << 1;
    for (unsigned kind = 0; good && kind < 2; kind++)
        for (int row = 0; row < isl_mat_rows(matrices[kind]); row++) {
            struct line *line = matrix_line(extraction, matrices[kind], row, &local, kind == 0);
            result->lines[result->count++] = line;
            result->used |= line->mask;
        }
    isl_mat_free(matrices[0]);
    isl_mat_free(matrices[1]);
    result->used = reach(extraction, result->used);
    return good;
}

/* One term of a weight: what isl hands to its callback. */
struct weighing {
    struct extraction *extraction;
    struct polynomial *sum;
    isl_term *terms[256];
    unsigned count;
};

static isl_stat collect_term(isl_term *term, void *user)
{
    struct weighing *weighing = user;
    if (weighing->count == sizeof(weighing->terms) / sizeof(weighing->terms[0])) {
        isl_term_free(term);
        return isl_stat_error;
    }
    weighing->terms[weighing->count++] = term;
    return isl_stat_ok;
}

static struct polynomial *power(struct work *work, struct polynomial *product, struct line *base,
                                isl_size exponent)
{
    struct polynomial *factor = fw_polynomial_line(work, base, integer_constant(1));
    for (int i = 0; i < exponent; i++)
        product = fw_polynomial_multiply(work, product, factor);
    return product;
}

static struct line *unit_line(struct work *work, unsigned column)
{
    struct line *line = fw_line_new(work, column + 1, false);
    line->at[column] = integer_constant(1);
    fw_line_finish(line);
    return line;
}

static unsigned degree_of_term(const struct extraction *extraction, isl_term *term)
{
    unsigned degree = 0;
    isl_size divs = isl_term_dim(term, isl_dim_div);
    for (int i = 0; i < divs; i++)
        degree += (unsigned)isl_term_get_exp(term, isl_dim_div, (unsigned)i);
    for (unsigned i = 0; i < extraction->domain->parameters; i++)
        degree += (unsigned)isl_term_get_exp(term, isl_dim_param, i);
    for (unsigned i = 0; i < extraction->dimensions; i++)
        degree += (unsigned)isl_term_get_exp(term, isl_dim_set, i);
    return degree;
}

static struct polynomial *read_term(struct extraction *extraction, isl_term *term)
{
    struct work *work = extraction->work;
    isl_val *coefficient = isl_term_get_coefficient_val(term);
    integer denominator = read_value(extraction, isl_val_get_den_val(coefficient));
    struct polynomial *product =
        fw_polynomial_constant(work, read_value(extraction, coefficient), denominator);
    struct local local = {.count = 0};
    isl_size divs = isl_term_dim(term, isl_dim_div);
    if (degree_of_term(extraction, term) > DEGREE_MOST || divs >= VARIABLES_MOST) {
        give_up(extraction, FW_ERROR_BUDGET);
        return product;
    }
    for (int i = 0; i < divs; i++) {
        isl_aff *affine = isl_term_get_div(term, (unsigned)i);
        integer divisor;
        if (!affine) {
            give_up(extraction, FW_ERROR_BUDGET);
            return product;
        }
        struct line *numerator = affine_line(extraction, affine, &local, &divisor);
        local.divs[local.count++] = floor_line(extraction, numerator, divisor);
        product =
            power(work, product, local.divs[i], isl_term_get_exp(term, isl_dim_div, (unsigned)i));
    }
    for (unsigned i = 0; i < extraction->domain->parameters; i++)
        product = power(work, product, unit_line(work, parameter_column(extraction, i)),
                        isl_term_get_exp(term, isl_dim_param, i));
    for (unsigned i = 0; i < extraction->dimensions; i++)
        product =
            power(work, product, unit_line(work, 1 + i), isl_term_get_exp(term, isl_dim_set, i));
    return product;
}

static bool read_weight(struct extraction *extraction, isl_qpolynomial *polynomial,
                        struct polynomial **result)
{
    struct work *work = extraction->work;
    struct weighing weighing = {.extraction = extraction};
    bool good = isl_qpolynomial_foreach_term(polynomial, collect_term, &weighing) == isl_stat_ok;
    *result = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    for (unsigned i = 0; i < weighing.count; i++) {
        if (good)
            *result = fw_polynomial_add(work, *result, read_term(extraction, weighing.terms[i]));
        isl_term_free(weighing.terms[i]);
    }
    return good;
}

static isl_stat count_divs(isl_term *term, void *user)
{
    unsigned *most = user;
    isl_size divs = isl_term_dim(term, isl_dim_div);
    if (divs > 0 && (unsigned)divs > *most)
        *most = (unsigned)divs;
    isl_term_free(term);
    return isl_stat_ok;
}

/* An upper bound on the variables that the sets and weights need; 0 on failure. */
static bool size_domain(struct domain *domain, isl_basic_set_list *const *lists,
                        isl_qpolynomial *const *weights, uint32_t count, isl_set *first)
{
    isl_size dimensions = isl_set_dim(first, isl_dim_set);
    isl_size parameters = isl_set_dim(first, isl_dim_param);
    if (dimensions < 0 || parameters < 0)
        return false;
    unsigned variables = (unsigned)dimensions;
    for (uint32_t i = 0; i < count; i++) {
        unsigned divs = 0;
        if (weights)
            isl_qpolynomial_foreach_term(weights[i], count_divs, &divs);
        variables += divs;
        for (int j = 0; j < isl_basic_set_list_n_basic_set(lists[i]); j++) {
            isl_basic_set *basic = isl_basic_set_list_get_basic_set(lists[i], j);
            isl_size own = isl_basic_set_dim(basic, isl_dim_div);
            isl_basic_set_free(basic);
            if (own < 0)
                return false;
            variables += (unsigned)own;
        }
    }
    domain->variables = variables < VARIABLES_MOST ? variables : VARIABLES_MOST;
    domain->parameters = (unsigned)parameters;
    return (unsigned)dimensions <= VARIABLES_MOST &&
           domain->variables + domain->parameters + 8 < COLUMNS_MOST;
}

static bool read_part(struct extraction *extraction, isl_basic_set_list *list,
                      isl_qpolynomial *weight, struct part *part)
{
    struct work *work = extraction->work;
    isl_size basics = isl_basic_set_list_n_basic_set(list);
    if (basics < 0)
        return false;
    part->basics = FW_ARRAY(work->arena, struct basic, (size_t)basics + 1);
    part->basic_count = (uint32_t)basics;
    part->weight = fw_polynomial_constant(work, integer_constant(1), integer_constant(1));
    if (weight && !read_weight(extraction, weight, &part->weight))
        return false;
    for (int i = 0; i < basics; i++) {
        isl_basic_set *basic = isl_basic_set_list_get_basic_set(list, i);
        bool good = basic && read_basic(extraction, basic, &part->basics[i]);
        isl_basic_set_free(basic);
        if (!good)
            return false;
        part->basics[i].used = reach(extraction, part->basics[i].used | part->weight->mask);
    }
    return true;
}

enum fw_status fw_domain_extract(struct domain *domain, struct work *work, isl_set *const *sets,
                                 isl_qpolynomial *const *weights, uint32_t count)
{
    isl_basic_set_list **lists = FW_ARRAY(work->arena, isl_basic_set_list *, count + 1);
    struct extraction extraction = {.work = work, .domain = domain};
    bool good = count > 0;
    domain->part_count = count;
    domain->parts = FW_ARRAY(work->arena, struct part, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        lists[i] = isl_set_get_basic_set_list(sets[i]);
        good = good && lists[i];
    }
    if (good && !size_domain(domain, lists, weights, count, sets[0])) {
        give_up(&extraction, FW_ERROR_BUDGET);
        good = false;
    }
    if (good) {
        extraction.dimensions = (unsigned)isl_set_dim(sets[0], isl_dim_set);
        extraction.next = extraction.dimensions + 1;
        domain->definitions =
            fw_arena_array(work->arena, domain->variables + 2, sizeof(*domain->definitions));
    }
    for (uint32_t i = 0; i < count && good; i++)
        good = read_part(&extraction, lists[i], weights ? weights[i] : NULL, &domain->parts[i]);
    for (uint32_t i = 0; i < count; i++)
        isl_basic_set_list_free(lists[i]);
    if (extraction.failure != FW_OK)
        return extraction.failure;
    return good ? FW_OK : FW_ERROR_INPUT;
}

enum fw_status fw_context_extract(struct summation *s, isl_set *assumptions)
{
    struct work *work = s->work;
    isl_set *explicit = isl_set_compute_divs(isl_set_copy(assumptions));
    isl_basic_set *hull = isl_set_simple_hull(explicit);
    struct domain domain = {.variables = s->variables, .parameters = s->parameters};
    struct extraction extraction = {.work = work, .domain = &domain, .context = s};
    domain.definitions =
        fw_arena_array(work->arena, domain.variables + 2, sizeof(*domain.definitions));
    struct basic basic = {0};
    bool good = hull && read_basic(&extraction, hull, &basic);
    isl_basic_set_free(hull);
    if (extraction.failure != FW_OK)
        return extraction.failure;
    if (!good)
        return FW_ERROR_INPUT;
    s->context = basic.lines;
    s->context_count = basic.count;
    return FW_OK;
}
