/* Moves, conversions, packing, addresses. */
#include "emulate_convert.h"
#include "emulate_decode.h"
#include "emulate_special.h"

static void emit_move(struct emulate_decoder *decoder, uint32_t to, uint32_t from, unsigned bytes)
{
    const struct emulate_lanes *lanes = decoder->lanes;
    for (unsigned plane = 0; plane < (bytes == 16 ? 2u : 1u); plane++) {
        struct emulate_micro *micro =
            fw_emulate_emit(decoder, bytes == 4 ? lanes->move32 : lanes->move64);
        micro->d = to + plane * 8 * LANES;
        micro->a = from + plane * 8 * LANES;
    }
}

/* mov {a,b,..}, x */
static void decode_unpack(struct emulate_decoder *decoder, const struct fw_operand *to,
                          const struct fw_operand *from, enum fw_type type)
{
    const unsigned bytes = fw_emulate_lane_bytes(type);
    const unsigned part = fw_type_bits(type) / to->count;
    uint32_t slot = fw_emulate_source(decoder, from, type, bytes);
    if (part == 0 || (part & (part - 1))) {
        fw_emulate_refuse(decoder, "this number of parts");
        return;
    }
    /* The source may be one of the destinations: parts are taken from a copy. */
    const uint32_t copy = fw_emulate_temporary(decoder, bytes);
    emit_move(decoder, copy, slot, bytes);
    for (unsigned k = 0; k < to->count; k++) {
        if (to->elements[k].kind == FW_OPERAND_SINK)
            continue;
        if (to->elements[k].kind != FW_OPERAND_REGISTER) {
            fw_emulate_refuse(decoder, "a part that is no register");
            return;
        }
        const struct emulate_slot target = fw_emulate_register(decoder, &to->elements[k]);
        if (target.lane_bytes == 0 || target.lane_bytes * 8u < part) {
            fw_emulate_refuse(decoder, "a part's register is too small");
            return;
        }
        struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_extract);
        micro->d = target.offset;
        micro->a = copy;
        micro->immediate = k * part;
        micro->small[0] = (uint8_t)bytes;
        micro->small[1] = target.lane_bytes;
        micro->small[2] = (uint8_t)part;
    }
}

/* mov x, {a,b,..} */
static void decode_pack(struct emulate_decoder *decoder, const struct fw_operand *to,
                        const struct fw_operand *from, enum fw_type type)
{
    const unsigned bytes = fw_emulate_lane_bytes(type);
    const unsigned part = fw_type_bits(type) / from->count;
    const enum fw_type part_type = part == 64   ? FW_TYPE_B64
                                   : part == 32 ? FW_TYPE_B32
                                   : part == 16 ? FW_TYPE_B16
                                                : FW_TYPE_B8;
    const uint32_t whole = fw_emulate_temporary(decoder, bytes);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_clear);
    micro->d = whole;
    micro->small[1] = (uint8_t)bytes;
    for (unsigned k = 0; k < from->count; k++) {
        unsigned part_bytes = part == 64 ? 8 : 4;
        if (from->elements[k].kind == FW_OPERAND_REGISTER)
            part_bytes = fw_emulate_register(decoder, &from->elements[k]).lane_bytes;
        const uint32_t slot = fw_emulate_source(decoder, &from->elements[k], part_type, part_bytes);
        micro = fw_emulate_emit(decoder, fw_emulate_run_insert);
        micro->d = whole;
        micro->a = slot;
        micro->immediate = k * part;
        micro->small[0] = (uint8_t)part_bytes;
        micro->small[1] = (uint8_t)bytes;
        micro->small[2] = (uint8_t)part;
    }
    const uint32_t slot = fw_emulate_destination(decoder, to, bytes);
    emit_move(decoder, slot, whole, bytes);
}

