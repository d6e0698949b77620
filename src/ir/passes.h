/* Passes over one function, in the order in which fw_ir_prepare runs them (pipeline.h); the last,
 * uniformity, whoever needs it asks for.
 *
 * Each is one file, pass_NAME.c, and states what it needs and what it gives.  None moves, adds or
 * removes an instruction, but for inlining and branches, which come first.  Results live in the
 * arena given, scratch in the arena too.  They take any function that the reader accepts,
 * unreachable code and irreducible cycles included. */
#ifndef FW_PASSES_H
#define FW_PASSES_H

#include "ir.h"

/* inline: replaces direct calls of functions with a body by that body, callees first.
 * Needs: the reader's function.  Gives: a function without such calls; registers, labels and
 * variables of the callee are added under new indices.  Calls that stay: indirect, recursive and
 * external ones. FW_ERROR_BUDGET: the result would pass `limit` instructions. */
enum fw_status fw_pass_inline(struct fw_arena *arena, struct fw_function *function, uint32_t limit,
                              const struct fw_sink *sink);

/* branches: turns a guarded branch around a branch without a guard round, so that one branch is
 * left of the two.  Needs: inline.  Gives: the same ways through fewer instructions, the labels
 * moved with them.  Grows with the instructions. */
void fw_pass_branches(struct fw_arena *arena, struct fw_function *function);

/* cfg: basic blocks, edges and reverse post-order.
 * Needs: nothing.  Gives: blocks, successors, predecessors (reachable ones only), order.  Block 0
 * is the entry.  A guarded ret, exit or trap ends a block with one successor. */
void fw_pass_cfg(struct fw_arena *arena, struct fw_function *function);

/* dominators: immediate dominators and post-dominators (Lengauer, Tarjan, "A Fast Algorithm for
 * Finding Dominators in a Flowgraph", 1979).  Needs: cfg. */
void fw_pass_dominators(struct fw_arena *arena, struct fw_function *function);

/* Immediate dominators of any graph of `count` nodes, by node, in the arena.  Node 0 is the root
 * and its own dominator, and every node can be reached from it; the edges into node i come from
 * sources[start[i]] and on, before start[i + 1]. */
uint32_t *fw_graph_dominators(struct fw_arena *arena, uint32_t count, uint32_t *start,
                              uint32_t *sources);

/* loops: natural loops and their nest.  Needs: dominators.  Gives: loops (outer before inner), each
 * block's innermost loop, `irreducible`.  FW_ERROR_BUDGET: a nest of more than FW_IR_DEEPEST_LOOP
 * loops. */
enum { FW_IR_DEEPEST_LOOP = 128 };
enum fw_status fw_pass_loops(struct fw_arena *arena, struct fw_function *function,
                             const struct fw_sink *sink);

/* slots: local memory that only whole loads and stores at places known from the text reach.
 * Needs: cfg.  Gives: `slot` of such loads and stores, registers without a type that no operand
 * names. May be left out: then nothing in local memory is followed. */
void fw_pass_slots(struct fw_arena *arena, struct fw_function *function);

/* ssa: static single assignment beside the registers: semi-pruned phis at dominance frontiers
 * (Cytron et al. 1991; Briggs et al. 1998).  Needs: dominators, slots.  Gives: `value` of every
 * register operand, guard values and slots, phis, values.  A guarded definition keeps the old value
 * in `prior_values`. */
void fw_pass_ssa(struct fw_arena *arena, struct fw_function *function);

/* Whether an instruction's result is as uniform as its operands; if not, as its own level alone. */
bool fw_instruction_passes_on(const struct fw_instruction *at);

/* uniformity: which values are equal for all threads of a launch, a block, a warp, or none of
 * these. Needs: ssa, loops.  Gives one enum fw_uniformity a value, in the arena. */
enum fw_uniformity { FW_UNIFORM_LAUNCH, FW_UNIFORM_BLOCK, FW_UNIFORM_WARP, FW_UNIFORM_NONE };
uint8_t *fw_pass_uniformity(struct fw_arena *arena, const struct fw_function *function);

/* Whether an instruction ends its block's straight line: bra, brx, ret, exit, trap. */
bool fw_instruction_is_terminator(const struct fw_instruction *instruction);

/* What a pass left, as text for people: `what` is cfg, loops, ssa or uniformity.  NULL: no such. */
char *fw_passes_dump(struct fw_arena *arena, const struct fw_function *function, const char *what);

#endif
