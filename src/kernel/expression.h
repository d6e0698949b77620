/* Expressions: what a kernel's integers are in terms of its arguments, the launch and the
 * iteration.
 *
 * An expression is a polynomial with integer coefficients over atoms: arguments, block and thread
 * indices and sizes, loop iterations, and operations that no polynomial expresses (floor division,
 * minimum, selection by a condition, ...) on further expressions.  Equal expressions are the same
 * number in their pool (hash-consing), so that i + 1 - i is the constant 1 however it was written.
 * Values are mathematical integers: that 32-bit arithmetic does not wrap around is an obligation
 * which whoever built the expression notes (kernel.h), not a property of the expression. Conditions
 * are comparisons of an expression with zero, combined by and, or, not. A pool lives in an arena
 * and belongs to one kernel. */
#ifndef FW_EXPRESSION_H
#define FW_EXPRESSION_H

#include "arena.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t fw_expression; /* index in a pool; 0 is the constant 0 */
typedef uint32_t fw_atom;       /* index in a pool */
typedef uint32_t fw_condition;  /* index in a pool */

#define FW_NO_EXPRESSION UINT32_MAX

/* Launch quantities, in the order of the domain's first variables. */
enum fw_launch_index {
    FW_BLOCK_X,
    FW_BLOCK_Y,
    FW_BLOCK_Z, /* blockIdx: PTX's ctaid */
    FW_THREAD_X,
    FW_THREAD_Y,
    FW_THREAD_Z, /* threadIdx: tid */
    FW_GRID_SIZE_X,
    FW_GRID_SIZE_Y,
    FW_GRID_SIZE_Z, /* gridDim: nctaid */
    FW_BLOCK_SIZE_X,
    FW_BLOCK_SIZE_Y,
    FW_BLOCK_SIZE_Z, /* blockDim: ntid */
    FW_LANE,         /* laneid, by the linear thread index */
    FW_WARP,         /* warp in the block, by the linear thread index */
    FW_SHARED_SIZE,  /* dynamic shared bytes */
    FW_LAUNCH_INDEX_COUNT
};

/* X(name, text) */
#define FW_ATOMS(X)                                                                                \
    X(PARAMETER, "parameter") /* a: index in the kernel's parameters */                            \
    X(LAUNCH, "launch")       /* a: enum fw_launch_index */                                        \
    X(ITERATION, "iteration") /* a: loop; 0 in the loop's first iteration */                       \
    X(TRIPS, "trips")         /* a: loop; how often its header runs */                             \
    X(ARRAY, "array")         /* a: index in the kernel's arrays: the address it begins at */      \
    X(CARRIED, "carried")     /* of the FOLD by number c, in it: 0 its value, a 1 its iteration */ \
    X(UNKNOWN, "unknown")   /* a: index in the kernel's opaque values: loaded data and the like */ \
    X(FLOOR, "floor")       /* floor(a / b) */                                                     \
    X(TRUNCATE, "truncate") /* a / b, rounded towards zero; b not 0 */                             \
    X(MINIMUM, "min")       /* of expressions a and b */                                           \
    X(MAXIMUM, "max")                                                                              \
    X(SELECT, "select")   /* condition c ? a : b */                                                \
    X(POWER2, "power2")   /* 2^a */                                                                \
    X(BITAND, "and")      /* bits, two's complement of any width */                                \
    X(PRODUCT, "product") /* a * b, where a polynomial would grow too large */                     \
    X(SUM, "sum")         /* a + b, likewise */                                                    \
    X(REPEAT, "repeat")   /* floor(a / 2^b) for a variable b: a shifted right */                   \
    X(AT, "at")           /* a, TRIPS or another AT, where the iteration of loop c is b */         \
    X(SCALAR, "scalar")   /* c, an operation on the bits of a and b: see scalar.h */               \
    X(FOLD, "fold") /* what a loop carries: a before its iterations, b, a STEP; c: its number */   \
    X(STEP, "step") /* a of the CARRIED value of one iteration more, so often: b */

