/* Warp traces: what the warps of a bound launch execute, in order.
 *
 * Takes a record and a binding.  Gives for each class of warps a trace, compressed by its loops: a
 * tree of runs of instructions and of loops with a number of iterations, so that a trip count of a
 * million takes no memory.  Conditions, bounds and trip counts are evaluated lane by lane, for the
 * block and the warp of the trace; a warp goes through a loop until its longest lane has ended, and
 * through both sides of a branch where its lanes part.  What data decide has the value that counts
 * use (launch.h's unknowns): a node has the share of executions in which it is there.  Traces,
 * and parts of them, that are equal are one in memory, so that equal warps are found by their
 * pointers.  Never knows a device and never gives a time. */
#ifndef FW_TRACE_H
#define FW_TRACE_H

#include "launch.h"

struct fw_trace;

/* The part of the blocks, in an order that data decide, of which some warps come to a place: all
 * from 0 to 1.  What data decide differently from block to block is in parts of them alone, where
 * that was measured: ways of one branch that no block goes both are in different parts. */
struct fw_block_part {
    double from, to;
};

/* Instructions that run one after the other with the same threads, or iterations of a loop. */
struct fw_trace_node {
    bool is_loop;
    /* Of the executions of the trace that the node stands in: 1, but for branches that data decide
     */
    double share;
    double lanes; /* threads that execute it, in the mean; of a loop: that enter it */
    struct fw_block_part blocks; /* in which `share` is: in no other blocks it is there */
    /* A run: the instructions order[first] to order[first + count - 1] (struct fw_traces). */
    uint32_t first, count;
    /* A loop; several nodes in a row are parts of one loop unless `enters`. */
    uint32_t loop; /* in the record */
    bool enters;
    double trips; /* iterations; no whole number where data decide it */
    double step;  /* each iteration of what this stands in has so many more trips than the last */
    const struct fw_trace *body; /* of one iteration */
};

struct fw_trace {
    uint32_t count;
    const struct fw_trace_node *nodes;
    bool stepped; /* a node's step is not 0 */
    uint64_t hash;
};

/* Warps of equal trace. */
struct fw_trace_class {
    const struct fw_trace *trace;
    double warps;            /* of the launch */
    uint32_t block[3], warp; /* the first one of them that was traced */
};

/* Blocks whose warps have, one by one, equal traces. */
struct fw_trace_block {
    double blocks;     /* of the launch */
    uint32_t block[3]; /* one of them */
    const struct fw_trace *const *warps;
};

/* Blocks of a box, both of its corners among them, that have the traces of one class. */
struct fw_trace_box {
    uint32_t low[3], high[3];
    uint32_t block; /* of `blocks` in struct fw_traces */
};

struct fw_traces {
    const uint32_t *order; /* instructions of the record's schedule, loop by loop */
    uint32_t order_count;
    uint32_t warps;                       /* of a block */
    const struct fw_trace_class *classes; /* most warps first */
    uint32_t class_count;
    const struct fw_trace_block *blocks; /* most blocks first */
    uint32_t block_count;
    const struct fw_trace_box *boxes; /* all blocks of the launch, each in one of them */
    uint32_t box_count;
    uint64_t evaluations;    /* of conditions and trip counts */
    uint32_t traced_blocks;  /* of all, evaluated */
    bool blocks_sampled;     /* others are taken to be like those between which they lie */
    bool iterations_sampled; /* of a long loop whose iterations differ, some stand for all */
    uint32_t sampled_loop;   /* then: which; else FW_NONE */
};

/* Blocks of a bound launch that were traced, for whoever asks for traces of it again. */
struct fw_traced_blocks;

struct fw_trace_options {
    uint64_t evaluations;   /* at most; 0: 4 million */
    uint32_t traced_blocks; /* at most; 0: 512 */
    uint32_t
        traced_uneven; /* the same where blocks differ otherwise than at a border; 0: as many */
    /* Where the blocks that are traced stay for the next question about the same kernel, bound to
     * the same launch: a place that is NULL at first, and lives as long as the arena of the first
     * question.  NULL: they do not stay. */
    struct fw_traced_blocks **kept;
    bool one_warp; /* trace the warp `warp` of block `block` alone */
    uint32_t block[3], warp;
};

/* The traces of the launch that `bound` is bound to.  After a thirty-second of the evaluations no
 * further blocks are looked at.  Results live in `arena`, which must have a point of exhaustion
 * set, as must the binding's.  FW_ERROR_BUDGET (TRC001): they take more evaluations than allowed,
 * the diagnostic names the loop; FW_ERROR_USAGE (TRC002): there is no such warp. */
enum fw_status fw_traces_find(struct fw_traces *traces, struct fw_arena *arena,
                              const struct fw_kernel *kernel, struct fw_bound *bound,
                              const struct fw_launch *launch,
                              const struct fw_trace_options *options, const struct fw_sink *sink);

/* Executions of each instruction of the schedule in one warp: issues by the warp, and by its
 * threads.  Both arrays have one element an instruction, and are added to, `weight` times. */
void fw_trace_count(const struct fw_traces *traces, const struct fw_trace *trace, double weight,
                    double *issues, double *threads);

/* Instructions that one warp issues. */
double fw_trace_issues(const struct fw_trace *trace);

/* Nodes of the tree, each as often as it is in memory once, for people; at most `most`. */
uint32_t fw_trace_nodes(const struct fw_trace *trace, uint32_t most);

#endif
