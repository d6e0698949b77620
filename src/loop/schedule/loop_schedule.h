/* Schedules: in which order one thread does a program's statements, and where threads wait.
 *
 * Takes a finished program; gives a tree of loops and statements for the program with its
 * reductions realized, and barriers.  Rules:
 * - A loop that is not on an axis is one loop: all its statements stand in it.  Of two loops that
 *   share statements, the one with more statements is around the other, and one that another's
 *   bounds mention is around that; then stated orders (fw_loop_set_order) decide, then the order of
 *   the domains and of the names in them.
 * - Statements come after those that they name (after); else one that touches what another one
 *   stores comes after it when it stands below it; but a temporary's only writer comes before its
 *   readers wherever it stands.
 * - Threads of a block wait where one may touch what another has stored, or store what another has
 *   touched, in shared or global memory.  Such a dependence between blocks is refused.
 * Diagnostics LOOP05n. */
#ifndef FW_LOOP_SCHEDULE_H
#define FW_LOOP_SCHEDULE_H

#include "loop_launch.h"

enum fw_loop_node_kind {
    FW_LOOP_NODE_SEQUENCE,
    FW_LOOP_NODE_LOOP, /* one child */
    FW_LOOP_NODE_STATEMENT,
    FW_LOOP_NODE_BARRIER
};

struct fw_loop_node {
    enum fw_loop_node_kind kind;
    const char *loop; /* LOOP */
    uint32_t index;   /* STATEMENT: in the program; BARRIER: in the schedule */
    struct fw_loop_node *parent;
    FW_VECTOR(struct fw_loop_node *) children;
};

struct fw_loop_barrier {
    const char **loops; /* around it, outermost first */
    uint32_t loop_count;
    bool global;  /* global memory must be seen, too */
    char *points; /* a condition on `loops`, blocks' indices and parameters: when it is reached */
    char *set;    /* isl's notation: the iterations in which a thread meets it; count it for how
                     often */
};

struct fw_loop_schedule {
    struct fw_loop_program *program; /* a copy without reductions; its statements are meant */
    struct fw_loop_launch *launch;
    struct fw_loop_node *root; /* a sequence */
    FW_VECTOR(struct fw_loop_barrier) barriers;
};

/* In the program's arena; the program stays as it is.  FW_ERROR_INPUT: there is no such order (a
 * diagnostic says why). */
enum fw_status fw_loop_schedule_new(struct fw_loop_schedule **schedule,
                                    struct fw_loop_program *program);

/* How often one thread waits at barriers, as a count; NULL without barriers. */
enum fw_status fw_loop_schedule_barriers(FW_GIVE struct fw_count **count,
                                         const struct fw_loop_schedule *schedule);

#endif