static bool decode_mov(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    if (at->operand_count != 2) {
        fw_emulate_refuse(decoder, "this number of operands");
        return true;
    }
    const enum fw_type type = (enum fw_type)at->types[0];
    const struct fw_operand *to = &at->operands[0], *from = &at->operands[1];
    const bool to_vector = to->kind == FW_OPERAND_VECTOR;
    const bool from_vector = from->kind == FW_OPERAND_VECTOR;
    if (type == FW_TYPE_PRED) {
        const uint32_t word = fw_emulate_source(decoder, from, type, 0);
        const uint32_t target = fw_emulate_destination(decoder, to, 0);
        struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_predicate);
        micro->d = target;
        micro->a = micro->b = word;
        return true;
    }
    const unsigned bytes = fw_emulate_lane_bytes(type);
    if (to_vector && from_vector) {
        for (unsigned k = 0; k < to->count && k < from->count; k++) {
            const uint32_t slot = fw_emulate_source(decoder, &from->elements[k], type, bytes);
            emit_move(decoder, fw_emulate_destination(decoder, &to->elements[k], bytes), slot,
                      bytes);
        }
    } else if (to_vector) {
        decode_unpack(decoder, to, from, type);
    } else if (from_vector) {
        decode_pack(decoder, to, from, type);
    } else {
        const uint32_t slot = fw_emulate_source(decoder, from, type, bytes);
        emit_move(decoder, fw_emulate_destination(decoder, to, bytes), slot, bytes);
    }
    return true;
}

/* Conversions with a loop of their own, nearest even or towards zero as PTX writes them. */
static const struct {
    uint8_t to, from, rounding, quick;
} quick_conversions[] = {
#define ROW(to, from, rounding, quick)                                                             \
    {                                                                                              \
        FW_TYPE_##to, FW_TYPE_##from, FW_ROUND_##rounding, QUICK_##quick                           \
    }
    ROW(F32, S32, RN, F32_S32),     ROW(F32, U32, RN, F32_U32),   ROW(F32, S64, RN, F32_S64),
    ROW(F32, U64, RN, F32_U64),     ROW(F64, S32, RN, F64_S32),   ROW(F64, U32, RN, F64_U32),
    ROW(F64, S64, RN, F64_S64),     ROW(F64, U64, RN, F64_U64),   ROW(S32, F32, RZI, S32_F32),
    ROW(U32, F32, RZI, U32_F32),    ROW(S64, F32, RZI, S64_F32),  ROW(S32, F64, RZI, S32_F64),
    ROW(U32, F64, RZI, U32_F64),    ROW(S64, F64, RZI, S64_F64),  ROW(F64, F32, NONE, F64_F32),
    ROW(F32, F64, RN, F32_F64),     ROW(F32, F16, NONE, F32_F16), ROW(F16, F32, RN, F16_F32),
    ROW(F32, BF16, NONE, F32_BF16), ROW(BF16, F32, RN, BF16_F32),
#undef ROW
};

static bool quick_convert(struct emulate_decoder *decoder, enum fw_type to, enum fw_type from,
                          uint32_t target, uint32_t source)
{
    const struct fw_instruction *at = decoder->at;
    if (at->flags & (FW_FLAG_SAT | FW_FLAG_FTZ | FW_FLAG_RELU))
        return false;
    for (unsigned i = 0; i < sizeof(quick_conversions) / sizeof(quick_conversions[0]); i++)
        if (quick_conversions[i].to == to && quick_conversions[i].from == from &&
            quick_conversions[i].rounding == at->rounding) {
            struct emulate_micro *micro =
                fw_emulate_emit(decoder, decoder->lanes->convert[quick_conversions[i].quick]);
            micro->d = target;
            micro->a = source;
            return true;
        }
    return false;
}

