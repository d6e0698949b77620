#include "symbolic.h"

#include "bound_internal.h"

#include <stdlib.h>
#include <string.h>

struct fw_symbolic {
    struct fw_bound *bound;
    struct fw_poly *poly;
    struct fw_arena *arena;
    const char **names; /* by symbol */
    uint32_t symbol_count;
    struct fw_set *assumptions;
    const char *assumption_text;
    struct domain_count {
        bool done;
        struct fw_count *count;
    } * domains;
    struct row_text {
        const struct fw_tally_row *row;
        const char *text;
    } * texts;
    size_t text_count, text_capacity;
};

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
    const struct fw_kernel *kernel = symbolic->bound->kernel;
    static const char *const grid[] = {"gridDim_x", "gridDim_y", "gridDim_z"};
    symbolic->symbol_count = kernel->parameter_count + 3;
    symbolic->names = FW_ARRAY(symbolic->arena, const char *, symbolic->symbol_count);
    for (uint32_t p = 0; p < symbolic->symbol_count; p++)
        symbolic->names[p] = p < kernel->parameter_count
                                 ? identifier(symbolic->arena, kernel->parameters[p].name)
                                 : grid[p - kernel->parameter_count];
}

/* Every integer argument and grid size is at least 0. */
static void assume(struct fw_symbolic *symbolic)
{
    const struct fw_kernel *kernel = symbolic->bound->kernel;
    struct fw_buffer names = fw_buffer_new(symbolic->arena), rows = fw_buffer_new(symbolic->arena);
    for (uint32_t p = 0; p < symbolic->symbol_count; p++) {
        bool argument = p < kernel->parameter_count && !kernel->parameters[p].is_pointer &&
                        fw_type_class(kernel->parameters[p].type) != 'f';
        bool grid = p >= kernel->parameter_count &&
                    symbolic->bound->launch->grid[p - kernel->parameter_count] == 0;
        if (!argument && !grid)
            continue;
        fw_buffer_printf(&names, names.length ? ", %s" : "%s", symbolic->names[p]);
        fw_buffer_printf(&rows, rows.length ? " and %s >= %d" : "%s >= %d", symbolic->names[p],
                         grid ? 1 : 0);
    }
    symbolic->assumption_text = "";
    if (!names.length)
        return;
    char *text = fw_arena_printf(symbolic->arena, "[%s] -> { : %s }", names.text, rows.text);
    struct fw_source source = {"assumptions", text, strlen(text)};
    symbolic->assumption_text = text;
    if (fw_set_read(&symbolic->assumptions, symbolic->poly, &source, NULL))
        symbolic->assumptions = NULL;
}

struct fw_symbolic *fw_symbolic_new(const struct fw_kernel *kernel, const struct fw_launch *launch,
                                    struct fw_poly *poly)
{
    struct fw_symbolic *symbolic = calloc(1, sizeof(*symbolic));
    if (!symbolic)
        return NULL;
    symbolic->poly = poly;
    symbolic->arena = fw_arena_new(0);
    symbolic->bound = fw_bound_new(kernel);
    symbolic->domains = calloc(kernel->domain_count + 1, sizeof(*symbolic->domains));
    if (!symbolic->arena || !symbolic->bound || !symbolic->domains) {
        fw_symbolic_free(symbolic);
        return NULL;
    }
    symbolic->bound->symbolic = true;
    if (fw_bound_set(symbolic->bound, launch)) {
        fw_symbolic_free(symbolic);
        return NULL;
    }
    name_symbols(symbolic);
    assume(symbolic);
    return symbolic;
}

void fw_symbolic_free(struct fw_symbolic *symbolic)
{
    if (!symbolic)
        return;
    for (uint32_t d = 0;
         symbolic->domains && symbolic->bound && d < symbolic->bound->kernel->domain_count; d++)
        fw_count_free(symbolic->domains[d].count);
    fw_set_free(symbolic->assumptions);
    fw_bound_free(symbolic->bound);
    fw_arena_free(symbolic->arena);
    free(symbolic->domains);
    free(symbolic);
}

/* The piece's rows in the order that sets want: the constant, symbols, then the other variables. */
struct matrix {
    int64_t coefficients[(MOST_ROWS + 2 * VARIABLES) * (VARIABLES + 1)];
    bool equalities[MOST_ROWS + 2 * VARIABLES];
    const char *names[VARIABLES];
    uint32_t place[VARIABLES];
    struct fw_set_rows rows;
};

static void add_row(struct matrix *m, const struct piece *piece, const struct linear *form,
                    bool equality)
{
    uint32_t width = 1 + m->rows.parameter_count + m->rows.dimensions;
    int64_t *row = &m->coefficients[m->rows.row_count * width];
    memset(row, 0, width * sizeof(*row));
    row[0] = form->constant;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (form->coefficient[v])
            row[1 + m->place[v]] = form->coefficient[v];
    m->equalities[m->rows.row_count++] = equality;
}

static void add_bound(struct matrix *m, const struct piece *piece, uint32_t v, bool upper)
{
    struct linear form = {.constant = upper ? piece->high[v] : -piece->low[v]};
    form.coefficient[v] = upper ? -1 : 1;
    add_row(m, piece, &form, false);
}

static bool is_launch_variable(const struct piece *piece, uint32_t v)
{
    for (uint32_t d = 0; d < 6; d++)
        if (piece->launch_variable[d] == (int8_t)v)
            return true;
    return false;
}

