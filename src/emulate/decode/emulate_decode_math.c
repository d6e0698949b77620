/* Arithmetic, logic, comparisons: what the operation tables hold, and what goes around it. */
#include "emulate_convert.h"
#include "emulate_decode.h"
#include "emulate_special.h"

#include <string.h>

/* The type whose row serves: itself, else one of the same width without a sign. */
static const enum fw_type unsigned_of[] = {
    [FW_TYPE_S16] = FW_TYPE_U16, [FW_TYPE_S32] = FW_TYPE_U32, [FW_TYPE_S64] = FW_TYPE_U64,
    [FW_TYPE_B16] = FW_TYPE_U16, [FW_TYPE_B32] = FW_TYPE_U32, [FW_TYPE_B64] = FW_TYPE_U64,
    [FW_TYPE_U16] = FW_TYPE_B16, [FW_TYPE_U32] = FW_TYPE_B32, [FW_TYPE_U64] = FW_TYPE_B64,
};

static const struct emulate_operation *find_in(const struct emulate_operation *rows, uint32_t count,
                                               unsigned opcode, unsigned type, unsigned mode,
                                               unsigned flags)
{
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].opcode == opcode && rows[i].type == type && rows[i].mode == mode &&
            rows[i].flags == flags)
            return &rows[i];
    return NULL;
}

static const struct emulate_operation *find(const struct emulate_decoder *decoder, unsigned opcode,
                                            unsigned type, unsigned mode, unsigned flags)
{
    const struct emulate_lanes *lanes = decoder->lanes;
    for (unsigned attempt = 0; attempt < 3 && type; attempt++) {
        const struct emulate_operation *row =
            find_in(lanes->operations, lanes->operation_count, opcode, type, mode, flags);
        if (!row)
            row = find_in(fw_emulate_scalar_operations, fw_emulate_scalar_operation_count, opcode,
                          type, mode, flags);
        if (!row)
            row = find_in(fw_emulate_half_operations, fw_emulate_half_operation_count, opcode, type,
                          mode, flags);
        if (row)
            return row;
        type = type < sizeof(unsigned_of) / sizeof(unsigned_of[0]) ? unsigned_of[type] : 0;
    }
    return NULL;
}

static bool is_half(unsigned type)
{
    return type == FW_TYPE_F16 || type == FW_TYPE_F16X2 || type == FW_TYPE_BF16 ||
           type == FW_TYPE_BF16X2;
}