/* Between integers without saturation: one extension does it unless both widths matter. */
static bool extend(struct emulate_decoder *decoder, enum fw_type to, enum fw_type from,
                   struct emulate_slot target, unsigned register_bits, uint32_t source,
                   unsigned source_bytes)
{
    const unsigned to_bits = fw_type_bits(to), from_bits = fw_type_bits(from);
    const enum fw_type narrower = to_bits <= from_bits ? to : from;
    if (decoder->at->flags & FW_FLAG_SAT || register_bits == 16 || target.lane_bytes == 0 ||
        (to_bits > from_bits && to_bits < register_bits))
        return false;
    const bool wide_from = source_bytes == 8, wide_to = target.lane_bytes == 8;
    const bool is_signed = fw_type_class(narrower) == 's';
    const unsigned bits = fw_type_bits(narrower);
    static const uint8_t which[2][2][2] = {
        {{QUICK_EXTEND_44, QUICK_EXTEND_48}, {QUICK_EXTEND_84, QUICK_EXTEND_88}},
        {{QUICK_SIGN_44, QUICK_SIGN_48}, {QUICK_SIGN_84, QUICK_SIGN_88}},
    };
    struct emulate_micro *micro =
        fw_emulate_emit(decoder, decoder->lanes->convert[which[is_signed][wide_from][wide_to]]);
    micro->d = target.offset;
    micro->a = source;
    micro->immediate = (int64_t)(UINT64_MAX >> (64 - bits));
    micro->small[0] = (uint8_t)((wide_from ? 64 : 32) - bits);
    return true;
}

/* The element of a packed type; NONE: it is not packed. */
static enum fw_type element_of(enum fw_type type)
{
    switch ((unsigned)type) {
    case FW_TYPE_F16X2:
        return FW_TYPE_F16;
    case FW_TYPE_BF16X2:
        return FW_TYPE_BF16;
    case FW_TYPE_E4M3X2:
        return FW_TYPE_E4M3;
    case FW_TYPE_E5M2X2:
        return FW_TYPE_E5M2;
    default:
        return FW_TYPE_NONE;
    }
}

static bool convertible(enum fw_type type)
{
    const char class = fw_type_class(type);
    return class == 'f' ? fw_number_float_known(type)
                        : (class == 's' || class == 'u') && fw_type_bits(type) >= 8 &&
                              type != FW_TYPE_U16X2 && type != FW_TYPE_S16X2;
}

static void general_convert(struct emulate_decoder *decoder, enum fw_type to, enum fw_type from,
                            struct emulate_slot target, unsigned register_bits,
                            const uint32_t *sources, unsigned source_bytes, unsigned elements)
{
    const struct fw_instruction *at = decoder->at;
    if (!convertible(to) || !convertible(from) || at->rounding == FW_ROUND_RS) {
        fw_emulate_refuse(decoder, "this conversion");
        return;
    }
    struct emulate_conversion *conversion = FW_NEW(decoder->arena, struct emulate_conversion);
    *conversion = (struct emulate_conversion){
        .of_element = {.to = (uint8_t)to,
                       .from = (uint8_t)from,
                       .rounding = at->rounding,
                       .flush = (at->flags & FW_FLAG_FTZ) != 0,
                       .saturate =
                           (at->flags & FW_FLAG_SAT) != 0 || fw_instruction_has(at, "satfinite"),
                       .relu = (at->flags & FW_FLAG_RELU) != 0},
        .from_bytes = (uint8_t)source_bytes,
        .to_bytes = target.lane_bytes,
        .elements = (uint8_t)elements,
        .two_sources = elements == 2 && at->operand_count > 2,
        .register_bits = (uint8_t)register_bits,
    };
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_convert);
    micro->d = target.offset;
    micro->a = sources[0];
    micro->b = sources[1];
    micro->extra = conversion;
}

