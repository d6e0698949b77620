#include "symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SYMBOLIC_PIECES = 64, COUNT_BUDGET = 50000 };

/* What an empty domain is a sum of. */
static const struct fw_product nothing = {0, NULL, 0};

/* An identifier for isl: letters, digits and underscores. */
static const char *identifier(struct fw_arena *arena, const char *name)
{
    char *text = fw_arena_printf(arena, "%s%s", *name >= '0' && *name <= '9' ? "_" : "", name);
    for (char *c = text; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '_';
    return text;
}

static void name_symbols(struct fw_symbolic *symbolic)
{
    const struct fw_kernel *kernel = symbolic->kernel;
    static const char *const grid[] = {"gridDim_x", "gridDim_y", "gridDim_z"};
    symbolic->own_count = kernel->parameter_count + 3;
    symbolic->symbol_count = symbolic->own_count + FW_PIECE_PRODUCTS;
    symbolic->names = FW_ARRAY(symbolic->arena, const char *, symbolic->symbol_count);
    for (uint32_t p = 0; p < symbolic->own_count; p++)
        symbolic->names[p] = p < kernel->parameter_count
                                 ? identifier(symbolic->arena, kernel->parameters[p].name)
                                 : grid[p - kernel->parameter_count];
}

/* Whether no row has a formula, since there would be too many names in it: isl's work on one
 * condition alone grows with their cube. */
static bool symbolic_too_many(const struct fw_symbolic *symbolic)
{
    return symbolic->given_count > FW_FORMULAS_MOST;
}

/* Every integer argument and grid size is at least 0. */
static void assume(struct fw_symbolic *symbolic)
{
    const struct fw_kernel *kernel = symbolic->kernel;
    struct fw_buffer *names = &symbolic->assumed_names, *rows = &symbolic->assumed_rows;
    *names = fw_buffer_new(symbolic->arena);
    *rows = fw_buffer_new(symbolic->arena);
    symbolic->given = FW_ARRAY(symbolic->arena, const char *, symbolic->symbol_count);
    for (uint32_t p = 0; p < symbolic->own_count; p++) {
        bool argument = p < kernel->parameter_count && !kernel->parameters[p].is_pointer &&
                        fw_type_class(kernel->parameters[p].type) != 'f';
        bool grid = p >= kernel->parameter_count &&
                    symbolic->launch->grid[p - kernel->parameter_count] == 0;
        if (!argument && !grid)
            continue;
        symbolic->given[symbolic->given_count++] = symbolic->names[p];
        fw_buffer_printf(names, names->length ? ", %s" : "%s", symbolic->names[p]);
        fw_buffer_printf(rows, rows->length ? " and %s >= %d" : "%s >= %d", symbolic->names[p],
                         grid ? 1 : 0);
    }
    bool some = names->length && !symbolic_too_many(symbolic);
    symbolic->assumption_text =
        some ? fw_arena_printf(symbolic->arena, "[%s] -> { : %s }", names->text, rows->text) : "";
    symbolic_assume(symbolic);
}

void symbolic_assume(struct fw_symbolic *symbolic)
{
    fw_set_free(symbolic->assumptions);
    symbolic->assumptions = NULL;
    if (!symbolic->assumed_names.length || symbolic_too_many(symbolic))
        return;
    char *text = fw_arena_printf(symbolic->arena, "[%s] -> { : %s }", symbolic->assumed_names.text,
                                 symbolic->assumed_rows.text);
    struct fw_source source = {"assumptions", text, strlen(text)};
    if (fw_set_read(&symbolic->assumptions, symbolic->poly, &source, NULL))
        symbolic->assumptions = NULL;
}

/* The rows of one group (or one row without dimensions) as a set of their own. */
struct component {
    struct matrix matrix;
    int64_t key[(FW_PIECE_ROWS + 2 * FW_PIECE_VARIABLES) * (MATRIX_COLUMNS + 1) +
                FW_PIECE_VARIABLES + 8];
    size_t words;
};

static void make_scratch(struct fw_symbolic *symbolic)
{
    symbolic->matrix = FW_NEW(symbolic->arena, struct matrix);
    symbolic->component = FW_NEW(symbolic->arena, struct component);
    symbolic->spare_rows = fw_arena_alloc(symbolic->arena, sizeof(symbolic->matrix->coefficients));
}

static bool is_word(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
}

/* The user's condition with the symbols' own names: param_3 is saxpy_param_3, gridDim.x gridDim_x.
 */
static const char *with_own_names(struct fw_symbolic *symbolic, const char *text)
{
    const struct fw_kernel *kernel = symbolic->kernel;
    struct fw_buffer out = fw_buffer_new(symbolic->arena);
    while (*text) {
        size_t length = 0;
        while (is_word(text[length], length == 0))
            length++;
        if (!length) {
            fw_buffer_add(&out, text++, 1);
            continue;
        }
        const char *word = fw_arena_text(symbolic->arena, text, length);
        text += length;
        uint32_t p = fw_kernel_parameter(kernel, word);
        for (uint32_t q = 0; q < kernel->parameter_count && p == FW_NONE; q++) {
            const char *name = kernel->parameters[q].name, *end = strstr(name, word);
            if (end && end > name && end[-1] == '_' && strcmp(end, word) == 0 &&
                strncmp(word, "param_", 6) == 0)
                p = q;
        }
        if (strcmp(word, "gridDim") == 0 && *text == '.') {
            fw_buffer_printf(&out, "gridDim_");
            text++;
        } else {
            fw_buffer_printf(&out, "%s", p == FW_NONE ? word : symbolic->names[p]);
        }
    }
    return out.text ? out.text : "";
}

/* Takes the user's condition up; what is written in it stands in the assumptions' text. */
static enum fw_status assume_more(struct fw_symbolic *symbolic, const char *condition,
                                  const struct fw_sink *sink)
{
    if (symbolic_too_many(symbolic)) {
        fw_report(sink, FW_ERROR, "SYM001", (struct fw_span){0},
                  "a kernel of more than %d integer arguments and grid sizes has no formulas to "
                  "assume anything of",
                  FW_FORMULAS_MOST);
        return FW_ERROR_INPUT;
    }
    struct fw_buffer *rows = &symbolic->assumed_rows;
    const char *own = with_own_names(symbolic, condition);
    char *alone =
        fw_arena_printf(symbolic->arena, "[%s] -> { : %s }",
                        symbolic->assumed_names.text ? symbolic->assumed_names.text : "", own);
    struct fw_source source = {"--assume", alone, strlen(alone)};
    struct fw_set *set = NULL;
    struct fw_count *count = NULL;
    if (fw_set_read(&set, symbolic->poly, &source, sink) != FW_OK) {
        fw_report(sink, FW_ERROR, "SYM001", (struct fw_span){0},
                  "the assumption is no condition over integer arguments and grid sizes: %s",
                  condition);
        return FW_ERROR_INPUT;
    }
    fw_buffer_printf(rows, rows->length ? " and (%s)" : "(%s)", own);
    fw_set_free(set);
    symbolic->assumption_text = fw_arena_printf(symbolic->arena, "[%s] -> { : %s }",
                                                symbolic->assumed_names.text, rows->text);
    symbolic_assume(symbolic);
    bool never = !symbolic->assumptions ||
                 fw_set_count(&count, symbolic->assumptions, NULL, NULL) != FW_OK ||
                 (fw_count_is_symbolic(count) && fw_count_leaf_count(count) == 0);
    fw_count_free(count);
    if (!never)
        return FW_OK;
    fw_report(sink, FW_ERROR, "SYM001", (struct fw_span){0}, "the assumption never holds: %s",
              condition);
    return FW_ERROR_INPUT;
}

static enum fw_status ready(struct fw_symbolic *symbolic, const struct fw_launch *launch,
                            const char *assumptions, const struct fw_sink *sink)
{
    symbolic->launch = launch;
    enum fw_status status = fw_bound_set(symbolic->bound, launch);
    if (status)
        return status;
    make_scratch(symbolic);
    name_symbols(symbolic);
    assume(symbolic);
    if (assumptions)
        status = assume_more(symbolic, assumptions, sink);
    if (status)
        return status;
    size_t parameters = symbolic_too_many(symbolic) ? 0 : symbolic->given_count;
    symbolic->formulas = fw_formulas_new(symbolic->given, parameters, symbolic->assumptions, 0);
    return symbolic->formulas ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_symbolic_new(struct fw_symbolic **result, const struct fw_kernel *kernel,
                               const struct fw_launch *launch, struct fw_poly *poly,
                               const char *assumptions, const struct fw_sink *sink)
{
    struct fw_symbolic *symbolic = calloc(1, sizeof(*symbolic));
    *result = NULL;
    if (!symbolic)
        return FW_ERROR_MEMORY;
    symbolic->kernel = kernel;
    symbolic->poly = poly;
    symbolic->arena = fw_arena_new(0);
    symbolic->bound = fw_bound_new_symbolic(kernel);
    symbolic->domains = calloc(kernel->domain_count + 1, sizeof(*symbolic->domains));
    enum fw_status status = FW_ERROR_MEMORY;
    if (symbolic->arena && symbolic->bound && symbolic->domains)
        status = ready(symbolic, launch, assumptions, sink);
    if (status)
        fw_symbolic_free(symbolic);
    else
        *result = symbolic;
    return status;
}

void fw_symbolic_free(struct fw_symbolic *symbolic)
{
    if (!symbolic)
        return;
    for (size_t c = 0; c < symbolic->counts.count; c++)
        fw_count_free(symbolic->counts.at[c].count);
    fw_formulas_free(symbolic->formulas);
    fw_set_free(symbolic->assumptions);
    fw_bound_free(symbolic->bound);
    fw_arena_free(symbolic->arena);
    free(symbolic->domains);
    free(symbolic);
}

/* ---- components: variables that hang together through rows ---- */

/* The group of each dimension; groups are numbered by their first dimension. */
static void find_groups(const struct matrix *m, uint32_t *group)
{
    uint32_t width = 1 + m->rows.parameter_count + m->rows.dimensions;
    for (uint32_t d = 0; d < m->rows.dimensions; d++)
        group[d] = d;
    for (uint32_t r = 0; r < m->rows.row_count; r++) {
        const int64_t *row = &m->coefficients[r * width + 1 + m->rows.parameter_count];
        uint32_t first = FW_NONE;
        for (uint32_t d = 0; d < m->rows.dimensions; d++) {
            if (!row[d])
                continue;
            uint32_t from = group[d];
            if (first == FW_NONE)
                first = from;
            uint32_t low = first < from ? first : from, high = first < from ? from : first;
            for (uint32_t e = 0; e < m->rows.dimensions; e++)
                group[e] = group[e] == high ? low : group[e];
            first = low;
        }
    }
}

static bool is_of_group(const struct matrix *m, const uint32_t *group, uint32_t r, uint32_t which)
{
    uint32_t width = 1 + m->rows.parameter_count + m->rows.dimensions;
    const int64_t *row = &m->coefficients[r * width + 1 + m->rows.parameter_count];
    for (uint32_t d = 0; d < m->rows.dimensions; d++)
        if (row[d])
            return group[d] == which;
    return false;
}

static int by_words(const int64_t *a, const int64_t *b, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Fills in the component of the marked rows and of the dimensions of a group (FW_NONE: none). */
static void take_component(struct component *c, const struct matrix *m, const uint32_t *group,
                           uint32_t which, const bool *rows)
{
    uint32_t width = 1 + m->rows.parameter_count + m->rows.dimensions;
    uint32_t columns[MATRIX_COLUMNS], used = 1;
    struct matrix *to = &c->matrix;
    memset(&to->rows, 0, sizeof(to->rows));
    columns[0] = 0;
    for (uint32_t p = 0; p < m->rows.parameter_count; p++) {
        bool any = false;
        for (uint32_t r = 0; r < m->rows.row_count; r++)
            any = any || (rows[r] && m->coefficients[r * width + 1 + p]);
        if (!any)
            continue;
        columns[used++] = 1 + p;
        to->symbol[to->rows.parameter_count] = m->symbol[p];
        to->names[to->rows.parameter_count++] = m->names[p];
    }
    for (uint32_t d = 0; d < m->rows.dimensions; d++)
        if (group[d] == which) {
            columns[used++] = 1 + m->rows.parameter_count + d;
            to->rows.dimensions++;
        }
    for (uint32_t r = 0; r < m->rows.row_count; r++) {
        int64_t row[MATRIX_COLUMNS];
        uint32_t at = to->rows.row_count;
        if (!rows[r])
            continue;
        for (uint32_t i = 0; i < used; i++)
            row[i] = m->coefficients[r * width + columns[i]];
        /* Rows in rising order, so that equal sets look equal. */
        while (at > 0 && by_words(&to->coefficients[(at - 1) * used], row, used) > 0) {
            memcpy(&to->coefficients[at * used], &to->coefficients[(at - 1) * used],
                   used * sizeof(int64_t));
            to->equalities[at] = to->equalities[at - 1];
            at--;
        }
        memcpy(&to->coefficients[at * used], row, used * sizeof(int64_t));
        to->equalities[at] = m->equalities[r];
        to->rows.row_count++;
    }
    to->rows.parameters = to->names;
    to->rows.coefficients = to->coefficients;
    to->rows.equalities = to->equalities;
}

static void make_key(struct component *c)
{
    const struct fw_set_rows *rows = &c->matrix.rows;
    uint32_t width = 1 + rows->parameter_count + rows->dimensions;
    c->words = 0;
    c->key[c->words++] = rows->parameter_count;
    c->key[c->words++] = rows->dimensions;
    for (uint32_t p = 0; p < rows->parameter_count; p++)
        c->key[c->words++] = c->matrix.symbol[p];
    for (uint32_t r = 0; r < rows->row_count; r++) {
        c->key[c->words++] = c->matrix.equalities[r];
        memcpy(&c->key[c->words], &c->matrix.coefficients[r * width], width * sizeof(int64_t));
        c->words += width;
    }
}

/* The count of a component, made when it is new. NULL: past the budget. */
static const struct fw_count *count_component(struct fw_symbolic *symbolic, struct component *c)
{
    struct fw_count_options options = {.assumptions = symbolic->assumptions,
                                       .budget = COUNT_BUDGET};
    struct fw_set *set = NULL;
    struct fw_count *count = NULL;
    make_key(c);
    uint64_t hash = fw_hash(c->key, c->words * sizeof(int64_t));
    for (size_t k = 0; k < symbolic->counts.count; k++) {
        const struct known_count *known = &symbolic->counts.at[k];
        if (known->hash == hash && known->words == c->words &&
            memcmp(known->key, c->key, c->words * sizeof(int64_t)) == 0)
            return known->count;
    }
    if (fw_set_from_rows(&set, symbolic->poly, &c->matrix.rows, NULL) == FW_OK &&
        fw_set_count(&count, set, &options, NULL) != FW_OK)
        count = NULL;
    fw_set_free(set);
    if (count && !fw_count_is_symbolic(count)) {
        fw_count_free(count);
        count = NULL;
    }
    *FW_APPEND(symbolic->arena, &symbolic->counts) = (struct known_count){
        hash, fw_arena_copy(symbolic->arena, c->key, c->words * sizeof(int64_t)), c->words, count};
    return count;
}

/* A piece as the product of its components' counts. */
static bool multiply_piece(struct fw_symbolic *symbolic, const struct fw_piece *piece,
                           struct fw_product *product)
{
    struct matrix *m = symbolic->matrix;
    struct component *c = symbolic->component;
    FW_VECTOR(const struct fw_count *) factors = {0};
    uint32_t group[FW_PIECE_VARIABLES];
    bool rows[FW_PIECE_ROWS + 2 * FW_PIECE_VARIABLES],
        placed[FW_PIECE_ROWS + 2 * FW_PIECE_VARIABLES] = {false};
    if (!symbolic_rows(symbolic, piece, m))
        return false;
    find_groups(m, group);
    for (uint32_t d = 0; d < m->rows.dimensions; d++) {
        if (group[d] != d || m->dead[d])
            continue;
        for (uint32_t r = 0; r < m->rows.row_count; r++) {
            rows[r] = is_of_group(m, group, r, d);
            placed[r] |= rows[r];
        }
        take_component(c, m, group, d, rows);
        const struct fw_count *count = count_component(symbolic, c);
        if (!count)
            return false;
        *FW_APPEND(symbolic->arena, &factors) = count;
    }
    for (uint32_t r = 0; r < m->rows.row_count; r++) {
        if (placed[r])
            continue;
        memset(rows, 0, sizeof(rows));
        rows[r] = true;
        take_component(c, m, group, FW_NONE, rows);
        const struct fw_count *count = count_component(symbolic, c);
        if (!count)
            return false;
        *FW_APPEND(symbolic->arena, &factors) = count;
    }
    *product = (struct fw_product){1, factors.at, (uint32_t)factors.count};
    return true;
}

const struct fw_product *fw_symbolic_products(struct fw_symbolic *symbolic, uint32_t domain,
                                              size_t *count)
{
    struct domain_count *memo = &symbolic->domains[domain];
    if (!memo->done) {
        const struct fw_piece_list *pieces = fw_bound_pieces(symbolic->bound, domain);
        memo->done = true;
        memo->reason = FW_SYMBOLIC_DERIVED;
        if (!pieces || pieces->count > MOST_SYMBOLIC_PIECES || symbolic_too_many(symbolic))
            memo->reason = FW_SYMBOLIC_BUDGET;
        for (uint32_t p = 0; !memo->reason && p < pieces->count; p++) {
            struct fw_product product;
            if (pieces->at[p]->weight != 1 || pieces->at[p]->estimate)
                memo->reason = FW_SYMBOLIC_DATA;
            else if (!multiply_piece(symbolic, pieces->at[p], &product))
                memo->reason = FW_SYMBOLIC_BUDGET;
            else
                *FW_APPEND(symbolic->arena, &memo->products) = product;
        }
    }
    *count = memo->products.count;
    return memo->reason ? NULL : memo->products.at ? memo->products.at : &nothing;
}

/* ---- rows ---- */

/* Rows over the same domains with the same factors have the same text. */
static const struct row_text *find_text(const struct fw_symbolic *symbolic,
                                        const struct fw_tally_row *row)
{
    for (size_t t = 0; t < symbolic->texts.count; t++) {
        const struct fw_tally_row *old = symbolic->texts.at[t].row;
        size_t size = row->term_count * sizeof(uint32_t);
        if (old->term_count == row->term_count && !old->every == !row->every &&
            (!size || (memcmp(old->domains, row->domains, size) == 0 &&
                       memcmp(old->times, row->times, size) == 0)))
            return &symbolic->texts.at[t];
    }
    return NULL;
}

static enum fw_symbolic_reason derive(struct fw_symbolic *symbolic, const struct fw_tally_row *row,
                                      const struct fw_formula **formula)
{
    FW_VECTOR(struct fw_product) products = {0};
    *formula = NULL;
    if (row->every)
        return FW_SYMBOLIC_SHARED;
    for (uint32_t t = 0; t < row->term_count; t++) {
        size_t count;
        const struct fw_product *of = fw_symbolic_products(symbolic, row->domains[t], &count);
        if (!of)
            return symbolic->domains[row->domains[t]].reason;
        for (size_t p = 0; p < count; p++) {
            struct fw_product *product = FW_APPEND(symbolic->arena, &products);
            *product = of[p];
            product->factor *= row->times[t];
        }
    }
    return fw_formula_of(formula, symbolic->formulas, products.at, products.count) == FW_OK
               ? FW_SYMBOLIC_DERIVED
               : FW_SYMBOLIC_BUDGET;
}

const struct fw_formula *fw_symbolic_formula(struct fw_symbolic *symbolic,
                                             const struct fw_tally_row *row)
{
    const struct fw_formula *formula;
    derive(symbolic, row, &formula);
    return formula;
}

struct fw_symbolic_text fw_symbolic_row(struct fw_symbolic *symbolic,
                                        const struct fw_tally_row *row, struct fw_arena *arena)
{
    const struct fw_formula *formula;
    struct row_text made = {.row = row};
    const struct row_text *known = find_text(symbolic, row);
    if (!known) {
        made.text.reason = derive(symbolic, row, &formula);
        if (formula) {
            made.text.formula = fw_formula_text(formula, symbolic->formulas, symbolic->arena);
            made.text.isl = fw_formula_isl(formula, symbolic->formulas, symbolic->arena);
            if (!made.text.formula && !made.text.isl)
                made.text.reason = FW_SYMBOLIC_BUDGET;
        }
        *FW_APPEND(symbolic->arena, &symbolic->texts) = made;
        known = &made;
    }
    struct fw_symbolic_text text = known->text;
    text.formula = text.formula ? fw_arena_text(arena, text.formula, strlen(text.formula)) : NULL;
    text.isl = text.isl ? fw_arena_text(arena, text.isl, strlen(text.isl)) : NULL;
    return text;
}

struct fw_formulas *fw_symbolic_formulas(struct fw_symbolic *symbolic)
{
    return symbolic->formulas;
}

const char *const *fw_symbolic_names(const struct fw_symbolic *symbolic, size_t *count)
{
    *count = symbolic->given_count;
    return symbolic->given;
}

bool fw_symbolic_value(int64_t *value, const struct fw_symbolic *symbolic, const char *name,
                       const int64_t *values)
{
    uint32_t product_count;
    const struct fw_symbol_product *products = fw_bound_products(symbolic->bound, &product_count);
    for (uint32_t p = 0; p < product_count; p++) {
        const struct fw_symbol_product *product = &products[p];
        const char *own = symbolic->names[symbolic->own_count + p];
        if (!own || strcmp(own, name) != 0)
            continue;
        uint32_t first = symbolic_given(symbolic, symbolic->names[product->first]);
        uint32_t second = symbolic_given(symbolic, symbolic->names[product->second]);
        *value = values[first] * values[second];
        return true;
    }
    for (size_t i = 0; i < symbolic->minima.count; i++) {
        const struct minimum_symbol *minimum = &symbolic->minima.at[i];
        if (strcmp(minimum->name, name) != 0)
            continue;
        for (uint32_t s = 0; s < minimum->side_count; s++) {
            int64_t side = minimum->sides[s][0];
            for (uint32_t g = 0; g < symbolic->given_count; g++)
                side += minimum->sides[s][1 + g] * values[g];
            *value = s == 0 || side < *value ? side : *value;
        }
        return true;
    }
    return false;
}

const char *fw_symbolic_assumptions(const struct fw_symbolic *symbolic)
{
    return symbolic->assumption_text;
}
