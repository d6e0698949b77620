/* Points of a domain: which threads run a statement at which iterations.
 *
 * Takes a kernel's domain tree at a bound launch and one point (block, thread, iterations); gives
 * whether the point is in the domain.  Conditions that depend on loaded data count as true.  Never
 * counts: see fw_bound_count. */
#ifndef FW_DOMAIN_POINT_H
#define FW_DOMAIN_POINT_H

#include "launch.h"

/* Whether a point is in a domain.  A condition that cannot be evaluated at the point counts as
 * true. */
bool fw_point_in_domain(const struct fw_kernel *kernel, struct fw_bound *bound, uint32_t domain,
                        const struct fw_point *point);

/* Whether a point of a domain's parent is in the domain, which is no union: by the condition of its
 * branch or loop alone. */
bool fw_point_stays_in(const struct fw_kernel *kernel, struct fw_bound *bound,
                       const struct fw_domain *domain, const struct fw_point *point);

#endif
