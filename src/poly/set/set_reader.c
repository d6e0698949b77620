/* Texts of sets in the form in which this program writes them, read without isl's parser, which
 * intersects a set with one more constraint after the other: a condition of thirty comparisons
 * takes it milliseconds.
 *
 * "[n] -> { [i, j] : formula }" with formulas of "and", "or", brackets, "exists (k : formula)" and
 * chains of comparisons "0 <= i, j < n" between affine terms, where "term mod 16" may stand. A text
 * that has anything else, or is no set at all, is left to isl. */
#include "set_internal.h"

#include "checked.h"

#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 128, CONJUNCTS_MOST = 32, ROWS_MOST = 512, LIST_MOST = 16, DEPTH_MOST = 64 };

/* A sum of the columns (the constant, parameters, dimensions, quantified names) by coefficients. */
struct form {
    int64_t at[PLACES_MOST];
};

struct row {
    bool equality; /* form = 0; else form >= 0 */
    struct form form;
};

struct conjunct {
    const struct row **rows;
    uint32_t count;
};

/* Any of them. */
struct formula {
    struct conjunct *at;
    uint32_t count;
};

struct column {
    const char *name;
    size_t length;
    bool hidden; /* quantified, and its brackets are closed; or none's */
};

struct reader {
    struct fw_arena *arena;
    const char *at;
    struct column columns[PLACES_MOST];
    uint32_t column_count, parameter_count, dimension_count;
    unsigned depth;
    bool failed;
};

/* ---- words ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip(struct reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n')
        reader->at++;
}

static size_t word(struct reader *reader)
{
    size_t length = 0;
    skip(reader);
    while (is_letter(reader->at[length]) || (length && is_digit(reader->at[length])))
        length++;
    return reader->at[length] == '\'' ? 0 : length;
}

static bool is_word(const char *text, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(text, wanted, length) == 0;
}

static bool eat_word(struct reader *reader, const char *wanted)
{
    size_t length = word(reader);
    if (!is_word(reader->at, length, wanted))
        return false;
    reader->at += length;
    return true;
}

static bool eat(struct reader *reader, char c)
{
    skip(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* isl's own words, which no name may be. */
static bool is_reserved(const char *text, size_t length)
{
    static const char *const words[] = {"and",  "or",    "not",    "exists", "mod",      "min",
                                        "max",  "floor", "floord", "ceil",   "ceild",    "implies",
                                        "true", "false", "rat",    "infty",  "infinity", "NaN"};
    bool upper = false;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        upper |= is_word(text, length, words[i]);
    return upper || (length == 3 && (text[0] | 32) == 'a' && (text[1] | 32) == 'n') ||
           (length == 2 && (text[0] | 32) == 'o' && (text[1] | 32) == 'r');
}

static void add_column(struct reader *reader, const char *name, size_t length)
{
    for (uint32_t i = 1; i < reader->column_count; i++)
        if (reader->columns[i].length == length && !reader->columns[i].hidden &&
            memcmp(reader->columns[i].name, name, length) == 0)
            reader->failed = true;
    if (!length || is_reserved(name, length) || reader->column_count == PLACES_MOST)
        reader->failed = true;
    else
        reader->columns[reader->column_count++] = (struct column){name, length, false};
}

/* "a, b" up to the closing character, which is eaten; none at all is allowed. */
static void read_names(struct reader *reader, char end)
{
    if (eat(reader, end))
        return;
    do {
        size_t length = word(reader);
        add_column(reader, reader->at, length);
        reader->at += length;
    } while (!reader->failed && eat(reader, ','));
    reader->failed |= !eat(reader, end);
}

/* ---- terms ---- */

static void add_times(struct reader *reader, struct form *to, const struct form *from,
                      int64_t factor)
{
    int64_t product;
    for (uint32_t c = 0; c < reader->column_count; c++)
        if (fw_multiply_overflows(from->at[c], factor, &product) ||
            fw_add_overflows(to->at[c], product, &to->at[c]))
            reader->failed = true;
}

