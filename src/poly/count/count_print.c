/* Counts as text: disjoint pieces in isl's syntax.  The polynomials are written here, the domains
 * by isl, which simplifies them. */
#include "count_internal.h"
#include "set_pieces.h"
#include "simplify.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { PRINT_BUDGET = 2000000 };

/* What a column is called. */
struct naming {
    struct summation *summation;
    const struct fw_count *count;
    struct fw_buffer *text;
};

static void print_line(const struct naming *naming, const struct line *line);

static void print_column(const struct naming *naming, unsigned column)
{
    unsigned parameters = naming->count->parameter_count;
    if (column <= parameters) {
        fw_buffer_printf(naming->text, "%s", naming->count->parameters[column - 1]);
        return;
    }
    const struct floor_column *floor = &naming->summation->floors[column - parameters - 1];
    fw_buffer_printf(naming->text, "floor((");
    print_line(naming, floor->numerator);
    fw_buffer_printf(naming->text, ")/");
    fw_integer_print(naming->text, naming->summation->work, floor->divisor);
    fw_buffer_printf(naming->text, ")");
}

/* "2 * " and the like between terms: the sign, and the size unless it is 1 before a name. */
static void print_factor(const struct naming *naming, integer factor, integer denominator,
                         bool first, bool alone)
{
    struct work *work = naming->summation->work;
    integer common = integer_gcd(work, factor, denominator);
    bool negative = integer_sign(factor) < 0;
    factor = integer_floor(work, integer_absolute(work, factor), common);
    denominator = integer_floor(work, denominator, common);
    fw_buffer_printf(naming->text, first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    bool whole = integer_is(denominator, 1);
    if (!alone && whole && integer_is(factor, 1))
        return;
    fw_integer_print(naming->text, work, factor);
    if (!whole) {
        fw_buffer_printf(naming->text, "/");
        fw_integer_print(naming->text, work, denominator);
    }
    if (!alone)
        fw_buffer_printf(naming->text, " * ");
}

/* An affine expression, the constant last. */
static void print_line(const struct naming *naming, const struct line *line)
{
    bool first = true;
    for (unsigned column = 1; column <= line->width; column++) {
        unsigned place = column == line->width ? 0 : column;
        if (integer_is_zero(line->at[place]) && !(place == 0 && first))
            continue;
        print_factor(naming, line->at[place], integer_constant(1), first, place == 0);
        if (place)
            print_column(naming, place);
        first = false;
    }
}

static void print_polynomial(const struct naming *naming, const struct polynomial *value)
{
    struct work *work = naming->summation->work;
    struct term *terms =
        fw_arena_copy(work->arena, value->terms, value->count * sizeof(struct term));
    qsort(terms, value->count, sizeof(struct term), fw_term_compare);
    for (uint32_t i = 0; i < value->count; i++) {
        uint16_t columns[DEGREE_MOST + 1];
        unsigned degree = fw_monomial_columns(terms[i].columns, columns);
        print_factor(naming, terms[i].coefficient, value->denominator, i == 0, degree == 0);
        for (unsigned j = 0; j < degree;) {
            unsigned power = 1;
            while (j + power < degree && columns[j + power] == columns[j])
                power++;
            if (j)
                fw_buffer_printf(naming->text, " * ");
            print_column(naming, columns[j]);
            if (power > 1)
                fw_buffer_printf(naming->text, "^%u", power);
            j += power;
        }
    }
}

static void print_parameters(const struct naming *naming)
{
    if (!naming->count->parameter_count)
        return;
    fw_buffer_printf(naming->text, "[");
    for (unsigned i = 0; i < naming->count->parameter_count; i++)
        fw_buffer_printf(naming->text, "%s%s", i ? ", " : "", naming->count->parameters[i]);
    fw_buffer_printf(naming->text, "] -> ");
}

/* The union of cells from `first` on whose values equal the first one's, in isl's notation. */
static char *region_of(const struct naming *naming, const fw_cells *cells, size_t first,
                       bool *printed)
{
    struct work *work = naming->summation->work;
    struct fw_buffer buffer = fw_buffer_new(work->arena);
    struct naming inner = *naming;
    inner.text = &buffer;
    print_parameters(&inner);
    fw_buffer_printf(&buffer, "{ : ");
    for (size_t i = first; i < cells->count; i++) {
        if (printed[i] || !fw_polynomial_equal(work, cells->at[i].value, cells->at[first].value))
            continue;
        fw_buffer_printf(&buffer, "%s(", i == first ? "" : " or ");
        for (uint32_t j = 0; j < cells->at[i].count; j++) {
            print_line(&inner, cells->at[i].lines[j]);
            fw_buffer_printf(&buffer, cells->at[i].lines[j]->equality ? " = 0 and " : " >= 0 and ");
        }
        fw_buffer_printf(&buffer, "0 = 0)");
        printed[i] = true;
    }
    fw_buffer_printf(&buffer, " }");
    return buffer.text;
}

/* All pieces. */
static enum fw_status print_pieces(const struct naming *naming, struct fw_poly *poly,
                                   const fw_cells *cells, const struct fw_set *known)
{
    struct work *work = naming->summation->work;
    bool *printed = FW_ARRAY(work->arena, bool, cells->count + 1);
    enum fw_status status = FW_OK;
    bool first = true;
    for (size_t i = 0; i < cells->count && status == FW_OK; i++) {
        if (printed[i] || polynomial_is_zero(cells->at[i].value))
            continue;
        char *condition;
        bool empty;
        const char *region = region_of(naming, cells, i, printed);
        status = fw_region_simplify(&condition, &empty, poly, region, known);
        /* A cell without integer points is possible: cells are rational. */
        if (status == FW_OK && !empty) {
            fw_buffer_printf(naming->text, first ? "" : "; ");
            print_polynomial(naming, cells->at[i].value);
            /* Nothing behind the value where all parameters count. */
            if (condition)
                fw_buffer_printf(naming->text, " : %s", condition);
            first = false;
        }
        free(condition);
    }
    if (first)
        fw_buffer_printf(naming->text, "0");
    return status;
}

/* The text; unwinds through the workplace's work. */
static enum fw_status print_all(struct fw_buffer *text, const struct fw_count *count,
                                struct fw_poly *poly, const struct fw_set *known)
{
    struct summation *s = &poly->summation;
    struct naming naming = {s, count, text};
    fw_summation_init(s, &poly->work, 0, count->parameter_count);
    s->numeric = false;
    s->floor_count = count->floor_count;
    memcpy(s->floors, count->floors, count->floor_count * sizeof(struct floor_column));
    enum fw_status status = known ? fw_known_context(s, known) : FW_OK;
    if (status != FW_OK)
        return status;
    fw_cells cells = fw_cells_of(s, count->leaves, count->leaf_count);
    for (size_t i = 0; i < cells.count; i++)
        fw_cell_simplify(s, &cells.at[i]);
    fw_cells_share(s, &cells);
    print_parameters(&naming);
    fw_buffer_printf(text, "{ ");
    status = print_pieces(&naming, poly, &cells, known);
    fw_buffer_printf(text, " }");
    return status;
}

enum fw_status fw_count_print(char **text, const struct fw_count *count, struct fw_poly *poly,
                              struct fw_arena *arena)
{
    *text = NULL;
    if (count->kept)
        return FW_ERROR_BUDGET;
    struct fw_buffer *buffer = FW_NEW(arena, struct fw_buffer);
    *buffer = fw_buffer_new(arena);
    fw_poly_begin(poly, PRINT_BUDGET);
    struct fw_set *known = NULL;
    enum fw_status status =
        count->assumptions ? fw_known_read(&known, poly, count->assumptions) : FW_OK;
    if (status != FW_OK)
        return status;
    if (setjmp(poly->work.failure)) {
        fw_set_free(known);
        return poly->work.status;
    }
    status = print_all(buffer, count, poly, known);
    fw_set_free(known);
    if (status == FW_OK)
        *text = buffer->text;
    return status;
}
