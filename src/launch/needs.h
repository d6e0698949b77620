/* Needs: which of a kernel's parameters the count of a domain may ask for.
 *
 * From a kernel's record alone, before any launch: the parameters that stand in the conditions of
 * a domain's branches and loops, in those of the domains that it is made of, and in those of the
 * loops whose trips these conditions mention.  So an answer can name the arguments that are missing
 * from it.  A set may be too large (a condition may hold whatever the parameter is), never too
 * small; it says nothing of values and binds nothing. */
#ifndef FW_NEEDS_H
#define FW_NEEDS_H

#include "kernel.h"

/* For each domain a set of parameters, one bit each, in whole words. */
struct fw_needs {
    uint64_t *domains;
    uint32_t words; /* of one domain's set */
};

/* The needs of all domains of `kernel`, in the arena. */
struct fw_needs fw_needs_find(struct fw_arena *arena, const struct fw_kernel *kernel);

/* Whether the count of the domain may ask for the parameter; both by index. */
bool fw_needs_parameter(const struct fw_needs *needs, uint32_t domain, uint32_t parameter);

#endif