static bool is_number(const struct reader *reader, const struct form *form)
{
    for (uint32_t c = 1; c < reader->column_count; c++)
        if (form->at[c])
            return false;
    return true;
}

static int64_t read_number(struct reader *reader)
{
    int64_t value = 0;
    skip(reader);
    if (!is_digit(*reader->at))
        reader->failed = true;
    for (; is_digit(*reader->at); reader->at++)
        if (fw_multiply_overflows(value, (int64_t)10, &value) ||
            fw_add_overflows(value, (int64_t)(*reader->at - '0'), &value))
            reader->failed = true;
    return value;
}

static struct form read_term(struct reader *reader);

/* A name or a term in brackets. */
static struct form read_atom(struct reader *reader)
{
    struct form form = {0};
    if (eat(reader, '(')) {
        form = read_term(reader);
        reader->failed |= !eat(reader, ')');
        return form;
    }
    size_t length = word(reader);
    for (uint32_t i = 1; length && i < reader->column_count; i++)
        if (reader->columns[i].length == length && !reader->columns[i].hidden &&
            memcmp(reader->columns[i].name, reader->at, length) == 0) {
            form.at[i] = 1;
            reader->at += length;
            return form;
        }
    reader->failed = true;
    return form;
}

/* "16", "16*atom", "16atom", "atom*16": a product with at most one factor that is not a number. */
static struct form read_product(struct reader *reader)
{
    struct form form = {0}, factor = {0};
    skip(reader);
    if (is_digit(*reader->at)) {
        form.at[0] = read_number(reader);
        skip(reader);
        if ((is_letter(*reader->at) && !is_reserved(reader->at, word(reader))) ||
            *reader->at == '(') {
            struct form product = {0};
            factor = read_atom(reader);
            add_times(reader, &product, &factor, form.at[0]);
            form = product;
        }
    } else {
        form = read_atom(reader);
    }
    while (!reader->failed && eat(reader, '*')) {
        struct form product = {0};
        skip(reader);
        if (is_digit(*reader->at))
            factor = (struct form){.at = {read_number(reader)}};
        else
            factor = read_atom(reader);
        if (is_number(reader, &form))
            add_times(reader, &product, &factor, form.at[0]);
        else if (is_number(reader, &factor))
            add_times(reader, &product, &form, factor.at[0]);
        else
            reader->failed = true;
        form = product;
    }
    return form;
}

static struct form read_term(struct reader *reader)
{
    struct form sum = {0};
    bool minus = eat(reader, '-');
    if (++reader->depth > DEPTH_MOST)
        reader->failed = true;
    while (!reader->failed) {
        struct form product = read_product(reader);
        add_times(reader, &sum, &product, minus ? -1 : 1);
        minus = eat(reader, '-');
        if (!minus && !eat(reader, '+'))
            break;
    }
    reader->depth--;
    return sum;
}

/* ---- comparisons ---- */

static struct conjunct *add_conjunct(struct reader *reader, struct formula *formula)
{
    if (!formula->at)
        formula->at = FW_ARRAY(reader->arena, struct conjunct, CONJUNCTS_MOST);
    if (formula->count == CONJUNCTS_MOST) {
        reader->failed = true;
        return formula->at;
    }
    return &formula->at[formula->count++];
}

/* True: one conjunct without rows. */
static struct formula truth(struct reader *reader)
{
    struct formula formula = {0};
    add_conjunct(reader, &formula);
    return formula;
}

static struct formula both(struct reader *reader, const struct formula *a, const struct formula *b)
{
    struct formula formula = {0};
    for (uint32_t i = 0; i < a->count && !reader->failed; i++)
        for (uint32_t j = 0; j < b->count && !reader->failed; j++) {
            const struct conjunct *x = &a->at[i], *y = &b->at[j];
            struct conjunct *made = add_conjunct(reader, &formula);
            if (x->count + y->count > ROWS_MOST)
                reader->failed = true;
            *made = (struct conjunct){
                FW_ARRAY(reader->arena, const struct row *, x->count + y->count + 1),
                x->count + y->count};
            for (uint32_t r = 0; r < x->count; r++)
                made->rows[r] = x->rows[r];
            for (uint32_t r = 0; r < y->count; r++)
                made->rows[x->count + r] = y->rows[r];
        }
    return formula;
}

