/* Symbolic counts: a piece as rows of integers. */
#include "symbolic_internal.h"

#include <string.h>

static void add_row(struct matrix *m, const struct fw_piece *piece, const struct fw_linear *form,
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

static void add_bound(struct matrix *m, const struct fw_piece *piece, uint32_t v, bool upper)
{
    struct fw_linear form = {.constant = upper ? piece->high[v] : -piece->low[v]};
    form.coefficient[v] = upper ? -1 : 1;
    add_row(m, piece, &form, false);
}

static bool is_launch_variable(const struct fw_piece *piece, uint32_t v)
{
    for (uint32_t d = 0; d < 6; d++)
        if (piece->launch_variable[d] == (int8_t)v)
            return true;
    return false;
}

/* The name of a symbol; that of a product is made at its first use. */
static const char *name_of(struct fw_symbolic *symbolic, uint32_t symbol)
{
    const char **name = &symbolic->names[symbol];
    if (*name || symbol < symbolic->own_count)
        return *name;
    uint32_t count;
    const struct fw_symbol_product *product =
        &fw_bound_products(symbolic->bound, &count)[symbol - symbolic->own_count];
    const char *first = symbolic->names[product->first], *second = symbolic->names[product->second];
    uint32_t a = symbolic_given(symbolic, first), b = symbolic_given(symbolic, second);
    const char *made = fw_arena_printf(symbolic->arena, "%s_times_%s", first, second);
    if (a == FW_NONE || b == FW_NONE ||
        fw_formulas_define_product(symbolic->formulas, made, a, b) != FW_OK)
        return NULL;
    fw_buffer_printf(&symbolic->assumed_names, ", %s", made);
    fw_buffer_printf(&symbolic->assumed_rows, " and %s >= 0", made);
    symbolic_assume(symbolic);
    return *name = made;
}

static bool fill_matrix(struct fw_symbolic *symbolic, const struct fw_piece *piece,
                        struct matrix *m)
{
    memset(&m->rows, 0, sizeof(m->rows));
    memset(m->dead, 0, sizeof(m->dead));
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->symbol[v] != FW_NONE) {
            m->place[v] = m->rows.parameter_count;
            m->symbol[m->rows.parameter_count] = piece->symbol[v];
            m->names[m->rows.parameter_count] = name_of(symbolic, piece->symbol[v]);
            if (!m->names[m->rows.parameter_count++])
                return false;
        }
    m->spare = m->rows.parameter_count;
    for (uint32_t i = 0; i < SPARE_SYMBOLS; i++)
        m->names[m->rows.parameter_count++] = NULL;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->symbol[v] == FW_NONE && !piece->fixed[v])
            m->place[v] = m->rows.parameter_count + m->rows.dimensions++;
    for (uint32_t v = 0; v < piece->variables; v++) {
        if (piece->symbol[v] != FW_NONE || piece->fixed[v] || piece->quotient[v] ||
            piece->times_loop[v] != FW_NONE)
            continue;
        uint32_t d = 0;
        while (d < 3 && piece->launch_variable[d] != (int8_t)v)
            d++;
        bool unstated = d < 3 && symbolic->launch->grid[d] == 0;
        add_bound(m, piece, v, false);
        if (is_launch_variable(piece, v) && !unstated)
            add_bound(m, piece, v, true);
    }
    m->piece_row = m->rows.row_count;
    for (uint32_t r = 0; r < piece->row_count; r++)
        add_row(m, piece, &piece->rows[r].form, piece->rows[r].equality);
    m->rows.parameters = m->names;
    m->rows.coefficients = m->coefficients;
    m->rows.equalities = m->equalities;
    return true;
}

static uint32_t width_of(const struct matrix *m)
{
    return 1 + m->rows.parameter_count + m->rows.dimensions;
}

static int64_t *row_at(struct matrix *m, uint32_t r)
{
    return &m->coefficients[r * width_of(m)];
}

static void drop_row(struct matrix *m, uint32_t r)
{
    uint32_t last = --m->rows.row_count;
    if (r != last)
        memcpy(row_at(m, r), row_at(m, last), width_of(m) * sizeof(int64_t));
    m->equalities[r] = m->equalities[last];
}

/* ---- block and thread as one index ---- */

/* The only dimension of a row; FW_NONE: none, or several. */
static uint32_t only_dimension(struct matrix *m, uint32_t r)
{
    const int64_t *row = row_at(m, r);
    uint32_t found = FW_NONE;
    for (uint32_t c = 1 + m->rows.parameter_count; c < width_of(m); c++)
        if (row[c]) {
            if (found != FW_NONE)
                return FW_NONE;
            found = c;
        }
    return found;
}

