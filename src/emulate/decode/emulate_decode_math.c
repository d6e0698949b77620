/* Arithmetic and logic: what the operation tables hold, and what goes around it. */
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

const struct emulate_operation *fw_emulate_operation(const struct emulate_decoder *decoder,
                                                     unsigned opcode, unsigned type, unsigned mode,
                                                     unsigned flags)
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
                    fw_emulate_operation(decoder, k ? FW_OP_MIN : FW_OP_MAX, wide, FW_MODE_NONE, 0);
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
            fw_emulate_operation(decoder, FW_OP_MAX, type, FW_MODE_NONE, OPERATION_NAN);
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

uint32_t fw_emulate_flushed(struct emulate_decoder *decoder, uint32_t slot)
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
    const struct emulate_operation *row =
        fw_emulate_operation(decoder, at->opcode, type, mode, flags);
    if (!row && flags & OPERATION_NAN && flags & OPERATION_FTZ)
        row =
            fw_emulate_operation(decoder, at->opcode, type, mode, flags & ~(unsigned)OPERATION_FTZ);
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
            sources[k] = fw_emulate_flushed(decoder, sources[k]);
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
    case FW_OP_SET:
    case FW_OP_SELP:
    case FW_OP_SLCT:
        return fw_emulate_decode_compare(decoder);
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
