/* Questions about sets that are given as text in isl's notation: whether they are empty, what
 * values they have, what they say as simply as isl can.
 *
 * Takes texts that were made from checked parts: a text that is no set is FW_ERROR_INPUT without a
 * diagnostic.  Gives answers, in the caller's arena where they are text. */
#ifndef FW_SET_TEXT_H
#define FW_SET_TEXT_H

#include "arena.h"
#include "set.h"

/* How many operations of isl the questions since the last call of this took, of any kind; one
 * question may take 200,000. */
uint64_t fw_set_text_spent(FW_KEEP struct fw_poly *poly);

/* Whether the set has no points for any parameters.  What cannot be answered within the budget is
 * answered by FW_ERROR_BUDGET. */
enum fw_status fw_set_text_empty(bool *empty, FW_KEEP struct fw_poly *poly, const char *text);

/* The constant range of a one-dimensional set over all parameters; INT64_MIN and INT64_MAX where it
 * has no such bound.  `*bounded` false: one of them is missing, or the set is empty. */
enum fw_status fw_set_text_range(int64_t *least, int64_t *greatest, bool *bounded,
                                 FW_KEEP struct fw_poly *poly, const char *text);

/* Whether a is a subset of b. */
enum fw_status fw_set_text_subset(bool *subset, FW_KEEP struct fw_poly *poly, const char *a,
                                  const char *b);

/* The set's condition as simple as isl makes it, knowing `context` (parameters; NULL: nothing):
 * "0 <= i < n"; quantified names are e0, e1, ...  `*convex`: it is a set of inequalities without
 * unions and holes. */
enum fw_status fw_set_text_simplify(char **condition, bool *convex, FW_KEEP struct fw_poly *poly,
                                    struct fw_arena *arena, const char *text, const char *context);

/* One parameter point at which the set is not empty, as "n = 3, m = 0"; NULL: it is empty. */
enum fw_status fw_set_text_witness(char **parameters, FW_KEEP struct fw_poly *poly,
                                   struct fw_arena *arena, const char *text);

#endif