static bool has_symbols(struct matrix *m, uint32_t r)
{
    const int64_t *row = row_at(m, r);
    for (uint32_t p = 0; p < m->rows.parameter_count; p++)
        if (row[1 + p])
            return true;
    return false;
}

/* Whether every row has the block and the thread in the ratio size : 1, or bounds one of them: the
 * thread by 0 and size - 1 alone. */
static bool stand_together(struct matrix *m, uint32_t block, uint32_t thread, int64_t size)
{
    for (uint32_t r = 0; r < m->rows.row_count; r++) {
        const int64_t *row = row_at(m, r);
        uint32_t only = only_dimension(m, r);
        if (!row[block] && !row[thread])
            continue;
        if (row[block] == size * row[thread])
            continue;
        bool plain_thread =
            only == thread && !m->equalities[r] && !has_symbols(m, r) &&
            ((row[thread] == 1 && row[0] == 0) || (row[thread] == -1 && row[0] == size - 1));
        bool plain_block =
            only == block && !m->equalities[r] && (row[block] == 1 || row[block] == -1);
        if (!plain_thread && !plain_block)
            return false;
    }
    return true;
}

/* size * block + thread as one dimension, in the thread's place. */
static void join_indices(struct matrix *m, uint32_t block, uint32_t thread, int64_t size)
{
    for (uint32_t r = m->rows.row_count; r-- > 0;) {
        int64_t *row = row_at(m, r);
        uint32_t only = only_dimension(m, r);
        if (only == thread) {
            drop_row(m, r);
        } else if (only == block) {
            /* block >= -s: index >= -size * s; block <= s: index <= size * s + size - 1. */
            for (uint32_t p = 0; p <= m->rows.parameter_count; p++)
                row[p] *= size;
            row[0] += row[block] < 0 ? size - 1 : 0;
            row[thread] = row[block];
            row[block] = 0;
        } else {
            row[block] = 0;
        }
    }
    m->dead[block - 1 - m->rows.parameter_count] = true;
}

/* A floor of the index whose block part was taken out, floor(thread / m) beside (size / m) * block,
 * is put back: floor := floor - (size / m) * block in all rows. */
static void put_back_blocks(struct matrix *m, const struct fw_piece *piece, uint32_t block,
                            uint32_t thread, int64_t size)
{
    for (uint32_t r = 0; r + 1 < piece->row_count; r++) {
        uint32_t v = piece->variables;
        if (!piece->rows[r].definition)
            continue;
        while (v > 0 && !piece->rows[r].form.coefficient[v - 1])
            v--;
        const int64_t *row = row_at(m, m->piece_row + r++); /* of the pair of rows */
        if (!v || !piece->quotient[v - 1] || piece->fixed[v - 1])
            continue;
        uint32_t quotient = 1 + m->place[v - 1];
        int64_t modulus = -row[quotient], missing = size * row[thread] - row[block];
        if (modulus <= 0 || !missing || missing % modulus)
            continue;
        int64_t step = missing / modulus;
        for (uint32_t k = 0; k < m->rows.row_count; k++)
            row_at(m, k)[block] -= step * row_at(m, k)[quotient];
    }
}

static void join_all_indices(const struct fw_symbolic *symbolic, const struct fw_piece *piece,
                             struct matrix *m)
{
    bool together[3] = {false, false, false};
    int64_t *copy = symbolic->spare_rows;
    for (uint32_t d = 0; d < 3; d++) {
        int8_t block = piece->launch_variable[d], thread = piece->launch_variable[3 + d];
        int64_t size = symbolic->launch->block[d];
        if (block < 0 || thread < 0 || piece->fixed[block] || piece->fixed[thread])
            continue;
        uint32_t block_column = 1 + m->place[block], thread_column = 1 + m->place[thread];
        if (!stand_together(m, block_column, thread_column, size)) {
            memcpy(copy, m->coefficients, sizeof(m->coefficients));
            put_back_blocks(m, piece, block_column, thread_column, size);
            if (!stand_together(m, block_column, thread_column, size)) {
                memcpy(m->coefficients, copy, sizeof(m->coefficients));
                continue;
            }
        }
        together[d] = true;
    }
    /* Joining drops rows, so that the piece's rows have their places no more. */
    for (uint32_t d = 0; d < 3; d++)
        if (together[d])
            join_indices(m, 1 + m->place[piece->launch_variable[d]],
                         1 + m->place[piece->launch_variable[3 + d]], symbolic->launch->block[d]);
}

