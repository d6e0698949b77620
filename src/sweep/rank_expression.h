/* Expressions over what varies: "TILE*ROWS <= 1024", "ceil(n/TILE)", "TILE".
 *
 * Whole numbers (K, M and G behind them allowed), names, + - * / %, comparisons, && || !, brackets,
 * ceil(a), floor(a), min(a, b, ...) and max(a, b, ...).  A quotient is exact, not rounded:
 * ceil(n/TILE) is what it says, and n/TILE alone is a whole number only where TILE divides n.
 * Conditions are 1 or 0.  Values that leave 64 bits are refused. */
#ifndef FW_RANK_EXPRESSION_H
#define FW_RANK_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* over / under, in lowest terms; under > 0. */
struct rank_number {
    int64_t over, under;
};

enum { RANK_PROBLEM_LENGTH = 200 };

/* What is wrong with an expression: a sentence, and the byte of the text at which. */
struct rank_problem {
    char text[RANK_PROBLEM_LENGTH];
    size_t at;
};

/* Whether a name (`length` bytes) has a value; what is wrong goes into the problem's text. */
typedef bool rank_lookup(void *user, struct rank_number *value, const char *name, size_t length,
                         struct rank_problem *problem);

/* The value of all of the `length` bytes of a text; false, and a problem: it has none. */
bool rank_expression(struct rank_number *value, const char *text, size_t length,
                     rank_lookup *lookup, void *user, struct rank_problem *problem);

#endif
