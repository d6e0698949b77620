/* Comparisons, of packed halves too, and what chooses by them. */
#include "emulate_convert.h"
#include "emulate_decode.h"
#include "emulate_special.h"

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

/* Emits a comparison of two slots into a predicate word. */
static void emit_order(struct emulate_decoder *decoder, uint32_t left, uint32_t right,
                       unsigned kind, unsigned compare, uint32_t word)
{
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
            left = fw_emulate_flushed(decoder, left);
            right = fw_emulate_flushed(decoder, right);
        }
    }
    emit_order(decoder, left, right, kind, compare, word);
}

/* Emits a comparison of the low or the high halves of packed operands into a predicate word. */
static void emit_compare_half(struct emulate_decoder *decoder, enum fw_type type, bool high,
                              uint32_t word)
{
    const struct fw_instruction *at = decoder->at;
    const unsigned widen = type == FW_TYPE_F16X2 ? QUICK_F32_F16 : QUICK_F32_BF16;
    uint32_t sides[2];
    for (unsigned s = 0; s < 2; s++) {
        uint32_t half = fw_emulate_source(decoder, &at->operands[1 + s], type, 4);
        struct emulate_micro *micro;
        if (high) {
            const uint32_t sixteen = fw_emulate_constant(decoder, 16, 4);
            const uint32_t down = fw_emulate_temporary(decoder, 4);
            micro = fw_emulate_emit(
                decoder,
                fw_emulate_operation(decoder, FW_OP_SHR, FW_TYPE_U32, FW_MODE_NONE, 0)->run);
            micro->d = down;
            micro->a = half;
            micro->b = sixteen;
            half = down;
        }
        sides[s] = fw_emulate_temporary(decoder, 4);
        micro = fw_emulate_emit(decoder, decoder->lanes->convert[widen]);
        micro->d = sides[s];
        micro->a = half;
    }
    emit_order(decoder, sides[0], sides[1], COMPARE_F32, at->compare, word);
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

static bool is_packed(enum fw_type type)
{
    return type == FW_TYPE_F16X2 || type == FW_TYPE_BF16X2;
}

/* Joins a truth value with the instruction's third operand, if it has one. */
static void emit_joined(struct emulate_decoder *decoder, uint32_t word, uint32_t truth)
{
    const unsigned logic = joined_by(decoder->at);
    const uint32_t third =
        logic == PREDICATE_MOVE
            ? truth
            : fw_emulate_source(decoder, &decoder->at->operands[3], FW_TYPE_PRED, 0);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_combine);
    micro->d = word;
    micro->a = truth;
    micro->b = third;
    micro->small[0] = (uint8_t)logic;
}

/* setp of packed halves: the low ones decide the first predicate, the high ones the second.  Both
 * are compared before either is written, as the third operand may be one of them. */
static void decode_setp_packed(struct emulate_decoder *decoder, const struct fw_operand *first,
                               const struct fw_operand *second)
{
    const enum fw_type type = (enum fw_type)decoder->at->types[0];
    const struct fw_operand *to[2] = {first, second};
    uint32_t truth[2];
    for (unsigned half = 0; half < (second ? 2u : 1u); half++) {
        truth[half] = fw_emulate_temporary(decoder, 0);
        emit_compare_half(decoder, type, half, truth[half]);
        emit_joined(decoder, truth[half], truth[half]);
    }
    for (unsigned half = 0; half < (second ? 2u : 1u); half++) {
        const uint32_t word = fw_emulate_destination(decoder, to[half], 0);
        struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_combine);
        micro->d = word;
        micro->a = micro->b = truth[half];
        micro->small[0] = PREDICATE_MOVE;
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
    if (is_packed(type)) {
        decode_setp_packed(decoder, to, second);
        return true;
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

/* A slot with a value where the word has a lane's bit, and else zero. */
static void emit_truth(struct emulate_decoder *decoder, uint32_t slot, uint32_t truth,
                       unsigned bytes, int64_t value)
{
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_truth);
    micro->d = slot;
    micro->a = truth;
    micro->small[0] = (uint8_t)bytes;
    micro->immediate = value;
}

/* What set gives where the comparison holds: one, or all bits. */
static int64_t truth_of(enum fw_type to)
{
    return fw_type_class(to) == 'f' ? (int64_t)fw_number_encode(to, 1.0, FW_ROUND_RN, false)
           : fw_type_bits(to) == 16 ? 0xffff
                                    : -1;
}

/* set of packed halves: each half of the result is one, or all of its bits, or zero. */
static void decode_set_packed(struct emulate_decoder *decoder, enum fw_type to, enum fw_type type)
{
    const int64_t one = to == FW_TYPE_F16X2    ? truth_of(FW_TYPE_F16)
                        : to == FW_TYPE_BF16X2 ? truth_of(FW_TYPE_BF16)
                                               : 0xffff;
    uint32_t halves[2];
    for (unsigned half = 0; half < 2; half++) {
        const uint32_t truth = fw_emulate_temporary(decoder, 0);
        emit_compare_half(decoder, type, half, truth);
        emit_joined(decoder, truth, truth);
        halves[half] = fw_emulate_temporary(decoder, 4);
        emit_truth(decoder, halves[half], truth, 4, half ? one << 16 : one);
    }
    const uint32_t slot = fw_emulate_destination(decoder, &decoder->at->operands[0], 4);
    struct emulate_micro *micro = fw_emulate_emit(
        decoder, fw_emulate_operation(decoder, FW_OP_OR, FW_TYPE_B32, FW_MODE_NONE, 0)->run);
    micro->d = slot;
    micro->a = halves[0];
    micro->b = halves[1];
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
    if (is_packed(type)) {
        decode_set_packed(decoder, to, type);
        return true;
    }
    const unsigned bytes = fw_emulate_lane_bytes(to);
    const uint32_t truth = fw_emulate_temporary(decoder, 0);
    emit_compare(decoder, &at->operands[1], &at->operands[2], type, at->compare, truth);
    if (logic != PREDICATE_MOVE)
        emit_joined(decoder, truth, truth);
    emit_truth(decoder, fw_emulate_destination(decoder, &at->operands[0], bytes), truth, bytes,
               truth_of(to));
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

bool fw_emulate_decode_compare(struct emulate_decoder *decoder)
{
    switch (decoder->at->opcode) {
    case FW_OP_SETP:
        return decode_setp(decoder);
    case FW_OP_SET:
        return decode_set(decoder);
    case FW_OP_SELP:
    case FW_OP_SLCT:
        return decode_select(decoder);
    default:
        return false;
    }
}
