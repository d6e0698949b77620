#include "simplex.h"

#include "checked.h"
#include "quotient.h"

#include <string.h>

enum { ROWS = 96, COLUMNS = 48, PIVOTS_MOST = 400, NONE = -1 };

/* A dictionary: denominator[r] * (slack of row r) = constant[r] + sum at[r][c] * (slack of column
 * c), all slacks >= 0, slacks of columns at 0.  Names of slacks are line numbers. */
struct dictionary {
    int rows;
    int columns;
    int pivots;
    bool overflow;
    int row_name[ROWS];
    int column_name[COLUMNS]; /* NONE: an unconstrained column of the system */
    int64_t denominator[ROWS];
    int64_t constant[ROWS];
    int64_t at[ROWS][COLUMNS];
};

/* a * x + b * y, noting overflow. */
static int64_t blend(struct dictionary *d, int64_t a, int64_t x, int64_t b, int64_t y)
{
    int64_t left, right, sum;
    if (fw_multiply_overflows(a, x, &left) || fw_multiply_overflows(b, y, &right) ||
        fw_add_overflows(left, right, &sum) || sum == INT64_MIN) {
        d->overflow = true;
        return 0;
    }
    return sum;
}

/* Divides a row by what all its numbers have in common. */
static void reduce_row(struct dictionary *d, int row)
{
    int64_t divisor = d->denominator[row];
    if (divisor == 1)
        return;
    divisor = fw_common_step(divisor, d->constant[row]);
    for (int column = 0; column < d->columns && divisor != 1; column++)
        if (d->at[row][column])
            divisor = fw_common_step(divisor, d->at[row][column]);
    if (divisor <= 1)
        return;
    d->denominator[row] /= divisor;
    d->constant[row] /= divisor;
    for (int column = 0; column < d->columns; column++)
        d->at[row][column] /= divisor;
}

/* Puts the value of column `pivot_column`, as row `source` has it, into another row. */
static void update_row(struct dictionary *d, int row, int source, int pivot_column)
{
    int64_t factor = d->at[row][pivot_column];
    if (!factor)
        return;
    int64_t scale = d->denominator[source];
    int64_t common = fw_common_step(scale, factor);
    scale /= common;
    factor /= common;
    d->denominator[row] = blend(d, scale, d->denominator[row], 0, 0);
    d->constant[row] = blend(d, scale, d->constant[row], factor, d->constant[source]);
    for (int column = 0; column < d->columns; column++) {
        int64_t old = column == pivot_column ? 0 : d->at[row][column];
        d->at[row][column] = blend(d, scale, old, factor, d->at[source][column]);
    }
    if (!d->overflow)
        reduce_row(d, row);
}

/* Exchanges the slack of a row with that of a column; false on overflow or too many. */
static bool pivot(struct dictionary *d, int row, int column)
{
    int64_t value = d->at[row][column];
    int64_t sign = value < 0 ? -1 : 1;
    if (++d->pivots > PIVOTS_MOST)
        return false;
    d->constant[row] *= -sign;
    for (int other = 0; other < d->columns; other++)
        d->at[row][other] *= -sign;
    d->at[row][column] = sign * d->denominator[row];
    d->denominator[row] = sign * value;
    reduce_row(d, row);
    int name = d->row_name[row];
    d->row_name[row] = d->column_name[column];
    d->column_name[column] = name;
    for (int other = 0; other < d->rows; other++)
        if (other != row)
            update_row(d, other, row, column);
    return !d->overflow;
}

static void drop_row(struct dictionary *d, int row)
{
    int last = --d->rows;
    if (row == last)
        return;
    d->row_name[row] = d->row_name[last];
    d->denominator[row] = d->denominator[last];
    d->constant[row] = d->constant[last];
    memcpy(d->at[row], d->at[last], sizeof(int64_t) * (size_t)d->columns);
}

static void drop_column(struct dictionary *d, int column)
{
    int last = --d->columns;
    d->column_name[column] = d->column_name[last];
    for (int row = 0; row < d->rows; row++)
        d->at[row][column] = d->at[row][last];
}

