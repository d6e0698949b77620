/* What the simplification rules of operations and of conditions share. */
#ifndef FW_EXPRESSION_RULES_H
#define FW_EXPRESSION_RULES_H

#include "expression.h"

/* The sum of a's terms whose coefficients `divisor` divides (quotient, divided by it) and the rest.
 * The constant is divided with floor. */
void expression_split_multiples(struct fw_pool *pool, fw_expression a, int64_t divisor,
                                fw_expression *quotient, fw_expression *rest);

/* The greatest common divisor of the coefficients, the constant's left out unless `all`. */
int64_t expression_content(const struct fw_pool *pool, fw_expression a, bool all);

/* Whether a is at least 0 in every thread and iteration; false: it may not be. */
bool expression_nonnegative(struct fw_pool *pool, fw_expression a);

/* The least and the greatest value of such a flag; false: it is none. */
bool expression_choice_range(struct fw_pool *pool, fw_expression a, int64_t *low, int64_t *high);

#endif
