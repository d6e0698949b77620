#include "ordinary_internal.h"

#include <math.h>

enum { DEEPEST = 48, POINTS = FW_ORDINARY_POINTS, LANES = FW_ORDINARY_LANES, MOST_VALUES = 4000 };

struct fw_ordinary {
    struct fw_arena *arena;
    const struct fw_function *function;
    struct fw_ordinary_lanes **known[2]; /* by value: used as bits or integers, as floats */
    uint32_t depth, values;
};

struct fw_ordinary *fw_ordinary_new(struct fw_arena *arena, const struct fw_function *function)
{
    struct fw_ordinary *ordinary = FW_NEW(arena, struct fw_ordinary);
    ordinary->arena = arena;
    ordinary->function = function;
    for (int f = 0; f < 2; f++)
        ordinary->known[f] = FW_ARRAY(arena, struct fw_ordinary_lanes *, function->value_count + 1);
    return ordinary;
}

/* ---- data that nothing is known of ---- */

static uint64_t scramble(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Number `point` of an even cover of 0 to 1; values are covered in orders of their own. */
static double position(uint64_t value, uint32_t point, uint32_t of)
{
    uint64_t order = scramble(value + 1);
    uint64_t at = (point * (order | 1) + (order >> 32)) % of;
    uint64_t within = scramble(order + at) >> 11;
    return ((double)at + (double)within * 0x1p-53) / of;
}

/* The number of one of the lanes behind the points. */
static double extreme(uint32_t lane, enum fw_type type)
{
    return lane == FW_ORDINARY_ONE         ? 1
           : lane == FW_ORDINARY_MINUS_ONE ? -1
           : lane == FW_ORDINARY_INFINITY  ? (double)INFINITY
           : type == FW_TYPE_F64           ? 0x1p-1074
                                           : 0x1p-149;
}

static void draw(uint32_t value, enum fw_type type, struct fw_ordinary_lanes *to)
{
    enum { LEAST = -14, BINADES = 30, LARGEST_BITS = 31 };
    unsigned bits = fw_type_bits(type), width = bits < LARGEST_BITS + 1 ? bits : LARGEST_BITS;
    char class = fw_type_class(type);
    bool negative = class == 's' || (class == 'b' && bits == 32);
    if (negative && bits <= LARGEST_BITS)
        width = bits - 1;
    to->from_float = is_float(type);
    to->rounded = false;
    for (uint32_t p = 0; p < POINTS; p++) {
        double at = position(value, p / 2, POINTS / 2);
        bool minus = (scramble(value) + p) & 1;
        if (to->from_float) {
            double magnitude = exp2(LEAST + BINADES * at);
            to->at[p] = from_double(minus ? -magnitude : magnitude, type);
            continue;
        }
        int64_t whole = bits < 2 ? (int64_t)(p & 1) : (int64_t)exp2(width * at);
        to->at[p] = (uint64_t)(minus && negative && bits < 64 ? -whole : whole) & mask_of(bits);
    }
    for (uint32_t p = POINTS; p < LANES; p++)
        to->at[p] = to->from_float ? from_double(extreme(p, type), type) : to->at[p - POINTS];
}

/* The type that data of an SSA value has: as it was made, else as it is used. */
static enum fw_type type_of(const struct fw_function *function, uint32_t value, enum fw_type used)
{
    const struct fw_value *origin = &function->values[value];
    enum fw_type held = function->registers[origin->reg].type, type = held;
    if (origin->kind == FW_VALUE_INSTRUCTION) {
        const struct fw_instruction *at = &function->instructions[origin->definition];
        bool loads = at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU;
        if (at->type_count && at->opcode != FW_OP_SETP &&
            (loads || fw_type_bits(at->types[0]) == fw_type_bits(held)))
            type = at->types[0];
    }
    if (fw_type_class(held) == 'f')
        type = held;
    /* A load says how wide it is, and what uses it whether it has a sign. */
    bool bare = (fw_type_class(type) == 'b' || fw_type_class(type) == 'u') &&
                fw_type_class(used) != 'p' && fw_type_bits(type) == fw_type_bits(used);
    return bare ? used : type;
}

/* ---- operations ---- */

bool fw_ordinary_operand(struct fw_ordinary *ordinary, const struct fw_operand *operand,
                         enum fw_type type, struct fw_ordinary_lanes *to)
{
    unsigned bits = fw_type_bits(type);
    uint64_t number = (uint64_t)operand->immediate;
    switch ((enum fw_operand_kind)operand->kind) {
    case FW_OPERAND_REGISTER:
        if (operand->value == FW_NO_INDEX)
            return false;
        *to = *fw_ordinary_value(ordinary, operand->value, type);
        for (uint32_t p = 0; operand->negated && p < LANES; p++)
            to->at[p] = is_float(type)
                            ? to->at[p] ^ (uint64_t)1 << (bits - 1)
                            : (type == FW_TYPE_PRED ? ~to->at[p] : 0 - to->at[p]) & mask_of(bits);
        return true;
    case FW_OPERAND_FLOAT:
        if (is_float(type) && operand->single != (type == FW_TYPE_F32))
            number =
                from_double(as_double(number, operand->single ? FW_TYPE_F32 : FW_TYPE_F64), type);
        break;
    case FW_OPERAND_INTEGER:
        number = operand->negated ? 0 - number : number;
        break;
    default:
        return false;
    }
    to->from_float = to->rounded = false;
    for (uint32_t p = 0; p < LANES; p++)
        to->at[p] = number & mask_of(bits);
    return true;
}

/* A predicate that set and setp define, with what it is combined with. */
static bool predicate(struct fw_ordinary *ordinary, const struct fw_instruction *at, uint32_t slot,
                      struct fw_ordinary_lanes *to)
{
    const struct fw_operand *third = at->operands + at->destinations + 2;
    struct fw_ordinary_lanes other;
    if (!ordinary_compare(ordinary, at, to))
        return false;
    for (uint32_t p = 0; slot == 1 && p < LANES; p++)
        to->at[p] = !to->at[p];
    if (at->opcode == FW_OP_TESTP || at->mode == FW_MODE_NONE ||
        at->operand_count <= at->destinations + 2)
        return true;
    if (!fw_ordinary_operand(ordinary, third, FW_TYPE_PRED, &other))
        return false;
    for (uint32_t p = 0; p < LANES; p++)
        to->at[p] = at->mode == FW_MODE_AND  ? to->at[p] & other.at[p]
                    : at->mode == FW_MODE_OR ? to->at[p] | other.at[p]
                                             : to->at[p] ^ other.at[p];
    return true;
}

/* Moves into and out of vectors of registers. */
static bool move(struct fw_ordinary *ordinary, const struct fw_instruction *at, uint32_t slot,
                 struct fw_ordinary_lanes *to)
{
    const struct fw_operand *out = &at->operands[0], *in = &at->operands[1];
    enum fw_type type = at->types[0];
    unsigned bits = fw_type_bits(type);
    if (at->operand_count != 2 || bits > 64)
        return false;
    if (out->kind == FW_OPERAND_VECTOR && out->count) {
        uint32_t element = 0, defined = 0;
        for (; element < out->count; element++)
            if (out->elements[element].kind == FW_OPERAND_REGISTER && defined++ == slot)
                break;
        unsigned part = bits / out->count;
        if (!part || !fw_ordinary_operand(ordinary, in, type, to))
            return false;
        for (uint32_t p = 0; p < LANES; p++)
            to->at[p] = to->at[p] >> element % out->count * part & mask_of(part);
        return true;
    }
    if (in->kind != FW_OPERAND_VECTOR)
        return fw_ordinary_operand(ordinary, in, type, to);
    *to = (struct fw_ordinary_lanes){.from_float = false};
    for (uint32_t e = 0; e < in->count; e++) {
        struct fw_ordinary_lanes part;
        unsigned width = bits / in->count;
        if (in->elements[e].kind != FW_OPERAND_REGISTER ||
            !fw_ordinary_operand(ordinary, &in->elements[e],
                                 width == 32 ? FW_TYPE_B32 : FW_TYPE_B16, &part))
            return false;
        to->from_float |= part.from_float;
        to->rounded |= part.rounded;
        for (uint32_t p = 0; p < LANES; p++)
            to->at[p] |= (part.at[p] & mask_of(width)) << e * width;
    }
    return true;
}

static double rounded(double x, enum fw_rounding rounding)
{
    switch (rounding) {
    case FW_ROUND_RZI:
    case FW_ROUND_RZ:
        return trunc(x);
    case FW_ROUND_RMI:
    case FW_ROUND_RM:
        return floor(x);
    case FW_ROUND_RPI:
    case FW_ROUND_RP:
        return ceil(x);
    default:
        return nearbyint(x);
    }
}

static bool convert(struct fw_ordinary *ordinary, const struct fw_instruction *at,
                    struct fw_ordinary_lanes *to)
{
    enum fw_type target = at->types[0], source = at->type_count > 1 ? at->types[1] : at->types[0];
    bool from = is_float(source), into = is_float(target);
    unsigned bits = fw_type_bits(target), width = fw_type_bits(source);
    if ((!from && fw_type_class(source) == 'f') || (!into && fw_type_class(target) == 'f') ||
        bits > 64 || width == 0 || width > 64 || at->operand_count < 2 ||
        !fw_ordinary_operand(ordinary, &at->operands[1], source, to))
        return false;
    bool whole = at->rounding == FW_ROUND_RNI || at->rounding == FW_ROUND_RZI ||
                 at->rounding == FW_ROUND_RMI || at->rounding == FW_ROUND_RPI;
    for (uint32_t p = 0; p < LANES; p++) {
        int64_t integer = fw_type_class(source) == 's' ? as_signed(to->at[p], width)
                                                       : (int64_t)(to->at[p] & mask_of(width));
        double x = from ? as_double(to->at[p], source) : (double)integer;
        if (from && (whole || !into))
            x = rounded(x, (enum fw_rounding)at->rounding);
        if (into)
            to->at[p] = from_double(x, target);
        else
            to->at[p] =
                (uint64_t)(from ? (fabs(x) < 0x1p62 ? (int64_t)x : 0) : integer) & mask_of(bits);
    }
    to->rounded = !into && (from || to->rounded);
    to->from_float = into || to->from_float;
    return true;
}

static bool sign(struct fw_ordinary *ordinary, const struct fw_instruction *at,
                 struct fw_ordinary_lanes *to)
{
    enum fw_type type = at->types[0];
    unsigned bits = fw_type_bits(type);
    if (bits < 8 || bits > 64 || (fw_type_class(type) == 'f' && !is_float(type)) ||
        at->operand_count < 2 || !fw_ordinary_operand(ordinary, &at->operands[1], type, to))
        return false;
    uint64_t top = (uint64_t)1 << (bits - 1);
    bool absolute = at->opcode == FW_OP_ABS;
    for (uint32_t p = 0; p < LANES; p++) {
        if (is_float(type))
            to->at[p] = absolute ? to->at[p] & ~top : to->at[p] ^ top;
        else if (!absolute || to->at[p] & top)
            to->at[p] = (0 - to->at[p]) & mask_of(bits);
    }
    return true;
}

static uint64_t integer_of(const struct fw_instruction *at, enum fw_type type, const uint64_t *x)
{
    unsigned bits = fw_type_bits(type);
    bool is_signed = fw_type_class(type) == 's';
    int64_t a = as_signed(x[0], bits), b = as_signed(x[1], bits);
    uint64_t shift = x[1] & UINT32_MAX;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_ADD:
        return x[0] + x[1];
    case FW_OP_SUB:
        return x[0] - x[1];
    case FW_OP_AND:
        return x[0] & x[1];
    case FW_OP_OR:
        return x[0] | x[1];
    case FW_OP_XOR:
        return x[0] ^ x[1];
    case FW_OP_NOT:
        return ~x[0];
    case FW_OP_MUL:
        return x[0] * x[1];
    case FW_OP_MAD:
        return x[0] * x[1] + x[2];
    case FW_OP_SHL:
        return shift < bits ? x[0] << shift : 0;
    case FW_OP_SHR:
        if (is_signed)
            return (uint64_t)(a >> (shift < bits ? shift : bits - 1));
        return shift < bits ? x[0] >> shift : 0;
    case FW_OP_MIN:
        return is_signed ? (uint64_t)(a < b ? a : b) : x[0] < x[1] ? x[0] : x[1];
    case FW_OP_MAX:
        return is_signed ? (uint64_t)(a > b ? a : b) : x[0] > x[1] ? x[0] : x[1];
    case FW_OP_POPC:
        return (uint64_t)__builtin_popcountll(x[0]);
    default: /* BFE, unsigned */
        return shift < bits ? x[0] >> shift & mask_of((unsigned)(x[2] & 63)) : 0;
    }
}