/* ---- bounds by a minimum ---- */

static bool same_dimensions(struct matrix *m, uint32_t a, uint32_t b)
{
    uint32_t first = 1 + m->rows.parameter_count;
    return !m->equalities[a] && !m->equalities[b] &&
           memcmp(row_at(m, a) + first, row_at(m, b) + first,
                  m->rows.dimensions * sizeof(int64_t)) == 0;
}

static bool has_dimensions(struct matrix *m, uint32_t r)
{
    const int64_t *row = row_at(m, r);
    for (uint32_t c = 1 + m->rows.parameter_count; c < width_of(m); c++)
        if (row[c])
            return true;
    return false;
}

/* A side grows with some symbol, or has none. */
static bool can_be_side(struct matrix *m, uint32_t r)
{
    const int64_t *row = row_at(m, r);
    bool grows = false;
    for (uint32_t p = 0; p < m->spare; p++)
        grows = grows || row[1 + p] > 0;
    return grows || !has_symbols(m, r);
}

uint32_t symbolic_given(const struct fw_symbolic *symbolic, const char *name)
{
    for (uint32_t g = 0; g < symbolic->given_count; g++)
        if (strcmp(symbolic->given[g], name) == 0)
            return g;
    return FW_NONE;
}

/* A row's symbols and constant, over the formulas' parameters; NULL: it has others. */
static int64_t *side_of(const struct fw_symbolic *symbolic, struct matrix *m, uint32_t r,
                        int64_t amount)
{
    int64_t *side = FW_ARRAY(symbolic->arena, int64_t, symbolic->given_count + 1);
    const int64_t *row = row_at(m, r);
    side[0] = row[0] - amount;
    for (uint32_t p = 0; p < m->rows.parameter_count; p++) {
        if (!row[1 + p])
            continue;
        uint32_t g = m->names[p] ? symbolic_given(symbolic, m->names[p]) : FW_NONE;
        if (g == FW_NONE)
            return NULL;
        side[1 + g] = row[1 + p];
    }
    return side;
}

static int compare_sides(const struct fw_symbolic *symbolic, const int64_t *a, const int64_t *b)
{
    for (uint32_t g = 1; g <= symbolic->given_count; g++)
        if (a[g] != b[g])
            return a[g] > b[g] ? -1 : 1; /* arguments before grid sizes before constants */
    return (a[0] > b[0]) - (a[0] < b[0]);
}

static void assume_minimum(struct fw_symbolic *symbolic, const struct minimum_symbol *minimum)
{
    struct fw_buffer *rows = &symbolic->assumed_rows;
    bool never = true;
    fw_buffer_printf(&symbolic->assumed_names, symbolic->assumed_names.length ? ", %s" : "%s",
                     minimum->name);
    for (uint32_t i = 0; i < minimum->side_count; i++) {
        fw_buffer_printf(rows, rows->length ? " and %s <= " : "%s <= ", minimum->name);
        fw_buffer_printf(rows, "%lld", (long long)minimum->sides[i][0]);
        never = never && minimum->sides[i][0] >= 0;
        for (uint32_t g = 0; g < symbolic->given_count; g++) {
            int64_t factor = minimum->sides[i][1 + g];
            never = never && factor >= 0;
            if (factor)
                fw_buffer_printf(rows, " + %lld %s", (long long)factor, symbolic->given[g]);
        }
    }
    if (never)
        fw_buffer_printf(rows, " and %s >= 0", minimum->name);
    symbolic_assume(symbolic);
}

/* Whether a minimum makes fewer symbols: one side is about the grid's size, the other is not. */
static bool is_worth_it(const struct fw_symbolic *symbolic, const int64_t *const *sides)
{
    uint32_t arguments = symbolic->given_count;
    while (arguments > 0 && strncmp(symbolic->given[arguments - 1], "gridDim_", 8) == 0)
        arguments--;
    uint32_t of_grid[2] = {0, 0}, of_arguments[2] = {0, 0};
    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t g = 0; g < symbolic->given_count; g++)
            if (sides[s][1 + g])
                ++*(g < arguments ? &of_arguments[s] : &of_grid[s]);
    /* Sides are in order: arguments before the grid. */
    return of_arguments[0] && !of_grid[0] && of_grid[1] == 1 && !of_arguments[1];
}