enum fw_atom_kind {
#define X(name, text) FW_ATOM_##name,
    FW_ATOMS(X)
#undef X
        FW_ATOM_KIND_COUNT
};

struct fw_atom_node {
    uint8_t kind; /* enum fw_atom_kind */
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t depth; /* of nested operations: bounded, so that recursion is */
};

/* A product of atoms, sorted, with repetition. */
struct fw_term {
    int64_t coefficient;
    uint32_t atom_count; /* 0: the constant */
    const fw_atom *atoms;
};

struct fw_expression_node {
    const struct fw_term *terms; /* sorted; no zero coefficients, no equal products */
    uint32_t term_count;
};

enum fw_condition_kind {
    FW_CONDITION_FALSE,
    FW_CONDITION_TRUE,          /* the first two of every pool */
    FW_CONDITION_POSITIVE,      /* a >= 0 */
    FW_CONDITION_ZERO,          /* a == 0 */
    FW_CONDITION_UNSIGNED_LESS, /* a < b as unsigned numbers of c bits */
    FW_CONDITION_AND,           /* of conditions a and b */
    FW_CONDITION_OR,
    FW_CONDITION_NOT,    /* of condition a */
    FW_CONDITION_FLOAT,  /* float parameters and constants: see kernel.h's floats */
    FW_CONDITION_UNKNOWN /* a: index in the kernel's opaque values */
};

struct fw_condition_node {
    uint8_t kind;
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t depth;
};

struct fw_pool {
    struct fw_arena *arena;
    FW_VECTOR(struct fw_expression_node) expressions;
    FW_VECTOR(struct fw_atom_node) atoms;
    FW_VECTOR(struct fw_condition_node) conditions;
    uint32_t *expression_table; /* open addressing: index + 1 */
    uint32_t *atom_table;
    uint32_t *condition_table;
    size_t expression_capacity, atom_capacity, condition_capacity;
    uint32_t nonnegative; /* an atom taken to be >= 0 for now, plus 1; 0: none */
    /* Threads of a block in each dimension at most; 0: not stated. Where they are, quotients and
     * masks of thread indices are simplified by them. */
    uint32_t most_threads[3];
    FW_VECTOR(uint64_t) bits; /* by expression: see fw_expression_bits; 0: not looked up */
};

/* A pool with the constant 0 and the conditions false and true. */
void fw_pool_init(struct fw_pool *pool, struct fw_arena *arena);

/* Building blocks.  Results are normalised; none fails.  An operation nested too deeply (a chain of
 * hundreds) becomes an UNKNOWN atom with a = FW_TOO_DEEP and a number of its own in b. */
#define FW_TOO_DEEP UINT32_MAX
fw_expression fw_constant(struct fw_pool *pool, int64_t value);
fw_expression fw_atom_new(struct fw_pool *pool, enum fw_atom_kind kind, uint32_t a, uint32_t b,
                          uint32_t c); /* no simplification: see below for the operations */
fw_expression fw_launch_value(struct fw_pool *pool, enum fw_launch_index index);
fw_expression fw_add(struct fw_pool *pool, fw_expression a, fw_expression b);
fw_expression fw_subtract(struct fw_pool *pool, fw_expression a, fw_expression b);
fw_expression fw_scale(struct fw_pool *pool, fw_expression a, int64_t factor);
fw_expression fw_multiply(struct fw_pool *pool, fw_expression a, fw_expression b);
fw_expression fw_floor_divide(struct fw_pool *pool, fw_expression a, fw_expression b);
fw_expression fw_truncate_divide(struct fw_pool *pool, fw_expression a, fw_expression b);
fw_expression fw_minimum(struct fw_pool *pool, fw_expression a, fw_expression b);
fw_expression fw_maximum(struct fw_pool *pool, fw_expression a, fw_expression b);
fw_expression fw_select(struct fw_pool *pool, fw_condition condition, fw_expression a,
                        fw_expression b);