/* Integers and bits that are computed as they are. */
static bool combine(struct fw_ordinary *ordinary, const struct fw_instruction *at,
                    struct fw_ordinary_lanes *to)
{
    enum fw_type type = at->types[0], result = type;
    uint32_t count = (uint32_t)at->operand_count - at->destinations;
    struct fw_ordinary_lanes in[3] = {{.from_float = false}};
    unsigned bits = fw_type_bits(type);
    bool wide = at->mode == FW_MODE_WIDE;
    if (fw_type_class(type) == 'f' || bits == 0 || bits > 64 || count == 0 || count > 3 ||
        at->mode == FW_MODE_HI || at->flags & (FW_FLAG_CARRY_OUT | FW_FLAG_SAT) ||
        (at->opcode == FW_OP_BFE && fw_type_class(type) == 's'))
        return false;
    if (wide)
        result = bits == 16 ? FW_TYPE_S32 : FW_TYPE_S64;
    to->from_float = to->rounded = false;
    for (uint32_t o = 0; o < count; o++) {
        bool shifts = o > 0 && (at->opcode == FW_OP_SHL || at->opcode == FW_OP_SHR ||
                                at->opcode == FW_OP_BFE);
        enum fw_type of = shifts ? FW_TYPE_U32 : wide && o == 2 ? result : type;
        if (!fw_ordinary_operand(ordinary, &at->operands[at->destinations + o], of, &in[o]))
            return false;
        to->from_float |= in[o].from_float;
        to->rounded |= in[o].rounded;
        for (uint32_t p = 0; wide && o < 2 && fw_type_class(type) == 's' && p < LANES; p++)
            in[o].at[p] = (uint64_t)as_signed(in[o].at[p], bits);
    }
    for (uint32_t p = 0; p < LANES; p++) {
        const uint64_t x[3] = {in[0].at[p], in[1].at[p], in[2].at[p]};
        to->at[p] = integer_of(at, wide ? result : type, x) & mask_of(fw_type_bits(result));
    }
    return true;
}

