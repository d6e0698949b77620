/* Shared by the files that make traces. */
#ifndef FW_TRACE_INTERNAL_H
#define FW_TRACE_INTERNAL_H

#include "trace.h"
#include "warp.h"

enum { MOST_GROUPS = FW_WARP_THREADS };

/* ---- trace_order.c ---- */

/* What an expression or a condition depends on. */
struct mentions {
    uint64_t loops; /* iterations, by bit; the last one stands for all loops beyond */
    uint8_t blocks; /* block indices, by bit */
    bool threads;   /* thread indices, lanes, warps */
    bool addresses; /* of arrays: comparisons take these as they are usual, fw_bound_holds alone */
};

/* A loop, or all that is in none (the last). */
struct trace_level {
    uint32_t first, count; /* its items */
    uint32_t domain;       /* of kind LOOP; FW_NONE */
    uint32_t *leaves;      /* domains of kind LEAVE that leave this loop, maybe others too */
    uint32_t leave_count;
    uint32_t *restricts; /* domains of kind RESTRICT directly in it */
    uint32_t restrict_count;
    struct mentions inside; /* by branches and loops in loops of this one */
    struct mentions trips;
};

/* An instruction of a level, or a loop in it, in program order. */
struct trace_item {
    uint32_t at;    /* the instruction that it stands at */
    uint32_t loop;  /* FW_NONE: an instruction */
    uint32_t place; /* of an instruction: in the order */
    uint32_t run; /* of an instruction: so many from here on have one domain, one after the other */
};

struct trace_order {
    const struct fw_kernel *kernel;
    struct trace_level *levels; /* by loop, and one more */
    struct trace_item *items;
    uint32_t *order;
    uint32_t order_count;
    struct mentions *branches; /* by branch; nothing where the launch decides it */
    uint8_t *decided; /* by branch: that the launch has no point that takes it, and none that does
                         not: bits 1 << truth */
    uint8_t blocks;   /* block indices that any branch or loop mentions */
    bool convex; /* the outcome of all of these in a box of blocks is that of its corners, where
                    that is the same */
};

/* Counts the launch's domains, too: counting notes what is not known, with reasons and values. */
void trace_order_find(struct trace_order *order, struct fw_arena *arena,
                      const struct fw_kernel *kernel, struct fw_bound *bound);

/* The bit of a loop in `mentions`. */
uint64_t trace_loop_bit(uint32_t loop);

/* What an atom depends on; false: that cannot be told. */
bool trace_atom_mentions(const struct fw_kernel *kernel, const struct fw_atom_node *atom,
                         struct mentions *found);

/* Whether an expression is the iteration of `loop` times something that does not depend on it, and
 * more of the latter. */
bool trace_is_affine(const struct fw_kernel *kernel, fw_expression a, uint32_t loop);

/* ---- trace_nodes.c ---- */

struct trace_list {
    FW_VECTOR(struct fw_trace_node) nodes;
};

/* All traces, each once. */
struct trace_pool {
    struct fw_arena *arena;
    const struct fw_trace **table;
    uint32_t capacity, count;
};

/* The trace of these nodes. */
const struct fw_trace *trace_intern(struct trace_pool *pool, const struct fw_trace_node *nodes,
                                    uint32_t count);

/* Iterations of a loop, one after the other: equal ones become one part, and so do those whose
 * trips rise by the same step. */
struct trace_part {
    const struct fw_trace *first, *last; /* iterations */
    double trips;
    double *steps; /* by node; NULL: all 0 */
};

struct trace_parts {
    FW_VECTOR(struct trace_part) parts;
};
void trace_parts_add(struct trace_parts *parts, struct trace_pool *pool,
                     const struct fw_trace *body, double trips);
/* Appends the parts as nodes of `loop`. */
void trace_parts_finish(struct trace_parts *parts, struct trace_pool *pool, uint32_t loop,
                        double share, double lanes, struct fw_block_part blocks,
                        struct trace_list *to);

/* ---- trace_lanes.c, trace_walk.c ---- */

/* Threads of a warp that are at one place together. */
struct trace_group {
    uint32_t mask;               /* lanes that may be there */
    double share;                /* of executions in which any is */
    double lanes;                /* that are, in the mean over these */
    struct fw_block_part blocks; /* of which some warps are */
};

struct trace_groups {
    uint32_t count, capacity;
    struct trace_group *at;
};