/* The dictionary's first form: one column for every column that occurs. */
static bool load(struct dictionary *d, struct line *const *const *parts, const uint32_t *counts,
                 int *equalities)
{
    int16_t place[COLUMNS_MOST + 6];
    memset(place, 0xff, sizeof(place));
    d->rows = d->columns = d->pivots = 0;
    d->overflow = false;
    *equalities = 0;
    int name = 0;
    for (int part = 0; part < 2; part++)
        for (uint32_t i = 0; i < counts[part]; i++) {
            const struct line *line = parts[part][i];
            for (unsigned column = 1; column < line->width; column++)
                if (!integer_is_zero(line->at[column]) && place[column] < 0) {
                    if (d->columns == COLUMNS)
                        return false;
                    place[column] = (int16_t)d->columns++;
                }
        }
    for (int pass = 0; pass < 2; pass++, name = 0)
        for (int part = 0; part < 2; part++)
            for (uint32_t i = 0; i < counts[part]; i++, name++) {
                const struct line *line = parts[part][i];
                if (line->equality != (pass == 0))
                    continue;
                if (d->rows == ROWS)
                    return false;
                int row = d->rows++;
                *equalities += line->equality;
                memset(d->at[row], 0, sizeof(int64_t) * (size_t)d->columns);
                d->denominator[row] = 1;
                d->row_name[row] = name;
                for (unsigned column = 0; column < line->width; column++) {
                    if (!integer_is_small(line->at[column]))
                        return false;
                    int64_t value = integer_small(line->at[column]);
                    if (column == 0)
                        d->constant[row] = value;
                    else if (value)
                        d->at[row][place[column]] = value;
                }
            }
    for (int column = 0; column < d->columns; column++)
        d->column_name[column] = NONE;
    return true;
}

/* An unconstrained column with a small coefficient in the row, or NONE. */
static int free_column(const struct dictionary *d, int row)
{
    int best = NONE;
    for (int column = 0; column < d->columns; column++) {
        int64_t value = d->at[row][column];
        if (d->column_name[column] != NONE || !value)
            continue;
        if (best == NONE || (value < 0 ? -value : value) <
                                (d->at[row][best] < 0 ? -d->at[row][best] : d->at[row][best]))
            best = column;
    }
    return best;
}

/* Uses equalities, then inequalities, to express every unconstrained column, and forgets those. */
static enum simplex_answer settle(struct dictionary *d, int equalities, bool *equality_implied)
{
    for (int i = 0, row = 0; i < equalities; i++) {
        int column = free_column(d, row);
        equality_implied[d->row_name[row]] = false;
        if (column == NONE) {
            if (d->constant[row])
                return SIMPLEX_EMPTY;
            equality_implied[d->row_name[row]] = true;
        } else {
            if (!pivot(d, row, column))
                return SIMPLEX_UNKNOWN;
            drop_column(d, column);
        }
        /* The equalities stand first: the next one moves up in order. */
        for (int next = row; next + 1 < d->rows; next++) {
            d->row_name[next] = d->row_name[next + 1];
            d->denominator[next] = d->denominator[next + 1];
            d->constant[next] = d->constant[next + 1];
            memcpy(d->at[next], d->at[next + 1], sizeof(int64_t) * (size_t)d->columns);
        }
        d->rows--;
    }
    for (int row = 0; row < d->rows;) {
        int column = free_column(d, row);
        if (column == NONE) {
            row++;
            continue;
        }
        if (!pivot(d, row, column))
            return SIMPLEX_UNKNOWN;
        drop_row(d, row);
        row = 0;
    }
    return SIMPLEX_FEASIBLE;
}

/* a / b < c / d for positive b and d. */
static bool fraction_less(int64_t a, int64_t b, int64_t c, int64_t d)
{
    __extension__ typedef __int128 wide;
    return (wide)a * d < (wide)c * b;
}

/* The row that is first to reach 0 when the column's slack rises (or falls, direction -1) from 0,
 * `except` one; Bland's rule among equals. */
static int limiting_row(const struct dictionary *d, int column, int except, int direction)
{
    int best = NONE;
    for (int row = 0; row < d->rows; row++) {
        int64_t slope = d->at[row][column] * direction;
        if (slope >= 0 || row == except || d->constant[row] < 0)
            continue;
        if (best != NONE) {
            int64_t best_slope = -d->at[best][column] * direction;
            if (fraction_less(d->constant[best], best_slope, d->constant[row], -slope))
                continue;
            if (!fraction_less(d->constant[row], -slope, d->constant[best], best_slope) &&
                d->row_name[best] < d->row_name[row])
                continue;
        }
        best = row;
    }
    return best;
}

/* The improving column for a row by Bland's rule: positive or negative coefficient. */
static int entering_column(const struct dictionary *d, int row, int direction)
{
    int best = NONE;
    for (int column = 0; column < d->columns; column++)
        if (d->column_name[column] != NONE && d->at[row][column] * direction > 0 &&
            (best == NONE || d->column_name[column] < d->column_name[best]))
            best = column;
    return best;
}

/* Raises a row's slack to at least 0 without making another negative. */
static enum simplex_answer lift(struct dictionary *d, int row)
{
    while (d->constant[row] < 0) {
        int column = entering_column(d, row, 1);
        if (column == NONE)
            return SIMPLEX_EMPTY;
        int limit = limiting_row(d, column, row, 1);
        int64_t slope = d->at[row][column];
        if (limit == NONE ||
            !fraction_less(d->constant[limit], -d->at[limit][column], -d->constant[row], slope))
            limit = row;
        if (!pivot(d, limit, column))
            return SIMPLEX_UNKNOWN;
        if (limit == row)
            break; /* the row's slack has become a column's: 0 */
    }
    return SIMPLEX_FEASIBLE;
}

