/* Integer sets, in isl's hands.
 *
 * Takes sets as text in isl's notation ("[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }") or as
 * rows of integers, with unions, existentials, floors and any number of parameters.  Gives handles:
 * count.h counts them, set_text.h answers questions about them, ast.h makes loops of them.  Nothing
 * here prints or aborts, and no isl type is seen outside src/poly/set.
 *
 * A struct fw_poly is one thread's workplace (isl's context and scratch); sets belong to the
 * workplace that they were made in and must be freed before it.
 *
 * Diagnostics: SET001 syntax, SET002 not a set (or not a quasi-polynomial), SET003 unbounded,
 * SET004 numbers too large, SET005 the budget does not suffice even to keep the set, SET006 too
 * many dimensions or parameters, SET007 two sets that do not fit together. */
#ifndef FW_SET_H
#define FW_SET_H

#include "diagnostic.h"
#include "status.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_poly;
struct fw_set;

/* A workplace; NULL without memory. */
FW_GIVE struct fw_poly *fw_poly_new(void);
void fw_poly_free(FW_TAKE struct fw_poly *poly);

/* Reads a set (or a set of parameter values, "[n] -> { : n > 0 }") in isl's notation.  `source` is
 * only looked at during the call.  FW_ERROR_INPUT with a diagnostic at the place in the text. */
enum fw_status fw_set_read(FW_GIVE struct fw_set **set, FW_KEEP struct fw_poly *poly,
                           const struct fw_source *source, const struct fw_sink *sink);

/* A conjunction of integer rows.  Each row has 1 + parameters + dimensions + existentials
 * coefficients in that order (the constant first) and says that their sum is >= 0, or == 0 when its
 * entry of `equalities` is true (NULL: none is).  Existentials are projected out: a footprint is a
 * set over the accessed elements with the iterations as existentials. */
struct fw_set_rows {
    const char *const *parameters; /* their names, different from each other */
    uint32_t parameter_count;
    uint32_t dimensions;
    uint32_t existentials;
    uint32_t row_count;
    const int64_t *coefficients; /* row after row */
    const bool *equalities;
};
enum fw_status fw_set_from_rows(FW_GIVE struct fw_set **set, FW_KEEP struct fw_poly *poly,
                                const struct fw_set_rows *rows, const struct fw_sink *sink);

/* The union of two sets of the same number of dimensions; parameters are matched by name.  Both
 * stay the caller's. */
enum fw_status fw_set_unite(FW_GIVE struct fw_set **set, const struct fw_set *a,
                            const struct fw_set *b, const struct fw_sink *sink);

/* The image of a domain under a relation in isl's notation ("{ [i, j] -> [i + j] }"): the
 * footprint of an access.  Unite the images for a footprint of several. */
enum fw_status fw_set_image(FW_GIVE struct fw_set **image, const struct fw_set *domain,
                            const struct fw_source *relation, const struct fw_sink *sink);

void fw_set_free(FW_TAKE struct fw_set *set);

#endif
