/* lowering, where all lanes of a warp change one word: what brings their numbers together.
 *
 * ptxas counts the lanes or sums what they hold, chooses one, and lets it alone operate; where the
 * result is read, it hands each lane its own.  Source: the code of ptxas 13.0 for sm_80 and sm_90
 * of the operations of combined_atomics.h, one after the other. */
#include "combined_atomics.h"
#include "lowering_internal.h"
#include "passes.h"

#include <string.h>

/* What is issued beside the operation itself. */
enum with { ONE, SAME_FOR_ALL, OF_EACH_LANE, WITHS };

static const char *const additions[][WITHS] = {
    {"VOTEU UFLO POPC S2R ISETP", "VOTEU UFLO UPOPC IMAD S2R ISETP",
     "VOTEU UFLO REDUX S2R ISETP MOV"},
    {"VOTEU FLO POPC*2 S2R*2 ISETP LOP3 SHFL IADD3",
     "VOTEU FLO UPOPC POPC IMAD*2 S2R*2 ISETP LOP3 SHFL",
     "VOTE ISETP*2 BRA S2R SHFL*7 @IADD3*6 MOV*5"},
};
static const char *const wide_additions[] = {
    "VOTEU UFLO UPOPC IMAD*2 S2R ISETP UMOV",
    "VOTEU FLO UPOPC POPC IMAD*2 IMAD.WIDE S2R*2 ISETP LOP3 SHFL*2",
};
static const char *const others = "VOTEU UFLO REDUX S2R ISETP MOV";

static const char *text_of(const struct fw_instruction *at, const uint8_t *level, bool read)
{
    const struct fw_operand *with = &at->operands[at->operand_count - 1];
    bool adds = fw_instruction_has(at, "add");
    bool one = with->kind == FW_OPERAND_INTEGER && with->immediate == 1;
    if (!fw_atomic_is_combined(at, &at->operands[at->destinations], level, read))
        return NULL;
    if (adds && fw_type_bytes((enum fw_type)at->types[0]) == 8) /* in shared memory a loop */
        return at->space == FW_SPACE_SHARED ? NULL : wide_additions[read];
    if (!adds)
        return others;
    if (at->space == FW_SPACE_SHARED && fw_atomic_increments(at, read))
        return NULL;
    return additions[read][one                                  ? ONE
                           : fw_operand_is_uniform(with, level) ? SAME_FOR_ALL
                                                                : OF_EACH_LANE];
}

static void combine(struct lowering *work, uint32_t i, const char *text)
{
    struct fw_lowered *lowered = &work->result->instructions[i], beside = {.count = 0};
    fw_lowering_list(&beside, work->arena, text);
    struct fw_machine_count *counts =
        FW_ARRAY(work->arena, struct fw_machine_count, lowered->count + beside.count + 1U);
    memcpy(counts, lowered->at, lowered->count * sizeof *counts);
    memcpy(counts + lowered->count, beside.at, beside.count * sizeof *counts);
    lowered->at = counts;
    lowered->count = (uint16_t)(lowered->count + beside.count);
}

void fw_lowering_combined(struct lowering *work)
{
    const struct fw_function *function = work->function;
    const uint8_t *level = work->level;
    if (work->column == 0) /* without REDUX: not looked at */
        return;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        if ((at->opcode != FW_OP_ATOM && at->opcode != FW_OP_RED) ||
            work->blocks[i] == FW_NO_INDEX || at->operand_count <= at->destinations ||
            work->result->instructions[i].count == 0)
            continue;
        if (!level)
            level = fw_pass_uniformity(work->arena, function);
        uint32_t result = at->opcode == FW_OP_ATOM ? fw_lowering_value(work, i) : FW_NO_INDEX;
        bool read = result != FW_NO_INDEX ? work->read[result]
                                          : at->opcode == FW_OP_ATOM && at->guard != FW_NO_INDEX;
        const char *text = text_of(at, level, read);
        if (text)
            combine(work, i, text);
    }
}
