/* Matrix products: how many operations one is, on which numbers, by how many threads.
 *
 * mma, wmma.mma and mma.sp are a warp's, wgmma.mma_async four warps', tcgen05.mma is one thread's
 * order.  Operations are 2mnk of the shape as written; of a sparse product too, half of which are
 * with zeros that are not stored. */
#include "record_internal.h"
#include "warp.h"

#include <string.h>

/* PTX ISA, wgmma: four warps that follow one another. */
enum { WARPGROUP = 4 * FW_WARP_THREADS };

/* What tcgen05.mma multiplies, by its .kind: the left factor's type and the sum's depth k. */
static const struct kind {
    const char *name;
    enum fw_type type;
    uint32_t depth;
    bool scaled; /* M stands in bits 27 and 28 of the descriptor, else in 24 to 28 */
} kinds[] = {
    {"kind::f16", FW_TYPE_F16, 16, false},      {"kind::tf32", FW_TYPE_TF32, 8, false},
    {"kind::f8f6f4", FW_TYPE_E4M3, 32, false},  {"kind::i8", FW_TYPE_S8, 32, false},
    {"kind::mxf8f6f4", FW_TYPE_E4M3, 32, true}, {"kind::mxf4", FW_TYPE_E2M1, 64, true},
    {"kind::mxf4nvf4", FW_TYPE_E2M1, 64, true},
};

static const struct kind *find_kind(const struct fw_instruction *at)
{
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
        if (fw_instruction_has(at, kinds[k].name))
            return &kinds[k];
    return NULL;
}

/* The instruction descriptor, operand 3 of tcgen05.mma, holds N / 8 in bits 17 to 22 and M / 16 in
 * bits 24 to 28 (M / 128 in bits 27 and 28 of scaled kinds): PTX ISA, "Instruction descriptor". */
static void count_tensor_memory(struct builder *b, uint32_t i, struct fw_scheduled *row)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    const struct kind *kind = find_kind(at);
    int64_t descriptor = 0;
    bool sparse = fw_instruction_has(at, "sp");
    row->type = kind ? kind->type : FW_TYPE_NONE;
    for (uint32_t o = 3; kind && o < at->operand_count && o < 5u + sparse; o++) {
        fw_expression value = FW_NO_EXPRESSION;
        if (at->operands[o].kind == FW_OPERAND_REGISTER ||
            at->operands[o].kind == FW_OPERAND_INTEGER)
            value = record_operand(b, &at->operands[o], FW_TYPE_U32, b->block_of[i]);
        if (value == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, value, &descriptor))
            continue;
        uint32_t bits = (uint32_t)descriptor, n = (bits >> 17 & 63) * 8;
        uint32_t m = kind->scaled ? (bits >> 27 & 3) * 128 : (bits >> 24 & 31) * 16;
        row->flops = 2 * m * n * kind->depth * (sparse ? 2 : 1);
        if (row->flops)
            return;
    }
    row->quantity = record_quantity(b, "operations", i, 0);
}

/* The left factor's type.  wmma on f16 factors names the sums' types alone. */
static enum fw_type factor_type(const struct fw_instruction *at)
{
    if (at->opcode == FW_OP_WMMA && at->type_count < 3)
        return FW_TYPE_F16;
    return at->type_count > 1 ? (enum fw_type)at->types[1] : FW_TYPE_NONE;
}

/* wgmma d, a, b: b is a descriptor of shared memory, a is one or registers; a sparse a is stored
 * without the half that is zero (PTX ISA, wgmma.mma_async). */
static uint32_t shared_factors(const struct fw_instruction *at, const uint32_t sizes[3],
                               enum fw_type type)
{
    bool in_registers = at->operand_count > 1 && at->operands[1].kind == FW_OPERAND_VECTOR;
    uint32_t rows = in_registers ? 0 : sizes[0] / (fw_instruction_has(at, "sp") ? 2 : 1);
    return (rows + sizes[1]) * sizes[2] * fw_type_bits(type) / 8;
}

bool record_matrix(struct builder *b, uint32_t i, struct fw_scheduled *row)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    uint32_t sizes[3];
    uint64_t operations;
    bool is_product = at->opcode == FW_OP_MMA ||
                      (at->opcode == FW_OP_WMMA && fw_instruction_has(at, "mma")) ||
                      (at->opcode == FW_OP_WGMMA && fw_instruction_has(at, "mma_async")) ||
                      (at->opcode == FW_OP_TCGEN05 && fw_instruction_has(at, "mma"));
    if (!is_product)
        return false;
    row->operation = "mma";
    row->collective = true;
    if (at->opcode == FW_OP_TCGEN05) {
        count_tensor_memory(b, i, row);
        return true;
    }
    row->type = factor_type(at);
    row->together = at->opcode == FW_OP_WGMMA ? WARPGROUP : FW_WARP_THREADS;
    operations = fw_instruction_shape(at, sizes) ? (uint64_t)2 * sizes[0] * sizes[1] * sizes[2] : 0;
    if (row->type == FW_TYPE_F16 && at->opcode == FW_OP_MMA && fw_instruction_has(at, "m8n8k4"))
        operations *= 4; /* four products side by side, one for eight threads */
    row->flops = (uint32_t)(operations / row->together);
    if (operations && at->opcode == FW_OP_WGMMA)
        row->shared_bytes = shared_factors(at, sizes, row->type);
    if (row->flops == 0)
        row->quantity = record_quantity(b, "operations", i, 0);
    return true;
}
