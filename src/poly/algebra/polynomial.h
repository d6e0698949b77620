/* Sparse polynomials over columns (line.h) with rational coefficients: integers over one positive
 * denominator.  Immutable; in the work's arena.
 *
 * A monomial is the multiset of its columns, up to 10 of them, sorted in one 128-bit word of
 * 12-bit fields: the greatest column in the most significant one.  Higher degrees are past the
 * budget. */
#ifndef FW_POLYNOMIAL_H
#define FW_POLYNOMIAL_H

#include "line.h"

__extension__ typedef unsigned __int128 monomial;

enum { MONOMIAL_FIELD = 12, DEGREE_MOST = 10 };

struct term {
    monomial columns;
    integer coefficient; /* not zero */
};

struct polynomial {
    uint64_t mask; /* bit c: column c occurs, for c below 64 */
    integer denominator;
    uint32_t count;
    struct term terms[]; /* by rising monomial */
};

/* The constant numerator / denominator (the latter positive). */
struct polynomial *fw_polynomial_constant(struct work *work, integer numerator,
                                          integer denominator);

/* The sum of terms in any order, equal monomials among them, over a positive denominator. */
struct polynomial *fw_polynomial_of_terms(struct work *work, const struct term *terms,
                                          uint32_t count, integer denominator);

/* (line) / denominator. */
struct polynomial *fw_polynomial_line(struct work *work, const struct line *line,
                                      integer denominator);

/* Sum and product; both operands stay. */
struct polynomial *fw_polynomial_add(struct work *work, const struct polynomial *a,
                                     const struct polynomial *b);
struct polynomial *fw_polynomial_multiply(struct work *work, const struct polynomial *a,
                                          const struct polynomial *b);

/* a * numerator / denominator (the latter positive). */
struct polynomial *fw_polynomial_scale(struct work *work, const struct polynomial *a,
                                       integer numerator, integer denominator);

/* a with column := value. */
struct polynomial *fw_polynomial_substitute(struct work *work, const struct polynomial *a,
                                            unsigned column, const struct polynomial *value);

/* a with every column^power := value, until no such power is left; value has lower powers. */
struct polynomial *fw_polynomial_reduce_power(struct work *work, struct polynomial *a,
                                              unsigned column, unsigned power,
                                              const struct polynomial *value);

/* The sum of a over column from `low` to `high`, both included: exact wherever
 * high >= low - 1 (Faulhaber's formula). */
struct polynomial *fw_polynomial_sum(struct work *work, const struct polynomial *a, unsigned column,
                                     const struct polynomial *low, const struct polynomial *high);

/* a with other columns: map[c] is where column c goes; copies big numbers into the work's arena. */
struct polynomial *fw_polynomial_map(struct work *work, const struct polynomial *a,
                                     const uint16_t *map);

bool fw_polynomial_equal(struct work *work, const struct polynomial *a, const struct polynomial *b);

/* How often `column` occurs in a monomial. */
unsigned fw_monomial_power(monomial columns, unsigned column);

/* Whether a column occurs anywhere in the polynomial. */
bool fw_polynomial_has(const struct polynomial *a, unsigned column);

/* The columns of a monomial from the least up; how many. */
unsigned fw_monomial_columns(monomial columns, uint16_t list[DEGREE_MOST]);

/* As a person orders terms, for qsort: by falling degree, then by the first column's falling power.
 */
int fw_term_compare(const void *left, const void *right);

/* The product of two monomials. */
monomial fw_monomial_multiply(struct work *work, monomial a, monomial b);

static inline unsigned monomial_first(monomial columns)
{
    return (unsigned)(columns >> (128 - MONOMIAL_FIELD));
}

static inline monomial monomial_of(unsigned column)
{
    return (monomial)column << (128 - MONOMIAL_FIELD);
}

/* All columns but the first. */
static inline monomial monomial_rest(monomial columns)
{
    return columns << MONOMIAL_FIELD;
}

static inline bool polynomial_is_zero(const struct polynomial *a)
{
    return a->count == 0;
}

#endif
