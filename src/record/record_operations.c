/* Operations: the expression that one instruction defines, from its operands' expressions: what
 * operands, loads and selections give; record_arithmetic.c has the rest.
 *
 * Registers hold numbers modulo 2^32 or 2^64; expressions are integers.  They agree as long as
 * 32-bit values that are widened, divided, shifted right or compared fit their type: that is
 * obliged. */
#include "record_internal.h"
#include "scalar.h"

enum { MOST_OPERANDS = 4 }; /* of what record_arithmetic.c has: bfi */

static int64_t immediate_of(const struct fw_operand *operand, enum fw_type type)
{
    unsigned bits = fw_type_bits(type);
    int64_t value = operand->immediate;
    if (operand->negated)
        value = (int64_t)(0 - (uint64_t)value);
    if (bits >= 64 || bits == 0)
        return value;
    uint64_t low = (uint64_t)value & (((uint64_t)1 << bits) - 1);
    bool sign = low >> (bits - 1) & 1;
    return sign ? (int64_t)(low | ~(((uint64_t)1 << bits) - 1)) : (int64_t)low;
}

/* Blocks of a cluster along one dimension: where PTX states it, else 0. */
static fw_expression blocks_of_cluster(struct builder *b, uint32_t dimension)
{
    return fw_constant(b->pool, b->function->required_cluster[dimension]);
}

/* The cluster of a block, or the clusters of the grid, along one dimension. */
static fw_expression clusters_of(struct builder *b, enum fw_launch_index blocks, uint32_t dimension)
{
    return fw_floor_divide(b->pool, fw_launch_value(b->pool, blocks),
                           blocks_of_cluster(b, dimension));
}

/* A block's place in its cluster along one dimension. */
static fw_expression place_in_cluster(struct builder *b, uint32_t dimension)
{
    const enum fw_launch_index block = (enum fw_launch_index)(FW_BLOCK_X + dimension);
    return fw_subtract(
        b->pool, fw_launch_value(b->pool, block),
        fw_multiply(b->pool, clusters_of(b, block, dimension), blocks_of_cluster(b, dimension)));
}

/* Special registers of clusters, whose size PTX states: clusters are boxes of neighbouring blocks,
 * ranks count x first (PTX ISA, "Special registers"). */
static fw_expression cluster_value(struct builder *b, uint32_t special)
{
    fw_expression value = 0;
    if (!b->function->required_cluster[0])
        return FW_NO_EXPRESSION;
    if (special >= FW_SREG_CLUSTERID_X && special <= FW_SREG_CLUSTERID_Z) {
        const uint32_t d = special - FW_SREG_CLUSTERID_X;
        return clusters_of(b, (enum fw_launch_index)(FW_BLOCK_X + d), d);
    }
    if (special >= FW_SREG_NCLUSTERID_X && special <= FW_SREG_NCLUSTERID_Z) {
        const uint32_t d = special - FW_SREG_NCLUSTERID_X;
        return clusters_of(b, (enum fw_launch_index)(FW_GRID_SIZE_X + d), d);
    }
    if (special >= FW_SREG_CLUSTER_CTAID_X && special <= FW_SREG_CLUSTER_CTAID_Z)
        return place_in_cluster(b, special - FW_SREG_CLUSTER_CTAID_X);
    if (special >= FW_SREG_CLUSTER_NCTAID_X && special <= FW_SREG_CLUSTER_NCTAID_Z)
        return blocks_of_cluster(b, special - FW_SREG_CLUSTER_NCTAID_X);
    if (special != FW_SREG_CLUSTER_CTARANK && special != FW_SREG_CLUSTER_NCTARANK)
        return FW_NO_EXPRESSION;
    if (special == FW_SREG_CLUSTER_NCTARANK)
        value = fw_constant(b->pool, 1);
    for (uint32_t d = 3; d-- > 0;) {
        value = fw_multiply(b->pool, value, blocks_of_cluster(b, d));
        if (special == FW_SREG_CLUSTER_CTARANK)
            value = fw_add(b->pool, value, place_in_cluster(b, d));
    }
    return value;
}

static fw_expression special_value(struct builder *b, uint32_t special)
{
    static const struct {
        uint8_t special;
        uint8_t index;
    } known[] = {
        {FW_SREG_TID_X, FW_THREAD_X},
        {FW_SREG_TID_Y, FW_THREAD_Y},
        {FW_SREG_TID_Z, FW_THREAD_Z},
        {FW_SREG_NTID_X, FW_BLOCK_SIZE_X},
        {FW_SREG_NTID_Y, FW_BLOCK_SIZE_Y},
        {FW_SREG_NTID_Z, FW_BLOCK_SIZE_Z},
        {FW_SREG_CTAID_X, FW_BLOCK_X},
        {FW_SREG_CTAID_Y, FW_BLOCK_Y},
        {FW_SREG_CTAID_Z, FW_BLOCK_Z},
        {FW_SREG_NCTAID_X, FW_GRID_SIZE_X},
        {FW_SREG_NCTAID_Y, FW_GRID_SIZE_Y},
        {FW_SREG_NCTAID_Z, FW_GRID_SIZE_Z},
        {FW_SREG_LANEID, FW_LANE},
        {FW_SREG_WARPID, FW_WARP},
        {FW_SREG_DYNAMIC_SMEM_SIZE, FW_SHARED_SIZE},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].special == special)
            return fw_launch_value(b->pool, (enum fw_launch_index)known[i].index);
    return cluster_value(b, special);
}