/* Small parameters that some operations take from modifiers. */
static void set_details(const struct emulate_decoder *decoder, struct emulate_micro *micro)
{
    static const char *const permutations[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    const struct fw_instruction *at = decoder->at;
    switch (at->opcode) {
    case FW_OP_PRMT:
        for (uint8_t i = 0; i < 6; i++)
            if (fw_instruction_has(at, permutations[i]))
                micro->small[0] = (uint8_t)(i + 1);
        break;
    case FW_OP_BFIND:
        micro->small[0] = (at->flags & FW_FLAG_SHIFTAMT) != 0;
        break;
    case FW_OP_DP4A:
    case FW_OP_DP2A:
        micro->small[0] = at->types[0] == FW_TYPE_S32;
        micro->small[1] = at->types[1] == FW_TYPE_S32;
        micro->small[2] = at->mode == FW_MODE_HI;
        break;
    default:
        break;
    }
}

/* After the operation: saturation and relu of floats, in place. */
static void finish_float(struct emulate_decoder *decoder, uint32_t slot, enum fw_type type)
{
    const struct fw_instruction *at = decoder->at;
    if (at->flags & FW_FLAG_SAT) {
        if (type == FW_TYPE_F32) {
            struct emulate_micro *micro =
                fw_emulate_emit(decoder, decoder->lanes->convert[QUICK_SATURATE_F32]);
            micro->d = micro->a = slot;
        } else if (is_half(type)) {
            /* min(max(x, 0), 1); max gives 0 for what is not a number */
            const bool bfloat = type == FW_TYPE_BF16 || type == FW_TYPE_BF16X2;
            const uint32_t one = bfloat ? 0x3f803f80u : 0x3c003c00u;
            const uint32_t bound[2] = {fw_emulate_constant(decoder, 0, 4),
                                       fw_emulate_constant(decoder, one, 4)};
            const unsigned wide = bfloat ? FW_TYPE_BF16X2 : FW_TYPE_F16X2;
            for (unsigned k = 0; k < 2; k++) {
                const struct emulate_operation *row =
                    find(decoder, k ? FW_OP_MIN : FW_OP_MAX, wide, FW_MODE_NONE, 0);
                struct emulate_micro *micro = fw_emulate_emit(decoder, row->run);
                micro->d = micro->a = slot;
                micro->b = bound[k];
            }
            if (type == FW_TYPE_F16 || type == FW_TYPE_BF16) {
                struct emulate_micro *micro =
                    fw_emulate_emit(decoder, decoder->lanes->convert[QUICK_EXTEND_44]);
                micro->d = micro->a = slot;
                micro->immediate = 0xffff;
            }
        } else {
            fw_emulate_refuse(decoder, ".sat of this type");
        }
    }
    if (at->flags & FW_FLAG_RELU) {
        if (!is_half(type)) {
            fw_emulate_refuse(decoder, ".relu of this type");
            return;
        }
        const uint32_t zero = fw_emulate_constant(decoder, 0, 4);
        const struct emulate_operation *row =
            find(decoder, FW_OP_MAX, type, FW_MODE_NONE, OPERATION_NAN);
        struct emulate_micro *micro = fw_emulate_emit(decoder, row->run);
        micro->d = micro->a = slot;
        micro->b = zero;
    }
}

static unsigned operation_flags(const struct fw_instruction *at, unsigned type)
{
    unsigned flags = 0;
    if (at->flags & FW_FLAG_FTZ && type == FW_TYPE_F32)
        flags |= OPERATION_FTZ;
    if (at->flags & FW_FLAG_SAT && fw_type_class((enum fw_type)type) != 'f')
        flags |= OPERATION_SAT;
    if (at->flags & FW_FLAG_NAN)
        flags |= OPERATION_NAN;
    if (at->opcode == FW_OP_SHF || at->opcode == FW_OP_BMSK || at->opcode == FW_OP_SZEXT)
        flags |= at->flags & FW_FLAG_WRAP ? OPERATION_WRAP : OPERATION_CLAMP;
    return flags;
}

/* A source that is first flushed, for operations whose row does not do it. */
static uint32_t flushed_source(struct emulate_decoder *decoder, uint32_t slot)
{
    const uint32_t to = fw_emulate_temporary(decoder, 4);
    struct emulate_micro *micro =
        fw_emulate_emit(decoder, decoder->lanes->convert[QUICK_FLUSH_F32]);
    micro->d = to;
    micro->a = slot;
    return to;
}

/* Type of a source for literals: that of the instruction, or a shift's count. */
static enum fw_type source_type(enum fw_type type, unsigned bytes, unsigned slot_of_type)
{
    if (bytes == slot_of_type)
        return type;
    return bytes == 8 ? FW_TYPE_U64 : FW_TYPE_U32;
}

static bool directed(const struct fw_instruction *at)
{
    return at->rounding == FW_ROUND_RZ || at->rounding == FW_ROUND_RM ||
           at->rounding == FW_ROUND_RP;
}

static void check_modifiers(struct emulate_decoder *decoder, unsigned type)
{
    const struct fw_instruction *at = decoder->at;
    const bool mixed = at->opcode != FW_OP_DP4A && at->opcode != FW_OP_DP2A;
    if (mixed && at->type_count > 1 && at->types[1] != at->types[0])
        fw_emulate_refuse(decoder, "operands of several types");
    if (at->flags & FW_FLAG_ABS)
        fw_emulate_refuse(decoder, ".abs");
    if (at->flags & FW_FLAG_FTZ && is_half(type))
        fw_emulate_refuse(decoder, ".ftz of half precision");
    if (fw_instruction_has(at, "oob"))
        fw_emulate_refuse(decoder, ".oob");
    if ((at->opcode == FW_OP_MIN || at->opcode == FW_OP_MAX) && at->operand_count > 3)
        fw_emulate_refuse(decoder, "three operands");
    if (directed(at) && type != FW_TYPE_F32 && type != FW_TYPE_F64)
        fw_emulate_refuse(decoder, "this rounding of this type");
    if (at->rounding == FW_ROUND_RS)
        fw_emulate_refuse(decoder, "stochastic rounding");
}

static bool decode_row(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const unsigned type = at->types[0];
    unsigned mode = at->mode, flags = operation_flags(at, type);
    if (at->opcode == FW_OP_DP2A)
        mode = FW_MODE_NONE;
    if (at->opcode == FW_OP_BFE || at->opcode == FW_OP_BFIND)
        flags = 0;
    const struct emulate_operation *row = find(decoder, at->opcode, type, mode, flags);
    if (!row && flags & OPERATION_NAN && flags & OPERATION_FTZ)
        row = find(decoder, at->opcode, type, mode, flags & ~(unsigned)OPERATION_FTZ);
    if (!row)
        return false;
    check_modifiers(decoder, type);
    const unsigned slot_bytes = fw_emulate_lane_bytes((enum fw_type)type);
    const uint8_t widths[4] = {row->a, row->b, row->c, 4};
    uint32_t sources[4] = {0, 0, 0, 0};
    for (unsigned k = 0; k + 1 < at->operand_count && k < 4; k++) {
        enum fw_type as = source_type((enum fw_type)type, widths[k], slot_bytes);
        if (k >= 2 && at->opcode == FW_OP_BFI)
            as = FW_TYPE_U32;
        if (k >= 1 &&
            (at->opcode == FW_OP_BFE || at->opcode == FW_OP_SHL || at->opcode == FW_OP_SHR))
            as = FW_TYPE_U32;
        if (k == 2 && at->mode == FW_MODE_WIDE && fw_type_bits((enum fw_type)type) == 16)
            as = FW_TYPE_U32;
        sources[k] = fw_emulate_source(decoder, &at->operands[k + 1], as, widths[k]);
        if (at->flags & FW_FLAG_FTZ && !(row->flags & OPERATION_FTZ) && type == FW_TYPE_F32)
            sources[k] = flushed_source(decoder, sources[k]);
    }
    if (at->operand_count == 0 || at->operand_count > 5) {
        fw_emulate_refuse(decoder, "this number of operands");
        return true;
    }
    if (at->operands[0].kind == FW_OPERAND_PAIR) {
        fw_emulate_refuse(decoder, "two results");
        return true;
    }
    const uint32_t to = fw_emulate_destination(decoder, &at->operands[0], row->d);
    struct emulate_micro *micro = fw_emulate_emit(decoder, row->run);
    micro->d = to;
    micro->a = sources[0];
    micro->b = sources[1];
    micro->c = sources[2];
    micro->e = sources[3];
    set_details(decoder, micro);
    if (directed(at)) {
        micro->inner = micro->run;
        micro->run = fw_emulate_run_rounded;
        micro->small[0] = at->rounding;
    }
    if (fw_type_class((enum fw_type)type) == 'f')
        finish_float(decoder, to, (enum fw_type)type);
    return true;
}

/* Integer additions that take or leave the carry. */
static bool decode_carry(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const bool takes =
        at->opcode == FW_OP_ADDC || at->opcode == FW_OP_SUBC || at->opcode == FW_OP_MADC;
    const bool leaves = (at->flags & FW_FLAG_CARRY_OUT) != 0;
    const enum fw_type type = (enum fw_type)at->types[0];
    if (!takes && !leaves)
        return false;
    const unsigned bytes = fw_emulate_lane_bytes(type);
    uint32_t sources[3] = {0, 0, 0};
    for (unsigned k = 0; k + 1 < at->operand_count && k < 3; k++)
        sources[k] = fw_emulate_source(decoder, &at->operands[k + 1], type, bytes);
    const uint32_t to = fw_emulate_destination(decoder, &at->operands[0], bytes);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_carry);
    micro->d = to;
    micro->a = sources[0];
    micro->b = sources[1];
    micro->c = sources[2];
    const bool subtracts = at->opcode == FW_OP_SUB || at->opcode == FW_OP_SUBC;
    const bool multiplies = at->opcode == FW_OP_MAD || at->opcode == FW_OP_MADC;
    micro->small[0] = subtracts ? 1 : !multiplies ? 0 : at->mode == FW_MODE_HI ? 3 : 2;
    micro->small[1] = takes;
    micro->small[2] = leaves;
    micro->small[3] = (uint8_t)bytes;
    micro->small[4] = fw_type_class(type) == 's';
    return true;
}