fw_expression fw_power2(struct fw_pool *pool, fw_expression exponent);
fw_expression fw_shift_right(struct fw_pool *pool, fw_expression a, fw_expression amount);
fw_expression fw_bit_and(struct fw_pool *pool, fw_expression a, fw_expression b);

/* What a loop carries when `times` of its iterations are over: `start` before the first, and then
 * `next` of each, an expression of the atoms CARRIED of this number: the value that it goes on from
 * (a: 0) and the iteration (a: 1).  No two loops' values that are in one another have one number.
 * `start` itself where `times` is 0. */
fw_expression fw_fold(struct fw_pool *pool, uint32_t number, fw_expression start,
                      fw_expression next, fw_expression times);
/* The parts of a FOLD: `next` and `times`; false: they were nested too deeply. */
bool fw_fold_of(const struct fw_pool *pool, const struct fw_atom_node *node, fw_expression *next,
                fw_expression *times);

fw_condition fw_is_positive(struct fw_pool *pool, fw_expression a); /* a >= 0 */
fw_condition fw_is_zero(struct fw_pool *pool, fw_expression a);
fw_condition fw_unsigned_less(struct fw_pool *pool, fw_expression a, fw_expression b,
                              uint32_t bits);
fw_condition fw_condition_and(struct fw_pool *pool, fw_condition a, fw_condition b);
fw_condition fw_condition_or(struct fw_pool *pool, fw_condition a, fw_condition b);
fw_condition fw_condition_not(struct fw_pool *pool, fw_condition a);
fw_condition fw_condition_new(struct fw_pool *pool, enum fw_condition_kind kind, uint32_t a,
                              uint32_t b, uint32_t c);

/* Whether the expression is a constant, and which. */
bool fw_expression_constant(const struct fw_pool *pool, fw_expression a, int64_t *value);

/* The bits in two's complement that may be set in an expression's value, of the blocks that the
 * pool states (most_threads); all, where it states none. */
uint64_t fw_expression_bits(struct fw_pool *pool, fw_expression a);

/* Replaces atoms: `replace`, unless NULL, answers what stands for an atom that refers to nothing
 * further (kinds up to UNKNOWN), or FW_NO_EXPRESSION to keep it; operations are rebuilt from their
 * replaced parts.
 * `operation`, unless NULL, answers what a selection or a quotient of such parts is, or an
 * atom of kind SCALAR as it stands, or FW_NO_EXPRESSION. */
struct fw_replacement {
    fw_expression (*replace)(void *user, fw_atom atom, const struct fw_atom_node *node);
    void *user;
    fw_expression (*operation)(void *user, const struct fw_atom_node *node);
};
fw_expression fw_expression_replace(struct fw_pool *pool, fw_expression a,
                                    const struct fw_replacement *with);
fw_condition fw_condition_replace(struct fw_pool *pool, fw_condition a,
                                  const struct fw_replacement *with);

/* Calls `visit` for every atom in the expression, inside operations and conditions too, until it
 * answers true; returns whether it did.  An unknown condition is visited as an UNKNOWN atom. */
bool fw_expression_any(const struct fw_pool *pool, fw_expression a,
                       bool (*visit)(void *user, fw_atom atom, const struct fw_atom_node *node),
                       void *user);
bool fw_condition_any(const struct fw_pool *pool, fw_condition a,
                      bool (*visit)(void *user, fw_atom atom, const struct fw_atom_node *node),
                      void *user);

/* Names for printing: what an atom that refers to nothing further is called. */
struct fw_namer {
    void (*name)(void *user, struct fw_buffer *out, const struct fw_atom_node *node);
    void *user;
};
void fw_expression_print(const struct fw_pool *pool, fw_expression a, const struct fw_namer *namer,
                         struct fw_buffer *out);
void fw_condition_print(const struct fw_pool *pool, fw_condition a, const struct fw_namer *namer,
                        struct fw_buffer *out);

#endif