static struct formula either(struct reader *reader, const struct formula *a,
                             const struct formula *b)
{
    struct formula formula = {0};
    for (uint32_t i = 0; i < a->count && !reader->failed; i++)
        *add_conjunct(reader, &formula) = a->at[i];
    for (uint32_t i = 0; i < b->count && !reader->failed; i++)
        *add_conjunct(reader, &formula) = b->at[i];
    return formula;
}

/* form (less `slack`) >= 0, or = 0. */
static struct formula one_row(struct reader *reader, const struct form *form, bool equality,
                              int64_t slack)
{
    struct formula formula = {0};
    struct row *row = FW_NEW(reader->arena, struct row);
    row->equality = equality;
    row->form = *form;
    if (fw_subtract_overflows(row->form.at[0], slack, &row->form.at[0]))
        reader->failed = true;
    if (is_number(reader, form)) {
        int64_t value = row->form.at[0];
        return (equality ? value == 0 : value >= 0) ? truth(reader) : formula;
    }
    struct conjunct *made = add_conjunct(reader, &formula);
    made->rows = FW_ARRAY(reader->arena, const struct row *, 1);
    made->rows[0] = row;
    made->count = 1;
    return formula;
}

enum comparison { NONE, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, UNEQUAL };

static enum comparison read_comparison(struct reader *reader)
{
    skip(reader);
    char c = reader->at[0], next = c ? reader->at[1] : '\0';
    enum comparison found = c == '<'                  ? (next == '=' ? LESS_EQUAL : LESS)
                            : c == '>'                ? (next == '=' ? GREATER_EQUAL : GREATER)
                            : c == '!' && next == '=' ? UNEQUAL
                            : c == '='                ? EQUAL
                                                      : NONE;
    if (found == NONE)
        return NONE;
    reader->at += next == '=' ? 2 : 1;
    if (*reader->at == '<' || *reader->at == '>' ||
        *reader->at == '=') /* isl's own << and the like */
        reader->failed = true;
    return found;
}

static struct formula compare(struct reader *reader, const struct form *a, const struct form *b,
                              enum comparison how)
{
    struct form above = *b, below = *a;
    add_times(reader, &above, a, -1); /* b - a */
    add_times(reader, &below, b, -1);
    struct formula less, greater;
    switch (how) {
    case LESS:
        return one_row(reader, &above, false, 1);
    case LESS_EQUAL:
        return one_row(reader, &above, false, 0);
    case GREATER:
        return one_row(reader, &below, false, 1);
    case GREATER_EQUAL:
        return one_row(reader, &below, false, 0);
    case UNEQUAL:
        less = one_row(reader, &above, false, 1);
        greater = one_row(reader, &below, false, 1);
        return either(reader, &less, &greater);
    default:
        return one_row(reader, &above, true, 0);
    }
}

struct list {
    struct form *at;
    uint32_t count;
};

/* "term mod 16": what is left of the term, a quantified column times 16 taken away. */
static struct form modulo(struct reader *reader, const struct form *term, struct formula *formula)
{
    struct form left = *term;
    struct form top = {0};
    int64_t divisor = read_number(reader);
    if (divisor <= 0 || divisor > INT32_MAX || reader->column_count == PLACES_MOST) {
        reader->failed = true;
        return left;
    }
    reader->columns[reader->column_count] = (struct column){"", 0, true};
    left.at[reader->column_count++] = -divisor;
    top.at[0] = divisor;
    add_times(reader, &top, &left, -1);
    struct formula low = one_row(reader, &left, false, 0);
    struct formula high = one_row(reader, &top, false, 1);
    *formula = both(reader, formula, &low);
    *formula = both(reader, formula, &high);
    return left;
}