struct trace_walk {
    struct fw_arena *arena; /* of what is needed while walking */
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    struct trace_order order;
    struct trace_pool pool;
    const struct fw_sink *sink;
    uint64_t evaluations, most;
    bool spent; /* more evaluations than allowed: all else is worthless */
    uint32_t spent_loop;
    bool sampled;
    uint32_t sampled_loop;
    /* The warp. */
    uint64_t signature; /* of the outcomes of the parts of conditions on block indices: in a box of
                           blocks, parts that are so at its corners are so in it, their
                           conjunctions need not be */
    uint32_t block[3];
    uint32_t threads[FW_WARP_THREADS][3];
    uint32_t mask;
    uint32_t corners[8][3], corner_count; /* of the box of thread indices that it lies in */
    /* trace_uniform.c, by expression */
    uint8_t *shapes;
    struct trace_offsets {
        bool none;
        struct trace_lane_offsets {
            int64_t low, high, at[FW_WARP_THREADS]; /* the least and the greatest; by lane */
        } * *by_warp;
    } * *offsets;
    uint32_t warp, warps;            /* of the block */
    int64_t *iterations;             /* by loop */
    uint64_t stamp, *stamps;         /* by level: of its current iteration */
    uint64_t restricting;            /* the stamp of the level whose domain is being restricted */
    uint64_t numbered, first_number; /* the stamp for which lanes have numbers, and the first */
    struct trace_domain {
        uint64_t stamp;
        struct trace_groups groups;
    } * domains;
    struct trace_visit {
        uint64_t stamp;           /* of the level around it when it was walked */
        struct trace_list nodes;  /* what came of it */
        struct trace_list body;   /* of the iteration in progress; also of what is in no loop */
        struct trace_parts parts; /* of the iterations so far */
        double *positions;        /* iterations at which something changes */
        bool sampled;
        double entry, trips; /* share of entries; iterations that the one in progress is for */
    } * visits;
    FW_VECTOR(uint32_t) pending; /* domains that wait for others */
};

/* Begins to walk the warps of a bound launch.  What walks keep is the arena's. */
void trace_walk_open(struct trace_walk *walk, struct fw_arena *arena,
                     const struct fw_kernel *kernel, struct fw_bound *bound,
                     const struct fw_launch *launch);
/* `most` evaluations of conditions are allowed from now on (TRC001).  A walk that is spent is not
 * gone on with. */
void trace_walk_allow(struct trace_walk *walk, uint64_t most, const struct fw_sink *sink);

/* The trace of one warp. */
const struct fw_trace *trace_walk_warp(struct trace_walk *walk, const uint32_t block[3],
                                       uint32_t warp);

/* The level that a domain is in. */
static inline uint32_t trace_level_of(const struct trace_walk *walk, uint32_t domain)
{
    uint32_t loop = walk->kernel->domains[domain].innermost;
    return loop == FW_NONE ? walk->kernel->loop_count : loop;
}

/* trace_uniform.c: finds the corners of the warp's box of threads. */
void trace_corners_find(struct trace_walk *walk);
/* How a condition comes out for the lanes of the mask.  `signs`: each of its comparisons is part of
 * the warp's signature. */
struct trace_outcome {
    uint32_t known, holds; /* lanes */
};
struct trace_outcome trace_condition(struct trace_walk *walk, fw_condition condition, uint32_t mask,
                                     uint32_t loop, bool signs);
/* The values of an expression for the lanes of the mask, where one lane tells those of all; whether
 * few evaluations show that it has one value for them.  False: they do not. */
bool trace_values(struct trace_walk *walk, fw_expression a, uint32_t mask, uint32_t loop,
                  int64_t *values);
bool trace_is_one_value(struct trace_walk *walk, fw_expression a, uint32_t loop);

/* trace_lanes.c: counts an evaluation, of the loop; false: there are none left. */
bool trace_spend(struct trace_walk *walk, uint32_t loop);
/* Adds a group to others; `joins`: they go on together. */
void trace_groups_add(struct trace_walk *walk, struct trace_groups *groups,
                      const struct trace_group *group, bool joins);
/* The part of a group that a branch lets go this way; its mask is 0 where there is none. */
struct trace_group trace_restrict(struct trace_walk *walk, const struct trace_group *group,
                                  uint32_t branch, bool truth);
/* The part of a group with these lanes alone. */
struct trace_group trace_part(const struct trace_group *group, uint32_t mask);
/* The trips of a loop by lane, for the lanes of the mask; of threads a share of those of the warp.
 */
void trace_lane_trips(struct trace_walk *walk, uint32_t loop, uint32_t mask, double *trips,
                      double *share_of_threads);
/* Iterations at which a branch directly in the loop may change, for these lanes: false: they
 * cannot be told. */
bool trace_breaks(struct trace_walk *walk, uint32_t loop, uint32_t mask, double trips,
                  double *breaks, uint32_t most, uint32_t *count);

#endif