/* The symbol of a minimum of sides in order, made when it is new; FW_NONE: there is no room. */
static uint32_t minimum_of(struct fw_symbolic *symbolic, const int64_t **sides, uint32_t count)
{
    for (uint32_t i = 0; i < symbolic->minima.count; i++) {
        const struct minimum_symbol *old = &symbolic->minima.at[i];
        uint32_t same = 0;
        while (same < count && old->side_count == count &&
               compare_sides(symbolic, old->sides[same], sides[same]) == 0)
            same++;
        if (same == count)
            return i;
    }
    uint32_t index = (uint32_t)symbolic->minima.count;
    struct minimum_symbol minimum = {.name = fw_arena_printf(symbolic->arena, "minimum__%u", index),
                                     .side_count = count};
    for (uint32_t i = 0; i < count; i++)
        minimum.sides[i] = sides[i];
    if (fw_formulas_define_minimum(symbolic->formulas, minimum.name, sides, count) != FW_OK)
        return FW_NONE;
    *FW_APPEND(symbolic->arena, &symbolic->minima) = minimum;
    assume_minimum(symbolic, &minimum);
    return index;
}

/* Rows in order of their sides; those with equal symbols are one, the tightest. */
static uint32_t sort_sides(struct fw_symbolic *symbolic, struct matrix *m, const uint32_t *rows,
                           uint32_t count, const int64_t **sides)
{
    int64_t amount = INT64_MIN;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (has_symbols(m, rows[i]) && row_at(m, rows[i])[0] > amount)
            amount = row_at(m, rows[i])[0];
    for (uint32_t i = 0; i < count; i++) {
        const int64_t *side = side_of(symbolic, m, rows[i], amount);
        if (!side)
            return 0;
        uint32_t at = kept;
        for (uint32_t k = 0; k < kept; k++)
            if (memcmp(side + 1, sides[k] + 1, symbolic->given_count * sizeof(int64_t)) == 0)
                at = k;
        if (at < kept) {
            sides[at] = side[0] < sides[at][0] ? side : sides[at];
            continue;
        }
        if (kept == 4)
            return 0;
        for (; at > 0 && compare_sides(symbolic, sides[at - 1], side) > 0; at--)
            sides[at] = sides[at - 1];
        sides[at] = side;
        kept++;
    }
    return kept;
}

/* Makes the rows from r on that bound what r bounds one row; whether it did. */
static bool bound_by_minimum(struct fw_symbolic *symbolic, struct matrix *m, uint32_t r)
{
    uint32_t rows[8], count = 0;
    const int64_t *sides[4];
    int64_t amount = INT64_MIN;
    for (uint32_t i = r; i < m->rows.row_count && count < 8; i++)
        if (same_dimensions(m, r, i)) {
            if (!can_be_side(m, i))
                return false;
            rows[count++] = i;
            if (has_symbols(m, i) && row_at(m, i)[0] > amount)
                amount = row_at(m, i)[0];
        }
    uint32_t side_count =
        count > 1 && amount > INT64_MIN ? sort_sides(symbolic, m, rows, count, sides) : 0;
    if (side_count != 2 || !is_worth_it(symbolic, sides) || m->spare == m->rows.parameter_count)
        return false;
    uint32_t index = minimum_of(symbolic, sides, side_count);
    if (index == FW_NONE)
        return false;
    uint32_t place = 0;
    while (place < m->spare && m->names[place] != symbolic->minima.at[index].name)
        place++;
    if (place == m->spare)
        m->spare++;
    m->names[place] = symbolic->minima.at[index].name;
    m->symbol[place] = symbolic->symbol_count + index;
    while (count > 1)
        drop_row(m, rows[--count]);
    int64_t *row = row_at(m, r);
    memset(row, 0, (1 + m->rows.parameter_count) * sizeof(int64_t));
    row[0] = amount;
    row[1 + place] = 1;
    return true;
}

/* ---- strides over the grid ---- */

static uint32_t column_of_variable(const struct matrix *m, uint32_t v)
{
    return 1 + m->place[v];
}

/* Whether the only rows with a dimension alone are index >= 0 and index <= size * symbol - 1, which
 * are then `lower` and `upper`. */
static bool find_bounds(struct matrix *m, uint32_t index, uint32_t symbol, int64_t size,
                        uint32_t *lower, uint32_t *upper)
{
    *lower = *upper = FW_NONE;
    for (uint32_t r = 0; r < m->rows.row_count; r++) {
        const int64_t *row = row_at(m, r);
        if (only_dimension(m, r) != index || m->equalities[r])
            continue;
        bool symbols = has_symbols(m, r), own = true;
        for (uint32_t p = 0; p < m->rows.parameter_count; p++)
            own = own && (1 + p == symbol || !row[1 + p]);
        if (row[index] == 1 && row[0] == 0 && !symbols)
            *lower = r;
        else if (row[index] == -1 && row[0] == -1 && own && row[symbol] == size)
            *upper = r;
    }
    return *lower != FW_NONE && *upper != FW_NONE;
}

