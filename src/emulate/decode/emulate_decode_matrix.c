/* Decoding of mma, wmma, ldmatrix and stmatrix. */
#include "emulate_decode.h"
#include "emulate_matrix.h"

#include <stdio.h>
#include <string.h>

enum { M, N, K };

static bool shape_of(const struct fw_instruction *at, unsigned sizes[3])
{
    for (unsigned i = 0; i < at->modifier_count; i++) {
        int length = 0;
        if (sscanf(at->modifiers[i], "m%3un%3uk%3u%n", &sizes[M], &sizes[N], &sizes[K], &length) ==
                3 &&
            at->modifiers[i][length] == '\0')
            return true;
    }
    return false;
}

static unsigned register_bits(enum fw_type type)
{
    return type == FW_TYPE_TF32 ? 32 : fw_type_bits(type);
}

/* The registers of one operand, as a tile of rows by columns. */
static void read_tile(struct emulate_decoder *decoder, struct emulate_tile *tile,
                      const struct fw_operand *operand, enum emulate_tile_role role,
                      enum fw_type type, unsigned rows, unsigned columns, bool written)
{
    const bool vector = operand->kind == FW_OPERAND_VECTOR;
    const unsigned count = vector ? operand->count : 1;
    tile->role = (uint8_t)role;
    tile->type = (uint8_t)type;
    tile->bits = (uint8_t)register_bits(type);
    tile->wide = type == FW_TYPE_F64;
    tile->rows = (uint16_t)rows;
    tile->columns = (uint16_t)columns;
    const unsigned bits = LANES * count * (tile->wide ? 64 : 32);
    const unsigned wanted = rows * columns * tile->bits;
    if (count > MOST_TILE_REGISTERS || rows * columns > MOST_TILE_ELEMENTS || tile->bits == 0 ||
        (role == TILE_OPAQUE ? bits % (wanted ? wanted : 1) : bits != wanted)) {
        fw_emulate_refuse(decoder, "this number of registers");
        return;
    }
    tile->registers = (uint8_t)count;
    for (unsigned r = 0; r < count; r++) {
        const struct fw_operand *element = vector ? &operand->elements[r] : operand;
        const unsigned bytes = tile->wide ? 8 : 4;
        tile->slots[r] = written ? fw_emulate_destination(decoder, element, bytes)
                                 : fw_emulate_source(decoder, element,
                                                     tile->wide ? FW_TYPE_F64 : FW_TYPE_B32, bytes);
    }
}

static bool known_factor(enum fw_type type)
{
    switch (type) {
    case FW_TYPE_F16:
    case FW_TYPE_BF16:
    case FW_TYPE_TF32:
    case FW_TYPE_F64:
    case FW_TYPE_E4M3:
    case FW_TYPE_E5M2:
    case FW_TYPE_S8:
    case FW_TYPE_U8:
    case FW_TYPE_S4:
    case FW_TYPE_U4:
    case FW_TYPE_B1:
        return true;
    default:
        return false;
    }
}

static void synchronized_warp(struct emulate_decoder *decoder, struct emulate_micro *micro,
                              uint32_t members)
{
    (void)decoder;
    micro->control = CONTROL_SYNC;
    micro->e = members;
}

static void decode_product(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const bool opaque = at->opcode == FW_OP_WMMA;
    enum fw_type types[4] = {(enum fw_type)at->types[0], FW_TYPE_F16, FW_TYPE_F16,
                             (enum fw_type)at->types[at->type_count > 1 ? 1 : 0]};
    unsigned sizes[3];
    if (at->type_count >= 4)
        for (unsigned t = 1; t < 4; t++)
            types[t] = (enum fw_type)at->types[t];
    struct emulate_matrix *matrix = FW_NEW(decoder->arena, struct emulate_matrix);
    bool known = shape_of(at, sizes) && at->operand_count == 4 && known_factor(types[1]) &&
                 known_factor(types[2]) && !fw_instruction_has(at, "sp") &&
                 !fw_instruction_has(at, "sp::ordered_metadata") &&
                 !fw_instruction_has(at, "block_scale");
    if (known && !opaque)
        known = sizes[N] == 8 && (sizes[M] == 16 || sizes[M] == 8) &&
                !(sizes[M] == 8 && types[1] == FW_TYPE_F16);
    if (!known || sizes[M] > 32 || sizes[N] > 32 || sizes[K] > 256) {
        fw_emulate_refuse(decoder, "this shape, type or form");
        return;
    }
    matrix->saturate = fw_instruction_has(at, "satfinite");
    matrix->exclusive = fw_instruction_has(at, "xor");
    if (types[1] == FW_TYPE_B1 && !matrix->exclusive && !fw_instruction_has(at, "and"))
        matrix->exclusive = true;
    const struct fw_operand *in = at->operands;
    read_tile(decoder, &matrix->d, &in[0], opaque ? TILE_OPAQUE : TILE_C, types[0], sizes[M],
              sizes[N], true);
    read_tile(decoder, &matrix->a, &in[1], opaque ? TILE_OPAQUE : TILE_A, types[1], sizes[M],
              sizes[K], false);
    read_tile(decoder, &matrix->b, &in[2], opaque ? TILE_OPAQUE : TILE_B, types[2], sizes[K],
              sizes[N], false);
    read_tile(decoder, &matrix->c, &in[3], opaque ? TILE_OPAQUE : TILE_C, types[3], sizes[M],
              sizes[N], false);
    const uint32_t all = fw_emulate_constant(decoder, FULL_MASK, 4);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_mma);
    micro->extra = matrix;
    synchronized_warp(decoder, micro, all);
}

