/* At which ordinary numbers a comparison holds, and what it asks of a number. */
#include "ordinary_internal.h"

#include <math.h>

static bool compare_floats(enum fw_compare compare, double x, double y, bool *holds)
{
    bool ordered = !isnan(x) && !isnan(y);
    switch (compare) {
    case FW_CMP_EQ:
    case FW_CMP_EQU:
        *holds = ordered ? x <= y && x >= y : compare == FW_CMP_EQU;
        return true;
    case FW_CMP_NE:
    case FW_CMP_NEU:
        *holds = ordered ? x < y || x > y : compare == FW_CMP_NEU;
        return true;
    case FW_CMP_LT:
    case FW_CMP_LTU:
        *holds = ordered ? x < y : compare == FW_CMP_LTU;
        return true;
    case FW_CMP_LE:
    case FW_CMP_LEU:
        *holds = ordered ? x <= y : compare == FW_CMP_LEU;
        return true;
    case FW_CMP_GT:
    case FW_CMP_GTU:
        *holds = ordered ? x > y : compare == FW_CMP_GTU;
        return true;
    case FW_CMP_GE:
    case FW_CMP_GEU:
        *holds = ordered ? x >= y : compare == FW_CMP_GEU;
        return true;
    case FW_CMP_NUM:
    case FW_CMP_NAN:
        *holds = ordered == (compare == FW_CMP_NUM);
        return true;
    default:
        return false;
    }
}

static bool compare_integers(enum fw_compare compare, enum fw_type type, uint64_t x, uint64_t y,
                             bool *holds)
{
    unsigned bits = fw_type_bits(type);
    bool is_unsigned = fw_type_class(type) != 's';
    int64_t a = as_signed(x, bits), b = as_signed(y, bits);
    switch (compare) {
    case FW_CMP_EQ:
        *holds = x == y;
        return true;
    case FW_CMP_NE:
        *holds = x != y;
        return true;
    case FW_CMP_LO:
    case FW_CMP_LT:
        *holds = is_unsigned || compare == FW_CMP_LO ? x < y : a < b;
        return true;
    case FW_CMP_LS:
    case FW_CMP_LE:
        *holds = is_unsigned || compare == FW_CMP_LS ? x <= y : a <= b;
        return true;
    case FW_CMP_HI:
    case FW_CMP_GT:
        *holds = is_unsigned || compare == FW_CMP_HI ? x > y : a > b;
        return true;
    case FW_CMP_HS:
    case FW_CMP_GE:
        *holds = is_unsigned || compare == FW_CMP_HS ? x >= y : a >= b;
        return true;
    default:
        return false;
    }
}

/* testp: what kind of number it is. */
static bool test_number(const struct fw_instruction *at, double x, bool *holds)
{
    int kind = fpclassify(x);
    if (fw_instruction_has(at, "finite"))
        *holds = kind != FP_NAN && kind != FP_INFINITE;
    else if (fw_instruction_has(at, "infinite"))
        *holds = kind == FP_INFINITE;
    else if (fw_instruction_has(at, "number"))
        *holds = kind != FP_NAN;
    else if (fw_instruction_has(at, "notanumber"))
        *holds = kind == FP_NAN;
    else if (fw_instruction_has(at, "normal"))
        *holds = kind == FP_NORMAL;
    else if (fw_instruction_has(at, "subnormal"))
        *holds = kind == FP_SUBNORMAL;
    else
        return false;
    return true;
}

bool ordinary_compare(struct fw_ordinary *ordinary, const struct fw_instruction *at,
                      struct fw_ordinary_lanes *to)
{
    const struct fw_operand *in = at->operands + at->destinations;
    enum fw_type type = at->opcode == FW_OP_SET && at->type_count > 1 ? at->types[1] : at->types[0];
    struct fw_ordinary_lanes x, y = {0};
    bool tests = at->opcode == FW_OP_TESTP, floats = is_float(type), done = true;
    if (at->operand_count < at->destinations + (tests ? 1 : 2) ||
        (!floats && (fw_type_class(type) == 'f' || fw_type_class(type) == 'p' ||
                     fw_type_bits(type) == 0 || fw_type_bits(type) > 64)) ||
        (tests && !floats) || !fw_ordinary_operand(ordinary, &in[0], type, &x) ||
        (!tests && !fw_ordinary_operand(ordinary, &in[1], type, &y)))
        return false;
    to->from_float = x.from_float || y.from_float;
    to->rounded = x.rounded || y.rounded;
    for (uint32_t p = 0; p < FW_ORDINARY_LANES && done; p++) {
        bool holds = false;
        if (tests)
            done = test_number(at, as_double(x.at[p], type), &holds);
        else if (floats)
            done = compare_floats((enum fw_compare)at->compare, as_double(x.at[p], type),
                                  as_double(y.at[p], type), &holds);
        else
            done = compare_integers((enum fw_compare)at->compare, type, x.at[p], y.at[p], &holds);
        to->at[p] = holds;
    }
    return done;
}

/* Whether even and odd points, which have different signs where one number was drawn, differ, and
 * extreme positive numbers go with the negative ones. */
static bool asks_positive(const struct fw_ordinary_lanes *holds)
{
    const uint64_t *at = holds->at;
    for (uint32_t p = 0; p < FW_ORDINARY_POINTS; p++)
        if (at[p] != at[p & 1])
            return false;
    return at[0] != at[1] && at[FW_ORDINARY_ONE] != at[FW_ORDINARY_MINUS_ONE] &&
           (at[FW_ORDINARY_INFINITY] == at[FW_ORDINARY_MINUS_ONE] ||
            at[FW_ORDINARY_LEAST] == at[FW_ORDINARY_MINUS_ONE]);
}

struct fw_ordinary_test fw_ordinary_holds(struct fw_ordinary *ordinary,
                                          const struct fw_instruction *at)
{
    struct fw_ordinary_lanes lanes;
    struct fw_ordinary_test test = {.holds = FW_ORDINARY_POINTS / 2};
    if (!ordinary_compare(ordinary, at, &lanes))
        return test;
    const bool bits =
        lanes.from_float && !lanes.rounded && at->opcode == FW_OP_SETP && !is_float(at->types[0]);
    test = (struct fw_ordinary_test){.from_float = lanes.from_float,
                                     .rounded = lanes.rounded,
                                     .asks_positive = bits && asks_positive(&lanes),
                                     .positive = lanes.at[FW_ORDINARY_ONE] != 0};
    for (uint32_t p = 0; p < FW_ORDINARY_POINTS; p++)
        test.holds += lanes.at[p] != 0;
    return test;
}