static enum simplex_answer make_feasible(struct dictionary *d)
{
    for (int row = 0; row < d->rows; row++) {
        enum simplex_answer answer = lift(d, row);
        if (answer != SIMPLEX_FEASIBLE)
            return answer;
    }
    return SIMPLEX_FEASIBLE;
}

static enum simplex_answer prepare(struct dictionary *d, struct line *const *lines, uint32_t count,
                                   struct line *const *context, uint32_t context_count,
                                   bool *equality_implied)
{
    struct line *const *const parts[2] = {lines, context};
    const uint32_t counts[2] = {count, context_count};
    int equalities;
    if (count + context_count > ROWS || !load(d, parts, counts, &equalities))
        return SIMPLEX_UNKNOWN;
    enum simplex_answer answer = settle(d, equalities, equality_implied);
    return answer == SIMPLEX_FEASIBLE ? make_feasible(d) : answer;
}

enum simplex_answer fw_simplex_feasible(struct work *work, struct line *const *lines,
                                        uint32_t count, struct line *const *context,
                                        uint32_t context_count)
{
    struct dictionary d;
    bool equality_implied[ROWS] = {false};
    enum simplex_answer answer =
        prepare(&d, lines, count, context, context_count, equality_implied);
    work_spend(work, 4 + (uint64_t)(answer == SIMPLEX_UNKNOWN ? 0 : d.pivots));
    return answer;
}

/* Whether a row whose slack may be left free (it stands in a row) can be -1 or less: 1 yes,
 * 0 no, NONE unknown.  Its own slack may be negative afterwards. */
static int can_violate(struct dictionary *d, int row)
{
    for (;;) {
        int column = entering_column(d, row, -1);
        if (column == NONE)
            return 0;
        int limit = limiting_row(d, column, row, 1);
        if (limit == NONE)
            return 1;
        /* At the step's end: constant + slope * step <= -denominator? */
        int64_t slope = d->at[row][column];
        int64_t rise;
        if (fw_add_overflows(d->constant[row], d->denominator[row], &rise))
            return NONE;
        if (!fraction_less(d->constant[limit], -d->at[limit][column], rise, -slope))
            return 1;
        if (!pivot(d, limit, column))
            return NONE;
    }
}

/* Whether the line called `name` follows from the others: 1, 0, or NONE when unknown.  The
 * dictionary stays feasible; a line that follows is gone from it. */
static int try_remove(struct dictionary *d, int name)
{
    int row = 0;
    int column = 0;
    while (row < d->rows && d->row_name[row] != name)
        row++;
    if (row == d->rows) {
        while (column < d->columns && d->column_name[column] != name)
            column++;
        if (column == d->columns)
            return 0; /* it stands in no form that can be tested: it expressed a free column */
        row = limiting_row(d, column, NONE, -1);
        if (row == NONE || !fraction_less(d->constant[row], d->at[row][column], 1, 1))
            return 0;
        if (!pivot(d, row, column))
            return NONE;
    }
    int violated = can_violate(d, row);
    if (violated == NONE)
        return NONE;
    if (!violated) {
        drop_row(d, row);
        return 1;
    }
    return lift(d, row) == SIMPLEX_FEASIBLE ? 0 : NONE;
}

/* How much of a line there is: the more, the sooner it should go. */
static unsigned bulk(const struct line *line)
{
    unsigned sum = 0;
    for (unsigned column = 1; column < line->width; column++)
        if (!integer_is_zero(line->at[column]))
            sum += 4 + fw_integer_bits(line->at[column]) + (column > 32);
    return sum;
}

enum simplex_answer fw_simplex_reduce(struct work *work, struct line **lines, uint32_t *count,
                                      struct line *const *context, uint32_t context_count)
{
    struct dictionary d;
    bool gone[ROWS] = {false};
    bool tried[ROWS] = {false};
    enum simplex_answer answer = prepare(&d, lines, *count, context, context_count, gone);
    work_spend(work, 8 + (uint64_t)(answer == SIMPLEX_UNKNOWN ? 0 : d.pivots));
    if (answer != SIMPLEX_FEASIBLE)
        return answer;
    for (uint32_t i = 0; i < *count; i++)
        tried[i] = lines[i]->equality;
    for (uint32_t round = 0; round < *count; round++) {
        int best = NONE;
        unsigned most = 0;
        for (uint32_t i = 0; i < *count; i++)
            if (!tried[i] && bulk(lines[i]) >= most) {
                best = (int)i;
                most = bulk(lines[i]);
            }
        if (best == NONE)
            break;
        tried[best] = true;
        int removed = try_remove(&d, best);
        if (removed == NONE)
            break;
        gone[best] = removed == 1;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (!gone[i])
            lines[kept++] = lines[i];
    *count = kept;
    return SIMPLEX_FEASIBLE;
}