/* Emits a matrix's way between registers and memory. */
static void move_matrix(struct emulate_decoder *decoder, struct emulate_matrix *matrix,
                        const struct fw_operand *address, emulate_handler *run)
{
    uint32_t slot;
    int64_t immediate;
    fw_emulate_address(decoder, address, (enum fw_space)decoder->at->space, &matrix->memory, &slot,
                       &immediate);
    const uint32_t all = fw_emulate_constant(decoder, FULL_MASK, 4);
    struct emulate_micro *micro = fw_emulate_emit(decoder, run);
    micro->a = slot;
    micro->immediate = immediate;
    micro->extra = matrix;
    synchronized_warp(decoder, micro, all);
}

/* ldmatrix and stmatrix of 8 x 8 matrices of 16-bit elements. */
static void decode_rows(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const bool loads = at->opcode == FW_OP_LDMATRIX;
    struct emulate_matrix *matrix = FW_NEW(decoder->arena, struct emulate_matrix);
    matrix->count = fw_instruction_has(at, "x4") ? 4 : fw_instruction_has(at, "x2") ? 2 : 1;
    matrix->transposed = fw_instruction_has(at, "trans");
    if (!fw_instruction_has(at, "m8n8") || at->types[0] != FW_TYPE_B16 || at->operand_count < 2) {
        fw_emulate_refuse(decoder, "this shape or type");
        return;
    }
    const struct fw_operand *words = &at->operands[loads ? 0 : 1];
    const bool vector = words->kind == FW_OPERAND_VECTOR;
    if ((vector ? words->count : 1) != matrix->count) {
        fw_emulate_refuse(decoder, "this number of registers");
        return;
    }
    for (unsigned j = 0; j < matrix->count; j++) {
        const struct fw_operand *word = vector ? &words->elements[j] : words;
        matrix->registers[j] = loads ? fw_emulate_destination(decoder, word, 4)
                                     : fw_emulate_source(decoder, word, FW_TYPE_B32, 4);
    }
    matrix->memory.bytes = 16;
    matrix->memory.elements = 1;
    matrix->memory.store = !loads;
    move_matrix(decoder, matrix, &at->operands[loads ? 1 : 0],
                loads ? fw_emulate_run_ldmatrix : fw_emulate_run_stmatrix);
}

static void decode_tile(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const bool loads = fw_instruction_has(at, "load");
    const bool is_a = fw_instruction_has(at, "a"), is_b = fw_instruction_has(at, "b");
    const enum fw_type type = (enum fw_type)at->types[0];
    struct emulate_matrix *matrix = FW_NEW(decoder->arena, struct emulate_matrix);
    unsigned sizes[3];
    if (!shape_of(at, sizes) || at->operand_count < 2 || register_bits(type) < 8) {
        fw_emulate_refuse(decoder, "this shape or type");
        return;
    }
    matrix->transposed = fw_instruction_has(at, "col");
    matrix->memory.bytes = (uint8_t)(register_bits(type) / 8);
    matrix->memory.elements = 1;
    matrix->memory.store = !loads;
    read_tile(decoder, &matrix->d, &at->operands[loads ? 0 : 1], TILE_OPAQUE, type,
              is_b ? sizes[K] : sizes[M], is_a ? sizes[K] : sizes[N], loads);
    if (at->operand_count > 2)
        matrix->stride = fw_emulate_source(decoder, &at->operands[2], FW_TYPE_U32, 4);
    move_matrix(decoder, matrix, &at->operands[loads ? 1 : 0],
                loads ? fw_emulate_run_tile_load : fw_emulate_run_tile_store);
}

bool fw_emulate_decode_matrix(struct emulate_decoder *decoder)
{
    switch (decoder->at->opcode) {
    case FW_OP_MMA:
        decode_product(decoder);
        return true;
    case FW_OP_WMMA:
        if (fw_instruction_has(decoder->at, "mma"))
            decode_product(decoder);
        else
            decode_tile(decoder);
        return true;
    case FW_OP_LDMATRIX:
    case FW_OP_STMATRIX:
        decode_rows(decoder);
        return true;
    default:
        return false;
    }
}
