/* Operations on the contents of registers that no polynomial expresses: bits, floating point,
 * conversions.
 *
 * An expression holds such an operation as one atom (FW_ATOM_SCALAR): what is done, and the
 * operands as expressions.  A number in floating point is its bits there, as a signed integer of 32
 * bits (f32) or 64 (f64).  Only operations whose result PTX states to the bit have a
 * place here; the approximate ones (sin.approx, sqrt.approx, div.full) have none. */
#ifndef FW_SCALAR_H
#define FW_SCALAR_H

#include "expression.h"
#include "type.h"

/* X(name, text, operands) */
#define FW_SCALARS(X)                                                                              \
    X(POPC, "popc", 1) /* of `type` */                                                             \
    X(CLZ, "clz", 1)                                                                               \
    X(BREV, "brev", 1)                                                                             \
    X(BFIND, "bfind", 1) /* -1: there is none */                                                   \
    X(BFIND_SHIFT, "bfind.shiftamt", 1)                                                            \
    X(CNOT, "cnot", 1)                                                                             \
    X(MUL_HI, "mul.hi", 2)                                                                         \
    X(MUL24_HI, "mul24.hi", 2)                                                                     \
    X(ADD_SAT, "add.sat", 2)                                                                       \
    X(SUB_SAT, "sub.sat", 2)                                                                       \
    X(SAD, "sad", 3)                                                                               \
    X(BFE, "bfe", 3)                                                                               \
    X(SHF_LEFT, "shf.l", 3) /* of the low half, the high half; clamped */                          \
    X(SHF_RIGHT, "shf.r", 3)                                                                       \
    X(SHF_LEFT_WRAP, "shf.l.wrap", 3)                                                              \
    X(SHF_RIGHT_WRAP, "shf.r.wrap", 3)                                                             \
    X(PERMUTE, "prmt", 3)                                                                          \
    X(DIVIDE, "div", 2) /* of floating-point types, as all that follow */                          \
    X(ADD, "add", 2)                                                                               \
    X(SUB, "sub", 2)                                                                               \
    X(MUL, "mul", 2)                                                                               \
    X(FMA, "fma", 3)                                                                               \
    X(RECIPROCAL, "rcp", 1)                                                                        \
    X(SQRT, "sqrt", 1)                                                                             \
    X(MIN, "min", 2)                                                                               \
    X(MAX, "max", 2)                                                                               \
    X(ABS, "abs", 1)                                                                               \
    X(NEG, "neg", 1)                                                                               \
    X(COPYSIGN, "copysign", 2)                                                                     \
    X(EQUAL, "eq", 2) /* comparisons: 1 or 0; 0 where an operand is not a number */                \
    X(LESS, "lt", 2)                                                                               \
    X(LESS_EQUAL, "le", 2)                                                                         \
    X(UNORDERED, "nan", 2) /* an operand is not a number */                                        \
    X(CONVERT, "cvt", 1)   /* to `type`, from `from` */                                            \
    X(PAIR, "", 2)         /* second and third operand of another */

enum fw_scalar_operation {
#define X(name, text, operands) FW_SCALAR_##name,
    FW_SCALARS(X)
#undef X
        FW_SCALAR_COUNT
};

struct fw_scalar {
    uint8_t operation; /* enum fw_scalar_operation */
    uint8_t type;      /* enum fw_type */
    uint8_t from;      /* CONVERT; else NONE */
    uint8_t rounding;  /* enum fw_rounding; NONE: to the nearest even */
    bool flush;        /* .ftz: subnormal numbers are 0 */
    bool saturate;     /* .sat */
};

/* Operands of an operation. */
uint32_t fw_scalar_operands(const struct fw_scalar *scalar);

/* The result for operands of which only the low bits count, as many as their types have: integers
 * extended by their type's sign, f32 likewise, bits without one by zeros.  False: there is no
 * such operation of this type. */
bool fw_scalar_evaluate(const struct fw_scalar *scalar, const int64_t operands[3], int64_t *result);

/* The least and greatest result that the operation can have. */
void fw_scalar_range(const struct fw_scalar *scalar, int64_t *low, int64_t *high);

/* The expression of an operation: a constant where its operands are, else an atom.  Operands beyond
 * those that it has are not looked at.  FW_NO_EXPRESSION: as fw_scalar_evaluate. */
fw_expression fw_scalar_expression(struct fw_pool *pool, const struct fw_scalar *scalar,
                                   const fw_expression operands[3]);

/* What an atom of kind SCALAR does, and its operands; false: it is a PAIR, or one was nested too
 * deeply. */
bool fw_scalar_of(const struct fw_pool *pool, const struct fw_atom_node *node,
                  struct fw_scalar *scalar, fw_expression operands[3]);

/* The bits of a number as an expression of this type holds them; 0 for types that it does not. */
int64_t fw_scalar_bits(enum fw_type type, double number);

/* "sqrt.rn.f32". */
void fw_scalar_print(uint32_t packed, struct fw_buffer *out);

/* Rebuilds an atom of kind SCALAR with other operands a and b: folds what has become constant. */
fw_expression fw_scalar_rebuild(struct fw_pool *pool, uint32_t packed, fw_expression a,
                                fw_expression b);

#endif
