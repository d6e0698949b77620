/* Which mbarriers instructions wait at, arrive at, and complete on.
 *
 * Told by the static shared array that an address lies in, which holds the mbarriers of a ring of
 * stages: which of them it is follows from how often each warp has come there (src/sm).  Dynamic
 * shared memory, where they lie beside data, is left alone. */
#include "record_internal.h"

enum { MBARRIER_BYTES = 8, MOST_BYTES = 1024 };

/* cp.async.mbarrier.arrive: when the thread's copies so far (cp.async) are there. */
bool record_arrives_behind_copies(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_CP && fw_instruction_has(at, "mbarrier") &&
           fw_instruction_has(at, "arrive");
}

/* The operand that names the mbarrier; NULL: there is none. */
static const struct fw_operand *mbarrier_operand(const struct fw_instruction *at)
{
    bool copies = at->opcode == FW_OP_CP && fw_instruction_has(at, "bulk");
    if (!copies && at->opcode != FW_OP_MBARRIER && !record_arrives_behind_copies(at))
        return NULL;
    if (copies && !fw_instruction_has(at, "mbarrier::complete_tx::bytes"))
        return NULL;
    const struct fw_operand *found = NULL;
    for (uint32_t o = 0; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_ADDRESS && (copies || !found))
            found = &at->operands[o]; /* a copy's last one */
    return found;
}

/* 1 and the array's number; 0: it is not known. */
static uint32_t array_of(struct builder *b, uint32_t i)
{
    const struct fw_operand *operand = mbarrier_operand(&b->function->instructions[i]);
    fw_expression offset;
    if (!operand)
        return 0;
    fw_expression address = record_address(b, operand, b->block_of[i]);
    uint32_t array = record_find_array(b, address, FW_SPACE_SHARED, &offset);
    if (array == FW_NONE || b->arrays.at[array].space != FW_SPACE_SHARED ||
        b->arrays.at[array].bytes < MBARRIER_BYTES || b->arrays.at[array].bytes > MOST_BYTES)
        return 0;
    return array + 1;
}

/* The arrivals that mbarrier.init says for an array; 0: none, or different ones. */
static uint32_t arrivals_of(struct builder *b, uint32_t array)
{
    uint32_t arrivals = 0;
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = &b->function->instructions[i];
        int64_t count;
        if (at->opcode != FW_OP_MBARRIER || !fw_instruction_has(at, "init") ||
            b->kernel->schedule[i].mbarrier != array || at->operand_count < 2)
            continue;
        fw_expression told = record_operand(b, &at->operands[1], FW_TYPE_U32, b->block_of[i]);
        if (told == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, told, &count) ||
            count <= 0 || count > UINT16_MAX || (arrivals && arrivals != count))
            return 0;
        arrivals = (uint32_t)count;
    }
    return arrivals;
}

void record_mbarriers(struct builder *b)
{
    const uint32_t count = b->function->instruction_count;
    struct fw_scheduled *schedule = b->kernel->schedule, *announces = NULL;
    for (uint32_t i = 0; i < count; i++)
        schedule[i].mbarrier = schedule[i].unreachable ? 0 : array_of(b, i);
    for (uint32_t i = 0; i < count; i++) {
        struct fw_scheduled *row = &schedule[i];
        const struct fw_instruction *at = &b->function->instructions[i];
        if (!row->mbarrier)
            continue;
        row->mbarrier_arrivals = arrivals_of(b, row->mbarrier);
        row->mbarrier_places = (uint32_t)(b->arrays.at[row->mbarrier - 1].bytes / MBARRIER_BYTES);
        if (row->barrier == FW_BARRIER_MBARRIER_ARRIVE && fw_instruction_has(at, "expect_tx"))
            announces = row;
        else if (record_arrives_behind_copies(at)) {
            row->behind_copies = true;
            row->no_arrival = !fw_instruction_has(at, "noinc");
        } else if (at->opcode == FW_OP_CP && announces && announces->mbarrier == row->mbarrier)
            announces->mbarrier_copies++;
    }
}