static struct list read_list(struct reader *reader, struct formula *formula)
{
    struct list list = {FW_ARRAY(reader->arena, struct form, LIST_MOST), 0};
    do {
        if (list.count == LIST_MOST) {
            reader->failed = true;
            break;
        }
        skip(reader);
        const char *begin = reader->at;
        struct form term = read_term(reader);
        if (!reader->failed && eat_word(reader, "mod")) {
            /* How tightly it binds is isl's affair: only a name or brackets may be before it. */
            const char *last = reader->at - 3;
            bool plain = is_letter(*begin);
            unsigned depth = 0;
            for (const char *c = begin; c < last && plain; c++)
                plain = is_letter(*c) || is_digit(*c) || *c == ' ';
            for (const char *c = begin; c < last && *begin == '('; c++) {
                depth += *c == '(';
                depth -= *c == ')';
                if (!depth) {
                    plain = strspn(c + 1, " ") == (size_t)(last - c - 1);
                    break;
                }
            }
            reader->failed |= !plain;
            term = modulo(reader, &term, formula);
        }
        list.at[list.count++] = term;
    } while (!reader->failed && eat(reader, ','));
    return list;
}

static struct formula read_chain(struct reader *reader)
{
    struct formula formula = truth(reader);
    struct list left = read_list(reader, &formula);
    bool any = false;
    while (!reader->failed) {
        enum comparison how = read_comparison(reader);
        if (how == NONE)
            break;
        struct list right = read_list(reader, &formula);
        for (uint32_t i = 0; i < left.count; i++)
            for (uint32_t j = 0; j < right.count && !reader->failed; j++) {
                struct formula one = compare(reader, &left.at[i], &right.at[j], how);
                formula = both(reader, &formula, &one);
            }
        left = right;
        any = true;
    }
    reader->failed |= !any;
    return formula;
}

/* ---- formulas ---- */

static struct formula read_formula(struct reader *reader);

/* Whether what stands between these brackets is a formula: it compares something. */
static bool brackets_hold_formula(const char *at)
{
    unsigned depth = 0;
    for (; *at; at++) {
        depth += *at == '(';
        if (*at == '<' || *at == '>' || *at == '=')
            return true;
        if (*at == ')' && --depth == 0)
            return false;
    }
    return false;
}

static struct formula read_exists(struct reader *reader)
{
    struct formula formula = {0};
    uint32_t first = reader->column_count;
    reader->failed |= !eat(reader, '(');
    if (!reader->failed)
        read_names(reader, ':');
    uint32_t last = reader->column_count;
    if (!reader->failed)
        formula = read_formula(reader);
    reader->failed |= !eat(reader, ')');
    for (uint32_t i = first; i < last; i++)
        reader->columns[i].hidden = true;
    return formula;
}

static struct formula read_part(struct reader *reader)
{
    skip(reader);
    if (*reader->at == '(' && brackets_hold_formula(reader->at)) {
        reader->at++;
        struct formula formula = read_formula(reader);
        reader->failed |= !eat(reader, ')');
        return formula;
    }
    return eat_word(reader, "exists") ? read_exists(reader) : read_chain(reader);
}

static struct formula read_all(struct reader *reader)
{
    struct formula formula = read_part(reader);
    while (!reader->failed && eat_word(reader, "and")) {
        struct formula part = read_part(reader);
        formula = both(reader, &formula, &part);
    }
    return formula;
}

static struct formula read_formula(struct reader *reader)
{
    struct formula formula = {0};
    if (++reader->depth > DEPTH_MOST)
        reader->failed = true;
    do {
        struct formula part = {0};
        if (!reader->failed)
            part = read_all(reader);
        formula = either(reader, &formula, &part);
    } while (!reader->failed && eat_word(reader, "or"));
    reader->depth--;
    return formula;
}