static const struct {
    uint8_t kind, type, bytes;
} compared_as[] = {
    {COMPARE_U16, FW_TYPE_U16, 4}, {COMPARE_S16, FW_TYPE_S16, 4}, {COMPARE_U32, FW_TYPE_U32, 4},
    {COMPARE_S32, FW_TYPE_S32, 4}, {COMPARE_U64, FW_TYPE_U64, 8}, {COMPARE_S64, FW_TYPE_S64, 8},
    {COMPARE_F32, FW_TYPE_F32, 4}, {COMPARE_F64, FW_TYPE_F64, 8}, {COMPARE_U16, FW_TYPE_B16, 4},
    {COMPARE_U32, FW_TYPE_B32, 4}, {COMPARE_U64, FW_TYPE_B64, 8},
};

/* A half-precision operand as single precision. */
static uint32_t half_source(struct emulate_decoder *decoder, const struct fw_operand *operand,
                            enum fw_type type)
{
    const uint32_t half = fw_emulate_source(decoder, operand, type, 4);
    const uint32_t to = fw_emulate_temporary(decoder, 4);
    struct emulate_micro *micro = fw_emulate_emit(
        decoder, decoder->lanes->convert[type == FW_TYPE_F16 ? QUICK_F32_F16 : QUICK_F32_BF16]);
    micro->d = to;
    micro->a = half;
    return to;
}

