/* Expressions of cost models: a graph whose equal parts are one node, its derivatives and its
 * evaluation over many rows.
 *
 * Takes nodes one by one, operands before what uses them; simplifies each as it comes, so that a
 * derivative is no larger than it has to be.  Gives indices of nodes, which are good as long as the
 * graph's arena.  A node's operands have lower indices than the node: nothing here recurses,
 * however deep an expression is.  Knows numbers of features and parameters, not their names. */
#ifndef FW_COST_EXPRESSION_H
#define FW_COST_EXPRESSION_H

#include "diagnostic.h"
#include "text.h"

enum fw_cost_operation {
    FW_COST_CONSTANT,
    FW_COST_FEATURE,
    FW_COST_PARAMETER,
    FW_COST_ADD,
    FW_COST_SUBTRACT,
    FW_COST_MULTIPLY,
    FW_COST_DIVIDE,
    FW_COST_SHARE, /* left / right, 0 where right is 0 */
    FW_COST_POWER,
    FW_COST_POWER_LOG, /* left^right log(left), 0 where left is 0: of derivatives alone */
    FW_COST_MINIMUM,
    FW_COST_MAXIMUM,
    FW_COST_STEP, /* 1 where left >= 0, else 0 */
    FW_COST_TANH, /* of left, as those below */
    FW_COST_EXP,
    FW_COST_LOG,
    FW_COST_SQRT
};

struct fw_cost_node {
    enum fw_cost_operation operation;
    bool varies;          /* a parameter is in it */
    uint32_t left, right; /* operands; a leaf's number is `left` */
    double constant;
    struct fw_span place; /* where it stands first */
};

struct fw_cost_graph {
    struct fw_arena *arena;
    FW_VECTOR(struct fw_cost_node) nodes;
    uint32_t *slots; /* a hash table of indices + 1 */
    size_t slot_count;
    size_t most; /* nodes */
    bool full;   /* more were asked for: indices given since mean nothing */
};

/* An empty graph of at most `most` nodes. */
void fw_cost_graph_begin(struct fw_cost_graph *graph, struct fw_arena *arena, size_t most);

/* A number as a node. */
uint32_t fw_cost_constant(struct fw_cost_graph *graph, double value);

/* A feature or a parameter, by its number. */
uint32_t fw_cost_leaf(struct fw_cost_graph *graph, enum fw_cost_operation operation,
                      uint32_t number, struct fw_span place);

/* An operation; `right` is not looked at where there is one operand. */
uint32_t fw_cost_combine(struct fw_cost_graph *graph, enum fw_cost_operation operation,
                         uint32_t left, uint32_t right, struct fw_span place);

/* (tanh(edge x) + 1) / 2: a step of Stevens and Kloeckner's equation (6). */
uint32_t fw_cost_smooth_step(struct fw_cost_graph *graph, uint32_t x, uint32_t edge,
                             struct fw_span place);

/* a s(r) + b s(-r) with s the smooth step and r = (a - b) / (a + b): their equation (5), in which
 * the difference is taken relative to the sum, so that `edge` has no unit and the maximum of a
 * millisecond's costs is as sharp as that of a second's. */
uint32_t fw_cost_smooth_maximum(struct fw_cost_graph *graph, uint32_t a, uint32_t b, uint32_t edge,
                                struct fw_span place);

/* The derivative of a node with respect to each parameter from 0 to `count` - 1. */
void fw_cost_derivatives(uint32_t *derivatives, struct fw_cost_graph *graph, uint32_t root,
                         size_t count);

/* Marks which nodes a node needs: `needed` has one flag a node up to `root`, zeroed. */
void fw_cost_mark(bool *needed, const struct fw_cost_graph *graph, uint32_t root);

/* The node as text, in which `features` and `parameters` name leaves; deep parts are "...". */
const char *fw_cost_text(struct fw_arena *arena, const struct fw_cost_graph *graph, uint32_t root,
                         const char *const *features, const char *const *parameters);

/* ---- evaluation ---- */

enum { FW_COST_BLOCK = 32 }; /* rows that are evaluated at a time */

struct fw_cost_step {
    enum fw_cost_operation operation;
    uint32_t left, right; /* earlier steps; a leaf's number */
    uint32_t node;
    double constant;
};

/* What gives the values of some nodes. */
struct fw_cost_program {
    struct fw_cost_step *steps;
    size_t count;
    uint32_t *outputs; /* steps */
    size_t output_count;
};

/* The steps that give the values of `count` nodes of the graph, each once; memory is the arena's.
 */
void fw_cost_compile(struct fw_cost_program *program, struct fw_arena *arena,
                     const struct fw_cost_graph *graph, const uint32_t *roots, size_t count);

/* Numbers of scratch that a run over `rows` rows (at most FW_COST_BLOCK) needs. */
size_t fw_cost_scratch(const struct fw_cost_program *program, size_t rows);

/* Values of all steps for `rows` rows; feature f of row r is `features[f * stride + r]`.  Step s of
 * row r is then `values[s * rows + r]`.  May be called from many threads, each with its own values.
 */
void fw_cost_run(double *values, const struct fw_cost_program *program, const double *features,
                 size_t stride, size_t rows, const double *parameters);

#endif