static bool choose(struct fw_ordinary *ordinary, const struct fw_instruction *at,
                   struct fw_ordinary_lanes *to)
{
    struct fw_ordinary_lanes x, y, chosen;
    if (at->operand_count != 4 ||
        !fw_ordinary_operand(ordinary, &at->operands[1], at->types[0], &x) ||
        !fw_ordinary_operand(ordinary, &at->operands[2], at->types[0], &y) ||
        !fw_ordinary_operand(ordinary, &at->operands[3], FW_TYPE_PRED, &chosen))
        return false;
    to->from_float = x.from_float || y.from_float;
    to->rounded = x.rounded || y.rounded;
    for (uint32_t p = 0; p < LANES; p++)
        to->at[p] = chosen.at[p] ? x.at[p] : y.at[p];
    return true;
}

/* False: what the instruction gives is data. */
static bool compute(struct fw_ordinary *ordinary, const struct fw_instruction *at, uint32_t slot,
                    struct fw_ordinary_lanes *to)
{
    if (at->slot && at->guard == FW_NO_INDEX && at->operand_count > 1)
        return fw_ordinary_operand(ordinary, at->opcode == FW_OP_LD ? at->slot : &at->operands[1],
                                   at->types[0], to);
    if (at->guard != FW_NO_INDEX || at->slot || at->destinations != 1)
        return false;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MOV:
        return move(ordinary, at, slot, to);
    case FW_OP_SETP:
    case FW_OP_TESTP:
        return predicate(ordinary, at, slot, to);
    case FW_OP_SELP:
        return choose(ordinary, at, to);
    case FW_OP_CVT:
        return convert(ordinary, at, to);
    case FW_OP_ABS:
    case FW_OP_NEG:
        return sign(ordinary, at, to);
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_MUL:
    case FW_OP_MAD:
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_NOT:
    case FW_OP_SHL:
    case FW_OP_SHR:
    case FW_OP_MIN:
    case FW_OP_MAX:
    case FW_OP_POPC:
    case FW_OP_BFE:
        return combine(ordinary, at, to);
    default:
        return false;
    }
}