/* Emits a comparison of two operands into a predicate word. */
static void emit_compare(struct emulate_decoder *decoder, const struct fw_operand *a,
                         const struct fw_operand *b, enum fw_type type, unsigned compare,
                         uint32_t word)
{
    uint32_t left, right;
    unsigned kind = COMPARE_KINDS;
    if (type == FW_TYPE_F16 || type == FW_TYPE_BF16) {
        left = half_source(decoder, a, type);
        right = half_source(decoder, b, type);
        kind = COMPARE_F32;
    } else {
        unsigned bytes = 0;
        for (unsigned i = 0; i < sizeof(compared_as) / sizeof(compared_as[0]); i++)
            if (compared_as[i].type == type) {
                kind = compared_as[i].kind;
                bytes = compared_as[i].bytes;
            }
        if (kind == COMPARE_KINDS) {
            fw_emulate_refuse(decoder, "a comparison of this type");
            return;
        }
        left = fw_emulate_source(decoder, a, type, bytes);
        right = fw_emulate_source(decoder, b, type, bytes);
        if (decoder->at->flags & FW_FLAG_FTZ && type == FW_TYPE_F32) {
            left = flushed_source(decoder, left);
            right = flushed_source(decoder, right);
        }
    }
    static const uint8_t unsigned_order[] = {[FW_CMP_LO] = FW_CMP_LT,
                                             [FW_CMP_LS] = FW_CMP_LE,
                                             [FW_CMP_HI] = FW_CMP_GT,
                                             [FW_CMP_HS] = FW_CMP_GE};
    if (compare >= FW_CMP_LO && compare <= FW_CMP_HS) {
        compare = unsigned_order[compare];
        if (kind == COMPARE_S16 || kind == COMPARE_S32 || kind == COMPARE_S64)
            kind--;
    }
    emulate_handler *run = decoder->lanes->compare[kind * COMPARES + compare];
    if (!run) {
        fw_emulate_refuse(decoder, "this comparison of this type");
        return;
    }
    struct emulate_micro *micro = fw_emulate_emit(decoder, run);
    micro->d = word;
    micro->a = left;
    micro->b = right;
}