/* "[n] -> { [i] : formula }"; the dimensions are the columns behind the parameters. */
static struct formula read_set(struct reader *reader)
{
    struct formula formula = {0};
    reader->column_count = 1;
    if (eat(reader, '[')) {
        read_names(reader, ']');
        reader->failed |= !eat(reader, '-') || !eat(reader, '>');
    }
    reader->parameter_count = reader->column_count - 1;
    reader->failed |= !eat(reader, '{') || !eat(reader, '[');
    if (!reader->failed)
        read_names(reader, ']');
    reader->dimension_count = reader->column_count - 1 - reader->parameter_count;
    reader->failed |= !eat(reader, ':');
    if (!reader->failed)
        formula = read_formula(reader);
    reader->failed |= !eat(reader, '}');
    skip(reader);
    reader->failed |= *reader->at != '\0';
    return formula;
}

/* ---- to isl ---- */

static bool uses(const struct conjunct *conjunct, uint32_t column)
{
    for (uint32_t r = 0; r < conjunct->count; r++)
        if (conjunct->rows[r]->form.at[column])
            return true;
    return false;
}

static isl_mat *matrix_of(isl_ctx *context, const struct conjunct *conjunct,
                          const uint32_t *columns, uint32_t width, bool equalities)
{
    uint32_t count = 0, place = 0;
    for (uint32_t r = 0; r < conjunct->count; r++)
        count += conjunct->rows[r]->equality == equalities;
    isl_mat *matrix = isl_mat_alloc(context, count, width);
    for (uint32_t r = 0; r < conjunct->count; r++) {
        const struct row *row = conjunct->rows[r];
        if (row->equality != equalities)
            continue;
        for (uint32_t c = 0; c < width; c++)
            matrix = isl_mat_set_element_val(
                matrix, (int)place, (int)c, isl_val_int_from_si(context, row->form.at[columns[c]]));
        place++;
    }
    return matrix;
}

/* Quantified columns become dimensions, which are projected out. */
static isl_set *set_of(isl_ctx *context, const struct reader *reader,
                       const struct conjunct *conjunct, isl_space *space)
{
    uint32_t columns[PLACES_MOST], width = 0,
                                   named = reader->parameter_count + reader->dimension_count + 1;
    for (uint32_t c = 0; c < reader->column_count; c++)
        if (c < named || uses(conjunct, c))
            columns[width++] = c;
    space = isl_space_add_dims(space, isl_dim_set, width - named);
    isl_basic_set *basic = isl_basic_set_from_constraint_matrices(
        space, matrix_of(context, conjunct, columns, width, true),
        matrix_of(context, conjunct, columns, width, false), isl_dim_cst, isl_dim_param,
        isl_dim_set, isl_dim_div);
    return isl_set_project_out(isl_set_from_basic_set(basic), isl_dim_set, reader->dimension_count,
                               width - named);
}

static isl_space *space_of(isl_ctx *context, struct reader *reader)
{
    isl_space *space =
        isl_space_set_alloc(context, reader->parameter_count, reader->dimension_count);
    for (uint32_t c = 1; c <= reader->parameter_count + reader->dimension_count; c++) {
        const struct column *column = &reader->columns[c];
        bool parameter = c <= reader->parameter_count;
        space = isl_space_set_dim_name(space, parameter ? isl_dim_param : isl_dim_set,
                                       c - 1 - (parameter ? 0 : reader->parameter_count),
                                       fw_arena_text(reader->arena, column->name, column->length));
    }
    return space;
}

isl_set *fw_isl_set_of_text(struct fw_poly *poly, const char *text)
{
    struct reader *reader = FW_NEW(poly->work.arena, struct reader);
    reader->arena = poly->work.arena;
    reader->at = text;
    struct formula formula = read_set(reader);
    if (reader->failed)
        return NULL;
    isl_space *space = space_of(poly->isl, reader);
    isl_set *set = isl_set_empty(isl_space_copy(space));
    for (uint32_t i = 0; i < formula.count; i++)
        set = isl_set_union(set, set_of(poly->isl, reader, &formula.at[i], isl_space_copy(space)));
    isl_space_free(space);
    return set;
}