/* Where ways meet that bring bits of numbers in floating point: those of the first.  False: the
 * block is the header of a loop, or a way brings something else. */
static bool meet(struct fw_ordinary *ordinary, const struct fw_value *origin, enum fw_type type,
                 struct fw_ordinary_lanes *to)
{
    const struct fw_function *function = ordinary->function;
    const struct fw_block *block = &function->blocks[origin->block];
    if (fw_type_class(type) == 'f' || block->predecessor_count == 0 ||
        (block->loop != FW_NO_INDEX && function->loops[block->loop].header == origin->block))
        return false;
    for (uint32_t p = block->predecessor_count; p-- > 0;) {
        uint32_t input = block->phis[origin->definition].inputs[p];
        if (input == FW_NO_INDEX)
            return false;
        *to = *fw_ordinary_value(ordinary, input, type);
        if (!to->from_float)
            return false;
    }
    return true;
}

const struct fw_ordinary_lanes *fw_ordinary_value(struct fw_ordinary *ordinary, uint32_t value,
                                                  enum fw_type type)
{
    const struct fw_value *origin = &ordinary->function->values[value];
    struct fw_ordinary_lanes **known = &ordinary->known[fw_type_class(type) == 'f'][value];
    if (*known)
        return *known;
    struct fw_ordinary_lanes *lanes = FW_NEW(ordinary->arena, struct fw_ordinary_lanes);
    bool computed = false;
    if ((origin->kind == FW_VALUE_INSTRUCTION || origin->kind == FW_VALUE_PHI) &&
        ordinary->depth < DEEPEST && ordinary->values++ < MOST_VALUES) {
        ordinary->depth++;
        computed = origin->kind == FW_VALUE_PHI
                       ? meet(ordinary, origin, type, lanes)
                       : compute(ordinary, &ordinary->function->instructions[origin->definition],
                                 origin->slot, lanes);
        ordinary->depth--;
    }
    if (!computed)
        draw(value, type_of(ordinary->function, value, type), lanes);
    return *known = lanes;
}

uint32_t fw_ordinary_source(const struct fw_function *function, uint32_t value)
{
    for (unsigned moves = 0; moves < DEEPEST && value != FW_NO_INDEX; moves++) {
        const struct fw_value *origin = &function->values[value];
        if (origin->kind != FW_VALUE_INSTRUCTION)
            break;
        const struct fw_instruction *at = &function->instructions[origin->definition];
        if (at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->operand_count != 2 ||
            at->operands[0].kind != FW_OPERAND_REGISTER ||
            at->operands[1].kind != FW_OPERAND_REGISTER)
            break;
        value = at->operands[1].value;
    }
    return value;
}