static bool decode_cvt(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    if (at->operand_count < 2 || at->operand_count > 3 || at->type_count != 2 ||
        at->operands[0].kind != FW_OPERAND_REGISTER || fw_instruction_has(at, "pack")) {
        fw_emulate_refuse(decoder, "this form");
        return true;
    }
    enum fw_type to = (enum fw_type)at->types[0], from = (enum fw_type)at->types[1];
    const struct emulate_slot target = fw_emulate_register(decoder, &at->operands[0]);
    const enum fw_type kept = decoder->function->registers[at->operands[0].index].type;
    const unsigned register_bits = fw_type_bits(kept) < 16 ? 16 : fw_type_bits(kept);
    uint32_t sources[2] = {0, 0};
    unsigned source_bytes = fw_emulate_lane_bytes(from);
    /* a register wider than the type is read as it is */
    if (at->operands[1].kind == FW_OPERAND_REGISTER)
        source_bytes = fw_emulate_register(decoder, &at->operands[1]).lane_bytes;
    if (source_bytes == 0 || source_bytes > 8 || target.lane_bytes == 0 || target.lane_bytes > 8) {
        fw_emulate_refuse(decoder, "a register of this kind");
        return true;
    }
    for (unsigned k = 0; k + 1 < at->operand_count; k++)
        sources[k] = fw_emulate_source(decoder, &at->operands[k + 1], from, source_bytes);
    const enum fw_type element = element_of(to);
    if (element) {
        const enum fw_type from_element = element_of(from) ? element_of(from) : from;
        general_convert(decoder, element, from_element, target, register_bits, sources,
                        source_bytes, 2);
        return true;
    }
    const bool to_float = fw_type_class(to) == 'f', from_float = fw_type_class(from) == 'f';
    const bool fits = source_bytes == fw_emulate_lane_bytes(from) &&
                      target.lane_bytes == fw_emulate_lane_bytes(to) &&
                      (to_float || fw_type_bits(to) == register_bits) &&
                      (from_float || fw_type_bits(from) == source_bytes * 8);
    if (fits && quick_convert(decoder, to, from, target.offset, sources[0]))
        return true;
    if (!to_float && !from_float &&
        extend(decoder, to, from, target, register_bits, sources[0], source_bytes))
        return true;
    general_convert(decoder, to, from, target, register_bits, sources, source_bytes, 1);
    return true;
}

/* Generic addresses are the space's own plus its window. */
static bool decode_cvta(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    uint64_t window = 0;
    if (at->space == FW_SPACE_SHARED)
        window = SHARED_WINDOW;
    else if (at->space == FW_SPACE_LOCAL)
        window = LOCAL_WINDOW;
    if (fw_type_bits((enum fw_type)at->types[0]) != 64) {
        fw_emulate_refuse(decoder, "addresses of 32 bits");
        return true;
    }
    const uint32_t a = fw_emulate_source_at(decoder, 1, FW_TYPE_U64, 8);
    if (at->flags & FW_FLAG_TO)
        window = 0u - window;
    const uint32_t b = fw_emulate_constant(decoder, window, 8);
    const uint32_t to = fw_emulate_destination(decoder, &at->operands[0], 8);
    if (!window) {
        emit_move(decoder, to, a, 8);
        return true;
    }
    for (uint32_t i = 0; i < decoder->lanes->operation_count; i++) {
        const struct emulate_operation *row = &decoder->lanes->operations[i];
        if (row->opcode != FW_OP_ADD || row->type != FW_TYPE_U64)
            continue;
        struct emulate_micro *micro = fw_emulate_emit(decoder, row->run);
        micro->d = to;
        micro->a = a;
        micro->b = b;
    }
    return true;
}

bool fw_emulate_decode_move(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    switch (at->opcode) {
    case FW_OP_MOV:
        return decode_mov(decoder);
    case FW_OP_CVT:
        return decode_cvt(decoder);
    case FW_OP_CVTA:
        return decode_cvta(decoder);
    case FW_OP_ISSPACEP: {
        const uint32_t a = fw_emulate_source_at(decoder, 1, FW_TYPE_U64, 8);
        const uint32_t word = fw_emulate_destination(decoder, &at->operands[0], 0);
        struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_space);
        micro->d = word;
        micro->a = a;
        micro->small[0] = at->space;
        return true;
    }
    default:
        return false;
    }
}