static fw_expression variable_address(struct builder *b, const struct fw_operand *operand)
{
    uint32_t array = record_array(b, operand->variable);
    return fw_add(b->pool, fw_atom_new(b->pool, FW_ATOM_ARRAY, array, 0, 0),
                  fw_constant(b->pool, operand->immediate));
}

/* A literal in floating point, whose bits a register holds. */
static fw_expression float_bits(struct builder *b, const struct fw_operand *operand,
                                enum fw_type type)
{
    union {
        int64_t bits;
        double number;
    } wide = {operand->immediate};
    union {
        int32_t bits;
        float number;
    } narrow = {(int32_t)(uint32_t)operand->immediate};
    if (operand->negated || fw_type_bits(type) < 32 || fw_type_bits(type) > 64)
        return FW_NO_EXPRESSION;
    if (operand->single == (fw_type_bits(type) == 32))
        return fw_constant(b->pool, operand->single ? narrow.bits : wide.bits);
    return fw_type_class(type) == 'f'
               ? fw_constant(b->pool, fw_scalar_bits(type, operand->single ? (double)narrow.number
                                                                           : wide.number))
               : FW_NO_EXPRESSION;
}

fw_expression record_operand(struct builder *b, const struct fw_operand *operand, enum fw_type type,
                             uint32_t where)
{
    fw_expression value;
    switch ((enum fw_operand_kind)operand->kind) {
    case FW_OPERAND_REGISTER:
        if (b->function->registers[operand->index].type == FW_TYPE_PRED)
            return FW_NO_EXPRESSION;
        value = record_value(b, operand->value, where);
        return operand->negated ? fw_scale(b->pool, value, -1) : value;
    case FW_OPERAND_INTEGER:
        return fw_constant(b->pool, immediate_of(operand, type));
    case FW_OPERAND_SPECIAL:
        return special_value(b, operand->index);
    case FW_OPERAND_FLOAT:
        return float_bits(b, operand, type);
    case FW_OPERAND_SYMBOL:
        return operand->variable ? variable_address(b, operand) : FW_NO_EXPRESSION;
    default:
        return FW_NO_EXPRESSION;
    }
}

/* What a call's argument or result was staged as: the one store to this place. */
static fw_expression load_staged(struct builder *b, const struct fw_operand *address,
                                 enum fw_type type, uint32_t where)
{
    const struct fw_instruction *store = record_staged(b, address, type);
    return store ? record_operand(b, &store->operands[1], type, where) : FW_NO_EXPRESSION;
}

/* Argument loads: the parameter at this offset of the parameter block. */
static fw_expression load_parameter(struct builder *b, const struct fw_operand *address,
                                    enum fw_type type, uint32_t vector_slot, uint32_t where)
{
    uint64_t offset;
    const struct fw_variable *variable = record_parameter_place(b, address, &offset);
    bool floating = fw_type_class(type) == 'f';
    if (!variable || (floating && type != FW_TYPE_F32 && type != FW_TYPE_F64))
        return FW_NO_EXPRESSION;
    if (variable->index == FW_NO_INDEX)
        return vector_slot ? FW_NO_EXPRESSION : load_staged(b, address, type, where);
    uint32_t p = record_parameter_at(
        b, variable->offset + offset + (uint64_t)vector_slot * fw_type_bytes(type),
        fw_type_bytes(type));
    if (floating && p != FW_NONE && b->kernel->parameters[p].type != type)
        return FW_NO_EXPRESSION;
    return p == FW_NONE ? FW_NO_EXPRESSION : fw_atom_new(b->pool, FW_ATOM_PARAMETER, p, 0, 0);
}

/* What a load finds in local memory that is followed; what a store leaves there. */
static fw_expression through_slot(struct builder *b, const struct fw_instruction *at, uint32_t i)
{
    enum fw_type type = (enum fw_type)at->types[0];
    uint32_t where = b->block_of[i];
    unsigned bits = fw_type_bits(type);
    bool floating = fw_type_class(type) == 'f', stores = at->opcode == FW_OP_ST;
    if (floating && (bits < 32 || !record_follows(b, stores && at->operands[1].value != FW_NO_INDEX
                                                         ? at->operands[1].value
                                                         : at->slot->value)))
        return FW_NO_EXPRESSION;
    if (stores)
        return record_operand(b, &at->operands[1], type, where);
    fw_expression x = record_value(b, at->slot->value, where);
    if (floating)
        return x;
    if (bits < 32 && fw_type_class(type) == 's')
        return record_signed_low_bits(b, x, bits);
    if (bits < 32)
        return record_low_bits(b, x, bits);
    bool widens = fw_type_bits(b->function->registers[at->operands[0].index].type) > bits;
    return widens ? record_fitted(b, x, type, i) : x;
}