/* Which logic joins a comparison with a third operand; MOVE: none. */
static unsigned joined_by(const struct fw_instruction *at)
{
    switch (at->mode) {
    case FW_MODE_AND:
        return PREDICATE_AND;
    case FW_MODE_OR:
        return PREDICATE_OR;
    case FW_MODE_XOR:
        return PREDICATE_XOR;
    default:
        return PREDICATE_MOVE;
    }
}

static bool decode_setp(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    const unsigned logic = joined_by(at);
    if (at->operand_count < 3u + (logic != PREDICATE_MOVE)) {
        fw_emulate_refuse(decoder, "an operand is missing");
        return true;
    }
    const struct fw_operand *to = &at->operands[0], *second = NULL;
    if (to->kind == FW_OPERAND_PAIR) {
        second = &to->elements[1];
        to = &to->elements[0];
    }
    const uint32_t word = fw_emulate_destination(decoder, to, 0);
    if (!second && logic == PREDICATE_MOVE) {
        emit_compare(decoder, &at->operands[1], &at->operands[2], type, at->compare, word);
        return true;
    }
    const uint32_t truth = fw_emulate_temporary(decoder, 0);
    emit_compare(decoder, &at->operands[1], &at->operands[2], type, at->compare, truth);
    const uint32_t third =
        logic == PREDICATE_MOVE ? truth : fw_emulate_source(decoder, &at->operands[3], type, 0);
    const uint32_t other = second ? fw_emulate_destination(decoder, second, 0) : 0;
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_combine);
    micro->d = word;
    micro->e = other;
    micro->a = truth;
    micro->b = third;
    micro->small[0] = (uint8_t)logic;
    return true;
}

static bool decode_set(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type to = (enum fw_type)at->types[0], type = (enum fw_type)at->types[1];
    const unsigned logic = joined_by(at);
    if (at->operand_count < 3u + (logic != PREDICATE_MOVE) || at->type_count < 2) {
        fw_emulate_refuse(decoder, "an operand is missing");
        return true;
    }
    const unsigned bytes = fw_emulate_lane_bytes(to);
    const uint32_t truth = fw_emulate_temporary(decoder, 0);
    emit_compare(decoder, &at->operands[1], &at->operands[2], type, at->compare, truth);
    if (logic != PREDICATE_MOVE) {
        const uint32_t third = fw_emulate_source(decoder, &at->operands[3], type, 0);
        struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_combine);
        micro->d = micro->a = truth;
        micro->b = third;
        micro->small[0] = (uint8_t)logic;
    }
    const uint32_t slot = fw_emulate_destination(decoder, &at->operands[0], bytes);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_truth);
    micro->d = slot;
    micro->a = truth;
    micro->small[0] = (uint8_t)bytes;
    micro->immediate = fw_type_class(to) == 'f'
                           ? (int64_t)fw_number_encode(to, 1.0, FW_ROUND_RN, false)
                       : fw_type_bits(to) == 16 ? 0xffff
                                                : -1;
    if (to == FW_TYPE_F16X2 || to == FW_TYPE_BF16X2)
        fw_emulate_refuse(decoder, "packed comparisons");
    return true;
}

