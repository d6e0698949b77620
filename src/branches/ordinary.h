/* Ordinary numbers: what a register holds for sixty-four points of data that nothing is known of.
 *
 * Data in floating point is finite, not 0, as often negative as positive, and of a magnitude that
 * half precision holds as a normal number, 2^-14 to 2^16, evenly on a logarithmic scale; what
 * arithmetic in floating point gives is such data again.  Integers are up to 2^31, evenly on a
 * logarithmic scale, or as wide as what is loaded; those of 64 bits and unsigned ones are not
 * negative.  Moves, bits, signs, conversions and integer arithmetic are computed.  The points are
 * the same in every run. */
#ifndef FW_ORDINARY_H
#define FW_ORDINARY_H

#include "arena.h"
#include "ir.h"

enum { FW_ORDINARY_POINTS = 64 };

struct fw_ordinary_lanes {
    uint64_t at[FW_ORDINARY_POINTS]; /* bits, those beyond the value's width 0 */
    bool from_float; /* bits of a number in floating point, or what is left of them */
};

struct fw_ordinary;

struct fw_ordinary *fw_ordinary_new(struct fw_arena *arena, const struct fw_function *function);

/* The values of an SSA value that is used as `type`; they live as long as the arena. */
const struct fw_ordinary_lanes *fw_ordinary_value(struct fw_ordinary *ordinary, uint32_t value,
                                                  enum fw_type type);

/* The values of an operand of this type: register, number; false: another kind. */
bool fw_ordinary_operand(struct fw_ordinary *ordinary, const struct fw_operand *operand,
                         enum fw_type type, struct fw_ordinary_lanes *to);

/* At how many of the points a comparison (setp, set or testp) holds, of its own operands alone;
 * FW_ORDINARY_POINTS / 2 where that is not modelled. */
uint32_t fw_ordinary_holds(struct fw_ordinary *ordinary, const struct fw_instruction *at,
                           bool *from_float);

/* The register behind copies: moves of a value as it is. */
uint32_t fw_ordinary_source(const struct fw_function *function, uint32_t value);

#endif