/* A row about the index follows from another with the same and the stride on top. */
static bool is_implied(struct matrix *m, uint32_t r, uint32_t index, uint32_t product, int64_t size)
{
    const int64_t *row = row_at(m, r);
    for (uint32_t k = 0; k < m->rows.row_count; k++) {
        const int64_t *other = row_at(m, k);
        bool same = k != r && !m->equalities[k] && !m->equalities[r] && row[index] < 0 &&
                    other[product] == size * other[index];
        for (uint32_t c = 0; c < width_of(m) && same; c++)
            same = c == product || other[c] == row[c];
        if (same && other[product] < 0)
            return true;
    }
    return false;
}

/* The iteration, counted from its least value, times the symbol: rows that have the iteration
 * itself are those of its bound; false: others have it. */
static bool take_iteration_out(struct matrix *m, const struct fw_piece *piece, uint32_t v,
                               uint32_t product, uint32_t symbol)
{
    uint32_t iteration = column_of_variable(m, v);
    for (uint32_t r = m->rows.row_count; r-- > 0;) {
        const int64_t *row = row_at(m, r);
        if (!row[iteration])
            continue;
        if (only_dimension(m, r) != iteration || row[iteration] != 1 || has_symbols(m, r) ||
            m->equalities[r] || row[0] != -piece->low[v])
            return false;
        drop_row(m, r);
    }
    for (uint32_t r = 0; r < m->rows.row_count; r++)
        row_at(m, r)[symbol] += piece->low[v] * row_at(m, r)[product];
    m->dead[iteration - 1 - m->rows.parameter_count] = true;
    return true;
}

/* index + size * (iteration * symbol), index from 0 to size * symbol - 1: every number from 0 on,
 * once.
 */
static bool join_stride(struct matrix *m, uint32_t index, uint32_t product, uint32_t symbol,
                        int64_t size)
{
    uint32_t lower, upper;
    if (!find_bounds(m, index, symbol, size, &lower, &upper))
        return false;
    for (uint32_t r = 0; r < m->rows.row_count; r++) {
        const int64_t *row = row_at(m, r);
        if (r != lower && r != upper && (row[index] || row[product]) &&
            row[product] != size * row[index] && !is_implied(m, r, index, product, size))
            return false;
    }
    for (uint32_t r = m->rows.row_count; r-- > 0;) {
        int64_t *row = row_at(m, r);
        if (r == upper || (r != lower && row[product] != size * row[index]))
            drop_row(m, r);
    }
    for (uint32_t r = 0; r < m->rows.row_count; r++)
        row_at(m, r)[product] = 0;
    m->dead[product - 1 - m->rows.parameter_count] = true;
    return true;
}

/* Joins each product of an iteration and a grid size with the index that strides by it. */
static bool join_strides(const struct fw_symbolic *symbolic, const struct fw_piece *piece,
                         struct matrix *m)
{
    for (uint32_t p = 0; p < piece->variables; p++) {
        uint32_t v = piece->times_loop[p];
        if (v == FW_NONE)
            continue;
        uint32_t symbol = column_of_variable(m, piece->times_symbol[p]);
        uint32_t product = column_of_variable(m, p);
        uint32_t d = piece->symbol[piece->times_symbol[p]] - symbolic->kernel->parameter_count;
        if (d > 2 || piece->launch_variable[d] < 0 || piece->fixed[v] || piece->closed[v])
            return false;
        int8_t block = piece->launch_variable[d], thread = piece->launch_variable[3 + d];
        uint32_t index = column_of_variable(m, (uint32_t)(thread < 0 ? block : thread));
        if (thread >= 0 && !m->dead[m->place[block] - m->rows.parameter_count])
            return false;
        if (!take_iteration_out(m, piece, v, product, symbol) ||
            !join_stride(m, index, product, symbol, symbolic->launch->block[d]))
            return false;
    }
    return true;
}

bool symbolic_rows(struct fw_symbolic *symbolic, const struct fw_piece *piece, struct matrix *m)
{
    if (!fill_matrix(symbolic, piece, m))
        return false;
    join_all_indices(symbolic, piece, m);
    if (!join_strides(symbolic, piece, m))
        return false;
    for (uint32_t r = 0; r < m->rows.row_count; r++)
        if (!m->equalities[r] && has_dimensions(m, r))
            bound_by_minimum(symbolic, m, r);
    return true;
}