static bool decode_select(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    const unsigned bytes = fw_emulate_lane_bytes(type);
    const uint32_t a = fw_emulate_source_at(decoder, 1, type, bytes);
    const uint32_t b = fw_emulate_source_at(decoder, 2, type, bytes);
    uint32_t word;
    if (at->opcode == FW_OP_SELP) {
        word = fw_emulate_source_at(decoder, 3, FW_TYPE_PRED, 0);
    } else {
        const struct fw_operand zero = {.kind = FW_OPERAND_INTEGER, .index = FW_NO_INDEX};
        word = fw_emulate_temporary(decoder, 0);
        if (at->operand_count > 3)
            emit_compare(decoder, &at->operands[3], &zero, (enum fw_type)at->types[1], FW_CMP_GE,
                         word);
    }
    if (at->operand_count < 4 || bytes > 8) {
        fw_emulate_refuse(decoder, "these operands");
        return true;
    }
    const uint32_t to = fw_emulate_destination(decoder, &at->operands[0], bytes);
    struct emulate_micro *micro =
        fw_emulate_emit(decoder, bytes == 8 ? decoder->lanes->select64 : decoder->lanes->select32);
    micro->d = to;
    micro->a = a;
    micro->b = b;
    micro->c = word;
    return true;
}

static bool decode_lop3(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    if (at->operand_count != 5 || at->operands[0].kind == FW_OPERAND_PAIR ||
        at->operands[4].kind != FW_OPERAND_INTEGER) {
        fw_emulate_refuse(decoder, "this form");
        return true;
    }
    uint32_t sources[3];
    for (unsigned k = 0; k < 3; k++)
        sources[k] = fw_emulate_source(decoder, &at->operands[k + 1], FW_TYPE_B32, 4);
    const uint32_t to = fw_emulate_destination(decoder, &at->operands[0], 4);
    struct emulate_micro *micro = fw_emulate_emit(decoder, decoder->lanes->lop3);
    micro->d = to;
    micro->a = sources[0];
    micro->b = sources[1];
    micro->c = sources[2];
    micro->immediate = at->operands[4].immediate;
    return true;
}

static bool decode_test(struct emulate_decoder *decoder)
{
    static const char *const tests[] = {"finite",     "infinite", "number",
                                        "notanumber", "normal",   "subnormal"};
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    const uint32_t a = fw_emulate_source_at(decoder, 1, type, fw_emulate_lane_bytes(type));
    const uint32_t word = fw_emulate_destination(decoder, &at->operands[0], 0);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_test);
    micro->d = word;
    micro->a = a;
    micro->small[1] = type == FW_TYPE_F64;
    bool found = false;
    for (uint8_t i = 0; i < 6; i++)
        if (fw_instruction_has(at, tests[i])) {
            micro->small[0] = i;
            found = true;
        }
    if (!found)
        fw_emulate_refuse(decoder, "this test");
    return true;
}

/* and, or, xor, not of predicates. */
static bool decode_predicate(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const unsigned logic = at->opcode == FW_OP_AND   ? PREDICATE_AND
                           : at->opcode == FW_OP_OR  ? PREDICATE_OR
                           : at->opcode == FW_OP_XOR ? PREDICATE_XOR
                                                     : PREDICATE_NOT;
    const uint32_t a = fw_emulate_source_at(decoder, 1, FW_TYPE_PRED, 0);
    const uint32_t b =
        logic == PREDICATE_NOT ? a : fw_emulate_source_at(decoder, 2, FW_TYPE_PRED, 0);
    const uint32_t word = fw_emulate_destination(decoder, &at->operands[0], 0);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_predicate);
    micro->d = word;
    micro->a = a;
    micro->b = b;
    micro->small[0] = (uint8_t)logic;
    return true;
}

bool fw_emulate_decode_math(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    switch (at->opcode) {
    case FW_OP_SETP:
        return decode_setp(decoder);
    case FW_OP_SET:
        return decode_set(decoder);
    case FW_OP_SELP:
    case FW_OP_SLCT:
        return decode_select(decoder);
    case FW_OP_LOP3:
        return decode_lop3(decoder);
    case FW_OP_TESTP:
        return decode_test(decoder);
    case FW_OP_ADD:
    case FW_OP_ADDC:
    case FW_OP_SUB:
    case FW_OP_SUBC:
    case FW_OP_MAD:
    case FW_OP_MADC:
        return decode_carry(decoder) || decode_row(decoder);
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_NOT:
        return at->types[0] == FW_TYPE_PRED ? decode_predicate(decoder) : decode_row(decoder);
    default:
        return decode_row(decoder);
    }
}