enum fw_opaque_kind record_why_opaque(const struct fw_instruction *at)
{
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
    case FW_OP_TEX:
    case FW_OP_TLD4:
    case FW_OP_SULD:
    case FW_OP_LDMATRIX:
        return FW_OPAQUE_LOADED;
    case FW_OP_ATOM:
    case FW_OP_SHFL:
    case FW_OP_VOTE:
    case FW_OP_MATCH:
    case FW_OP_REDUX:
    case FW_OP_ACTIVEMASK:
    case FW_OP_ELECT:
        return FW_OPAQUE_EXCHANGED;
    case FW_OP_CALL:
        return FW_OPAQUE_CALL;
    case FW_OP_MOV:
        return FW_OPAQUE_MACHINE;
    default:
        return fw_type_class(at->types[at->type_count > 1 ? 1 : 0]) == 'f' ||
                       fw_type_class(at->types[0]) == 'f'
                   ? FW_OPAQUE_FLOAT
                   : FW_OPAQUE_OPERATION;
    }
}

static fw_expression defined(struct builder *b, uint32_t i, uint32_t slot)
{
    const struct fw_instruction *at = record_at(b, i);
    uint32_t where = b->block_of[i];
    fw_expression x[MOST_OPERANDS] = {0};
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    if (at->slot)
        return through_slot(b, at, i);
    if (at->opcode == FW_OP_LD && at->space == FW_SPACE_PARAM && count > 0)
        return load_parameter(b, &in[0], at->types[0], slot, where);
    /* A vector of parts of a value (mov.b64 {low, high}, x) is not followed. */
    if (slot > 0 || count == 0 || at->destinations == 0 ||
        at->operands[0].kind == FW_OPERAND_VECTOR)
        return FW_NO_EXPRESSION;
    if (at->opcode == FW_OP_ELECT)
        return record_elected(b, i);
    if (at->opcode == FW_OP_SHFL)
        return (x[0] = record_broadcast(b, i)) != FW_NO_EXPRESSION ? x[0] : record_task(b, i);
    if (at->opcode == FW_OP_LD || at->opcode == FW_OP_ATOM)
        return record_task(b, i);
    bool floating = fw_type_class(at->types[0]) == 'f';
    if (floating && !record_follows(b, at->operands[0].value))
        return FW_NO_EXPRESSION;
    if (at->opcode == FW_OP_SELP || at->opcode == FW_OP_SET) {
        fw_condition c = at->opcode == FW_OP_SELP && count > 2
                             ? record_operand_condition(b, &in[2], where)
                             : record_comparison(b, i, 0);
        if (at->opcode == FW_OP_SET)
            return floating ? FW_NO_EXPRESSION : fw_select(b->pool, c, fw_constant(b->pool, -1), 0);
        x[0] = record_operand(b, &in[0], at->types[0], where);
        x[1] = record_operand(b, &in[1], at->types[0], where);
        if (c == FW_NO_EXPRESSION || x[0] == FW_NO_EXPRESSION || x[1] == FW_NO_EXPRESSION)
            return FW_NO_EXPRESSION;
        return record_select(b, c, x[0], x[1]);
    }
    bool converts =
        at->opcode == FW_OP_CVT && at->type_count > 1 && fw_type_class(at->types[1]) == 'f';
    if (floating && at->opcode == FW_OP_MOV)
        return record_operand(b, &in[0], (enum fw_type)at->types[0], where);
    if (floating || converts)
        return record_scalar(b, at, where);
    if (count > MOST_OPERANDS)
        return FW_NO_EXPRESSION;
    for (uint32_t o = 0; o < count; o++) {
        enum fw_type type = at->opcode == FW_OP_CVT && at->type_count > 1 ? at->types[1]
                            : at->mode == FW_MODE_WIDE && o == 2          ? FW_TYPE_S64
                            : (at->opcode == FW_OP_SHL || at->opcode == FW_OP_SHR) && o == 1
                                ? FW_TYPE_U32
                                : at->types[0];
        x[o] = record_operand(b, &in[o], type, where);
        if (x[o] == FW_NO_EXPRESSION)
            return FW_NO_EXPRESSION;
    }
    fw_expression result = record_combine(b, at, x, i);
    return result == FW_NO_EXPRESSION ? record_scalar(b, at, where) : result;
}

fw_expression record_instruction(struct builder *b, uint32_t instruction, uint32_t value)
{
    const struct fw_instruction *at = record_at(b, instruction);
    fw_expression result = defined(b, instruction, b->function->values[value].slot);
    if (result != FW_NO_EXPRESSION)
        return result;
    return record_opaque(b, value, record_why_opaque(at));
}
