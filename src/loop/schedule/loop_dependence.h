/* Which executions of statements touch the same elements: what schedules and transformations ask.
 *
 * An execution's names get a suffix, so that two of them can stand in one condition: "i__x" and
 * "i__y", and "thread__0__x" for the index of the thread that does it. */
#ifndef FW_LOOP_DEPENDENCE_H
#define FW_LOOP_DEPENDENCE_H

#include "loop_points.h"
#include "loop_launch.h"
#include "loop_space.h"

/* One access of the program. */
struct fw_loop_site {
    uint32_t statement; /* its index */
    const struct fw_loop_expression *access;
    const struct fw_loop_array *array;
    enum fw_space space;
    bool store;
    bool affine;         /* all subscripts */
    uint32_t alike;      /* the same for sites whose executions are the same, whatever the launch */
    fw_loop_names loops; /* around it, those of reductions included */
};
typedef FW_VECTOR(struct fw_loop_site) fw_loop_sites;

/* All accesses of arrays and temporaries, in the order of the statements. */
fw_loop_sites fw_loop_find_sites(struct fw_loop_program *program);

/* The condition under which an execution with the suffix exists and, for an access, which element
 * it touches: "element__0 = ...".  `launch` (may be NULL) adds its thread and block; axes on which
 * it has no loop are free within their range.  Its names are appended to `names`. */
char *fw_loop_execution(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                        const struct fw_loop_site *site, const char *suffix, fw_loop_names *names);

/* Whether x and y may touch the same element with `relation` (a condition on names with the
 * suffixes
 * __x and __y) holding; true when it cannot be told. */
bool fw_loop_may_meet(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                      const struct fw_loop_site *x, const struct fw_loop_site *y,
                      const char *relation);

/* "(thread__0__x != thread__0__y or ...)" over the used axes of the side; NULL: none is used. */
char *fw_loop_axes_differ(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                          enum fw_loop_side side);
/* "thread__0__x = thread__0__y and ..."; "0 = 0" for none. */
char *fw_loop_axes_equal(struct fw_loop_program *program, const struct fw_loop_launch *launch,
                         enum fw_loop_side side);

#endif
