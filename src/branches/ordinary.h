/* Ordinary numbers: what a register holds for sixty-four points of data that nothing is known of.
 *
 * Data in floating point is finite, not 0, as often negative as positive, and of a magnitude that
 * half precision holds as a normal number, 2^-14 to 2^16, evenly on a logarithmic scale; what
 * arithmetic in floating point gives is such data again.  Integers are up to 2^31, evenly on a
 * logarithmic scale, or as wide as what is loaded; those of 64 bits and unsigned ones are not
 * negative.  Moves, bits, signs, conversions and integer arithmetic are computed; where ways of one
 * number's bits meet, those of the first way stand for all.  The points are the same in every run.
 *
 * Four more points show what a test of a number's bits asks: 1, -1, infinity and the least number,
 * of each datum in floating point. */
#ifndef FW_ORDINARY_H
#define FW_ORDINARY_H

#include "arena.h"
#include "ir.h"

enum {
    FW_ORDINARY_POINTS = 64,
    FW_ORDINARY_ONE = FW_ORDINARY_POINTS,
    FW_ORDINARY_MINUS_ONE,
    FW_ORDINARY_INFINITY,
    FW_ORDINARY_LEAST, /* a denormal number */
    FW_ORDINARY_LANES
};

struct fw_ordinary_lanes {
    uint64_t at[FW_ORDINARY_LANES]; /* bits, those beyond the value's width 0 */
    bool from_float; /* bits of a number in floating point, or what is left of them */
    bool rounded;    /* of that, what a conversion rounded to an integer */
};

struct fw_ordinary;

/* What values of a function are on ordinary data: found when they are asked for, in the arena. */
struct fw_ordinary *fw_ordinary_new(struct fw_arena *arena, const struct fw_function *function);

/* The values of an SSA value that is used as `type`; they live as long as the arena. */
const struct fw_ordinary_lanes *fw_ordinary_value(struct fw_ordinary *ordinary, uint32_t value,
                                                  enum fw_type type);

/* The values of an operand of this type: register, number; false: another kind. */
bool fw_ordinary_operand(struct fw_ordinary *ordinary, const struct fw_operand *operand,
                         enum fw_type type, struct fw_ordinary_lanes *to);

/* What a comparison (setp, set or testp) asks, of its own operands alone. */
struct fw_ordinary_test {
    uint32_t holds;  /* at how many of the points; FW_ORDINARY_POINTS / 2: it is not modelled */
    bool from_float; /* it compares a number in floating point, or its bits */
    bool rounded;    /* it compares an integer that such a number was rounded to */
    /* A comparison of the bits of one number that tells ordinary positive ones from negative ones,
     * and puts infinity or denormal numbers beside the latter: the test of a function, such as a
     * logarithm, whose argument is positive.  `positive`: it holds for these. */
    bool asks_positive, positive;
};
struct fw_ordinary_test fw_ordinary_holds(struct fw_ordinary *ordinary,
                                          const struct fw_instruction *at);

/* The register behind copies: moves of a value as it is. */
uint32_t fw_ordinary_source(const struct fw_function *function, uint32_t value);

#endif
