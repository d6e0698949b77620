/* Pieces: sets with weights, taken out of isl's hands into lines.
 *
 * Takes sets (or a piecewise quasi-polynomial as text) and what is assumed of their parameters;
 * gives domains and contexts for a summation, and says in isl's notation what regions of parameter
 * space come down to.  For the rooms that count and write formulas: no isl type is seen here, and
 * nothing unwinds but through the work that is named. */
#ifndef FW_PIECES_H
#define FW_PIECES_H

#include "domain.h"
#include "workplace.h"

/* What is to be summed over: isl's objects, all over the same parameters. */
struct fw_pieces;

/* One set, each of its points weighing 1.  `assumptions` (NULL: none) is only looked at during the
 * call. */
enum fw_status fw_pieces_of_set(FW_GIVE struct fw_pieces **pieces, const struct fw_set *set,
                                const struct fw_set *assumptions, const struct fw_sink *sink);

/* A piecewise quasi-polynomial in isl's notation. */
enum fw_status fw_pieces_read(FW_GIVE struct fw_pieces **pieces, struct fw_poly *poly,
                              const struct fw_source *source, const struct fw_set *assumptions,
                              const struct fw_sink *sink);

void fw_pieces_free(FW_TAKE struct fw_pieces *pieces);

/* The parameters' names, which live as long as isl's context: how many; past `most` none is told.
 */
unsigned fw_pieces_parameters(const struct fw_pieces *pieces, const char **names, unsigned most);

/* The workplace that they are counted in: the set's own. */
struct fw_poly *fw_pieces_workplace(const struct fw_pieces *pieces);

/* How many sets there are. */
uint32_t fw_pieces_count(const struct fw_pieces *pieces);

/* The pieces as lines in the workplace's scratch, which begins anew.  Floors, those of the weights
 * included, become variables.  FW_ERROR_INPUT: a diagnostic says what isl says. */
enum fw_status fw_pieces_extract(struct domain *domain, const struct fw_pieces *pieces,
                                 const struct fw_sink *sink);

/* The pieces' assumptions as the summation's context; without assumptions nothing is done.  Floors
 * become floors of the summation.  Unwinds through the summation's work. */
enum fw_status fw_pieces_context(struct summation *summation, const struct fw_pieces *pieces);

/* The assumptions in isl's notation, to be freed; NULL: none. */
char *fw_pieces_assumptions(const struct fw_pieces *pieces);

/* Assumptions over `parameters`, of which the summation has as many, as its context.  What cannot
 * be done within the work's budget is FW_ERROR_BUDGET: nothing unwinds. */
enum fw_status fw_assumptions_context(struct summation *summation, const struct fw_set *assumptions,
                                      const char *const *parameters);

/* ---- regions of parameter space ---- */

/* What is known of the parameters, "[n] -> { : n > 0 }", from a text that isl has written.  Isl's
 * budget begins anew. */
enum fw_status fw_known_read(FW_GIVE struct fw_set **known, struct fw_poly *poly, const char *text);

/* The same as the context of a summation over the same parameters in the same order.  Unwinds
 * through the summation's work. */
enum fw_status fw_known_context(struct summation *summation, const struct fw_set *known);

/* A region, "[n] -> { : n >= 0 and 2n >= 5 }", as simple as isl makes it where `known` (NULL:
 * nothing) holds: "n >= 3", to be freed; NULL: everywhere.  `*empty`: no parameters are in it. */
enum fw_status fw_region_simplify(char **condition, bool *empty, struct fw_poly *poly,
                                  const char *region, const struct fw_set *known);

#endif
