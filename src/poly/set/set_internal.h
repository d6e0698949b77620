/* Sets as isl has them: what the files of this room share. */
#ifndef FW_SET_INTERNAL_H
#define FW_SET_INTERNAL_H

#include "domain.h"
#include "workplace.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/polynomial.h>
#include <isl/set.h>

struct fw_set {
    struct fw_poly *poly;
    isl_set *set;
};

/* A handle for a set, which is taken, and freed when there is no memory. */
enum fw_status fw_set_of_isl(struct fw_set **set, struct fw_poly *poly, isl_set *taken);

enum text_kind { TEXT_SET, TEXT_MAP, TEXT_SUM };

/* What was read: one of them. */
struct isl_read {
    isl_set *set;
    isl_map *map;
    isl_pw_qpolynomial *sum;
};

enum fw_status fw_isl_read(struct isl_read *read, struct fw_poly *poly,
                           const struct fw_source *source, enum text_kind kind,
                           const struct fw_sink *sink);
void fw_isl_read_free(struct isl_read *read);

/* A set from a text in the form in which this program writes them; NULL: the text has another, and
 * isl is to read it.  Scratch is the work's arena. */
isl_set *fw_isl_set_of_text(struct fw_poly *poly, const char *text);

/* Forgets isl's last error and starts its budget of operations anew. */
void fw_isl_begin(struct fw_poly *poly);
/* The same for making loops of sets, which may take more. */
void fw_isl_begin_build(struct fw_poly *poly);

/* The status that fits isl's last error, and the same with a diagnostic about `what`. */
enum fw_status fw_isl_status(struct fw_poly *poly);
enum fw_status fw_isl_failed(struct fw_poly *poly, const struct fw_sink *sink, struct fw_span span,
                             const char *what);

/* isl_set_coalesce where it can be trusted: isl 0.25 joins { [i] : i even, 0 <= i <= n } and
 * { [i] : 0 <= i <= 1 } to a set with too many points, so a set with divs stays as it is. */
isl_set *fw_isl_coalesce(isl_set *set);

/* Takes the parts of a domain out of isl's hands into lines of the work: `weights[i]`, or 1 when
 * `weights` is NULL, is summed over `sets[i]`; all have the same parameters.  Floors, those of the
 * weights included, become variables.  FW_ERROR_INPUT: isl's error says what. */
enum fw_status fw_domain_extract(struct domain *domain, struct work *work, isl_set *const *sets,
                                 isl_qpolynomial *const *weights, uint32_t count);

/* The lines of a set of parameter values, its floors as floors of the summation; errors as above.
 */
enum fw_status fw_context_extract(struct summation *summation, isl_set *assumptions);

#endif
