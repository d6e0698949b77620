/* Code from schedules: loops, conditions and calls that visit the points of integer sets in a
 * stated order.
 *
 * Takes statements' domains and a plan (which loops, nested and in sequence) as text in isl's
 * notation; gives a tree of plain nodes that knows nothing of isl.  Guards that the context implies
 * are left out.  The work is isl's AST builder's.  Nothing here prints or knows a language. */
#ifndef FW_AST_H
#define FW_AST_H

#include "set.h"
#include "text.h"

/* X(name, operands): divisions: EXACT without remainder, FLOOR towards minus infinity, the others
 * of a dividend that is not negative; REMAINDER_TO_ZERO is only compared with zero. */
#define FW_AST_OPERATIONS(X)                                                                       \
    X(AND)                                                                                         \
    X(OR)                                                                                          \
    X(MAXIMUM)                                                                                     \
    X(MINIMUM)                                                                                     \
    X(NEGATE)                                                                                      \
    X(ADD)                                                                                         \
    X(SUBTRACT)                                                                                    \
    X(MULTIPLY)                                                                                    \
    X(DIVIDE_EXACT)                                                                                \
    X(DIVIDE_FLOOR)                                                                                \
    X(DIVIDE)                                                                                      \
    X(REMAINDER)                                                                                   \
    X(REMAINDER_TO_ZERO)                                                                           \
    X(SELECT)                                                                                      \
    X(EQUAL)                                                                                       \
    X(LESS_EQUAL)                                                                                  \
    X(LESS)                                                                                        \
    X(GREATER_EQUAL)                                                                               \
    X(GREATER)

enum fw_ast_kind {
    FW_AST_INTEGER,
    FW_AST_NAME,
#define X(name) FW_AST_##name,
    FW_AST_OPERATIONS(X)
#undef X
        FW_AST_KIND_COUNT
};

struct fw_ast_expression {
    enum fw_ast_kind kind;
    int64_t value;    /* INTEGER */
    const char *name; /* NAME: a loop or parameter */
    struct fw_ast_expression **operands;
    uint32_t operand_count;
};

enum fw_ast_node_kind { FW_AST_BLOCK, FW_AST_FOR, FW_AST_IF, FW_AST_CALL };

struct fw_ast_node {
    enum fw_ast_node_kind kind;
    const char *name; /* FOR: the loop; CALL: the statement */
    bool once;        /* FOR: the body runs for the value `start` alone */
    struct fw_ast_expression *start, *condition, *step;
    struct fw_ast_expression **arguments; /* CALL: the point's coordinates */
    struct fw_ast_node **children;        /* FOR, IF: one; IF: perhaps a second, otherwise */
    uint32_t count;                       /* of arguments or children */
};

enum fw_ast_plan_kind { FW_AST_PLAN_LEAF, FW_AST_PLAN_LOOP, FW_AST_PLAN_SEQUENCE };

/* What to do in which order. */
struct fw_ast_plan {
    enum fw_ast_plan_kind kind;
    const char *name;              /* LOOP: what the generated loop is called */
    const char *value;             /* LOOP: "[n] -> [{ S0[i, j] -> [(i)]; S1[i] -> [(i)] }]" */
    bool unroll;                   /* LOOP: one copy of the body for each value */
    struct fw_ast_plan **children; /* LOOP: one; SEQUENCE: some */
    const char **filters;          /* SEQUENCE: the children's statements: "[n] -> { S0[i, j] }" */
    uint32_t count;
};

/* Generates.  `domains`: "[n] -> { S0[i, j] : ...; S1[i] : ... }"; `context`: what is known of the
 * parameters, "[n] -> { : n > 0 }".  The tree belongs to the arena.  FW_ERROR_INPUT: a text is
 * none, or a loop to be unrolled has no constant number of iterations; FW_ERROR_BUDGET: too much
 * work. */
enum fw_status fw_ast_build(struct fw_ast_node **node, FW_KEEP struct fw_poly *poly,
                            struct fw_arena *arena, const struct fw_ast_plan *plan,
                            const char *domains, const char *context);

/* The greatest (or least) value of a set of one dimension as an expression of its parameters, valid
 * where the context holds and the set is not empty.  FW_ERROR_INPUT: there is none. */
enum fw_status fw_ast_extreme(struct fw_ast_expression **expression, FW_KEEP struct fw_poly *poly,
                              struct fw_arena *arena, const char *set, const char *context,
                              bool greatest);

/* An expression's value: `names` and `values` as many as `bound`.  FW_ERROR_USAGE: a name is not
 * among them; FW_ERROR_OVERFLOW. */
enum fw_status fw_ast_evaluate(int64_t *result, const struct fw_ast_expression *expression,
                               const char *const *names, const int64_t *values, size_t bound);

#endif