static void fill_matrix(const struct fw_symbolic *symbolic, const struct piece *piece,
                        struct matrix *m)
{
    memset(&m->rows, 0, sizeof(m->rows));
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->symbol[v] != FW_NONE) {
            m->place[v] = m->rows.parameter_count;
            m->names[m->rows.parameter_count++] = symbolic->names[piece->symbol[v]];
        }
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->symbol[v] == FW_NONE && !piece->fixed[v])
            m->place[v] = m->rows.parameter_count + m->rows.dimensions++;
    for (uint32_t v = 0; v < piece->variables; v++) {
        if (piece->symbol[v] != FW_NONE || piece->fixed[v] || piece->quotient[v])
            continue;
        uint32_t d = 0;
        while (d < 3 && piece->launch_variable[d] != (int8_t)v)
            d++;
        bool unstated = d < 3 && symbolic->bound->launch->grid[d] == 0;
        add_bound(m, piece, v, false);
        if (is_launch_variable(piece, v) && !unstated)
            add_bound(m, piece, v, true);
    }
    for (uint32_t r = 0; r < piece->row_count; r++)
        add_row(m, piece, &piece->rows[r].form, piece->rows[r].equality);
    m->rows.parameters = m->names;
    m->rows.coefficients = m->coefficients;
    m->rows.equalities = m->equalities;
}

static struct fw_count *count_piece(struct fw_symbolic *symbolic, const struct piece *piece)
{
    struct fw_count *count = NULL;
    struct fw_set *set = NULL;
    struct matrix *matrix = malloc(sizeof(*matrix));
    struct fw_count_options options = {.assumptions = symbolic->assumptions};
    if (!matrix)
        return NULL;
    fill_matrix(symbolic, piece, matrix);
    if (fw_set_from_rows(&set, symbolic->poly, &matrix->rows, NULL) == FW_OK &&
        fw_set_count(&count, set, &options, NULL) != FW_OK)
        count = NULL;
    fw_set_free(set);
    free(matrix);
    return count;
}

const struct fw_count *fw_symbolic_domain(struct fw_symbolic *symbolic, uint32_t domain)
{
    enum { MOST_SYMBOLIC_PIECES = 24 };
    struct domain_count *memo = &symbolic->domains[domain];
    struct fw_count *parts[MOST_SYMBOLIC_PIECES];
    int64_t ones[MOST_SYMBOLIC_PIECES];
    size_t count = 0;
    bool whole = true;
    if (memo->done)
        return memo->count;
    memo->done = true;
    const struct piece_list *pieces = bound_pieces(symbolic->bound, domain);
    whole = pieces->count <= MOST_SYMBOLIC_PIECES && !symbolic->bound->domains[domain].failed;
    for (uint32_t p = 0; p < pieces->count && whole; p++) {
        whole = pieces->at[p]->weight == 1 && !pieces->at[p]->estimate;
        parts[count] = whole ? count_piece(symbolic, pieces->at[p]) : NULL;
        whole = whole && parts[count];
        ones[count] = 1;
        count += whole;
    }
    if (whole && fw_count_add(&memo->count, (const struct fw_count *const *)parts, ones, count))
        memo->count = NULL;
    for (size_t p = 0; p < count; p++)
        fw_count_free(parts[p]);
    return memo->count;
}

/* Rows over the same domains with the same factors have the same text. */
static const char *find_text(const struct fw_symbolic *symbolic, const struct fw_tally_row *row,
                             bool *found)
{
    for (size_t t = 0; t < symbolic->text_count; t++) {
        const struct fw_tally_row *old = symbolic->texts[t].row;
        size_t size = row->term_count * sizeof(uint32_t);
        *found = old->term_count == row->term_count &&
                 (!size || (memcmp(old->domains, row->domains, size) == 0 &&
                            memcmp(old->times, row->times, size) == 0));
        if (*found)
            return symbolic->texts[t].text;
    }
    *found = false;
    return NULL;
}

const char *fw_symbolic_row(struct fw_symbolic *symbolic, const struct fw_tally_row *row,
                            struct fw_arena *arena)
{
    enum { MOST_TERMS = 64 };
    const struct fw_count *parts[MOST_TERMS];
    int64_t times[MOST_TERMS];
    struct fw_count *sum = NULL;
    char *text = NULL;
    bool found, whole = row->term_count <= MOST_TERMS;
    const char *known = find_text(symbolic, row, &found);
    if (found)
        return known ? fw_arena_text(arena, known, strlen(known)) : NULL;
    for (uint32_t t = 0; t < row->term_count && whole; t++) {
        parts[t] = fw_symbolic_domain(symbolic, row->domains[t]);
        times[t] = row->times[t];
        whole = parts[t] != NULL;
    }
    if (whole && fw_count_add(&sum, parts, times, row->term_count) == FW_OK &&
        fw_count_print(&text, sum, symbolic->poly, symbolic->arena) != FW_OK)
        text = NULL;
    fw_count_free(sum);
    if (symbolic->text_count == symbolic->text_capacity)
        symbolic->texts = fw_arena_grow(symbolic->arena, symbolic->texts, &symbolic->text_capacity,
                                        sizeof(*symbolic->texts));
    symbolic->texts[symbolic->text_count++] = (struct row_text){row, text};
    return text ? fw_arena_text(arena, text, strlen(text)) : NULL;
}

const char *fw_symbolic_assumptions(const struct fw_symbolic *symbolic)
{
    return symbolic->assumption_text;
}
