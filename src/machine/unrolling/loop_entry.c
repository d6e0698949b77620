/* What ptxas puts around a loop that it makes four iterations one of
 * (data/lowering/around_loops.txt).
 */
#include "unrolling.h"

#include <string.h>

static void add_to_entry(struct loop_entry *entry, enum fw_machine operation, unsigned count)
{
    if (count)
        entry->at[entry->count++] = (struct fw_machine_count){
            .operation = (uint8_t)operation, .type = FW_TYPE_S32, .count = (uint16_t)count};
}

/* Operations of one iteration; `global` tells whether one loads from global memory. */
static uint32_t operations_of(const struct lowering *work, const struct counted_loop *counted,
                              bool *global)
{
    uint32_t count = 0;
    *global = false;
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_lowered *lowered = &work->result->instructions[i];
            if (i == counted->compare || i == counted->branch)
                continue;
            for (unsigned c = 0; c < lowered->count; c++) {
                enum fw_machine operation = (enum fw_machine)lowered->at[c].operation;
                const char *name = fw_machine_text(operation);
                count += lowered->at[c].count;
                *global |= strncmp(name, "LDG", 3) == 0;
            }
        }
    }
    return count;
}

/* The iteration that a loop without sign begins with where its bound may lie before its start:
 * under a predicate, or behind a branch if it is long. */
static void add_first_iteration(struct lowering *work, const struct counted_loop *counted,
                                struct loop_entry *entry)
{
    bool global;
    uint32_t count = operations_of(work, counted, &global);
    if (counted->loop->block_count > 1 || count > (global ? (uint32_t)FW_LOWERING_PREDICATED_GLOBAL
                                                          : (uint32_t)FW_LOWERING_PREDICATED)) {
        add_to_entry(entry, FW_MACHINE_BRA, 1);
        add_to_entry(entry, FW_MACHINE_PLOP3, 1);
        add_to_entry(entry, FW_MACHINE_BSSY,
                     work->divergent && work->divergent[counted->loop->header]);
        add_to_entry(entry, FW_MACHINE_BSYNC,
                     work->divergent && work->divergent[counted->loop->header]);
        return;
    }
    const struct fw_block *block = &work->function->blocks[counted->loop->header];
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_lowered *lowered = &work->result->instructions[i];
        if (i == counted->compare || i == counted->branch)
            continue;
        for (unsigned c = 0; c < lowered->count; c++) {
            entry->at[entry->count] = lowered->at[c];
            entry->at[entry->count++].guarded = true;
        }
    }
}

/* What stands around a loop whose number of iterations is not known, once for each way into it:
 * tests whether there are four more, two more, or one; branches over the blocks that do not run;
 * and predicates that tell whether four or two have run.  A bound that is no literal is subtracted
 * from for each test.  A loop that ends at equality is tested for its direction as well, one
 * without sign for whether there is any iteration.  Where threads leave at different times, the
 * blocks for four and for two end with a synchronisation. */
struct loop_entry unroll_entry(struct lowering *work, const struct counted_loop *counted)
{
    enum { KINDS = 12 };
    const struct fw_instruction *compare = unroll_instruction(work, counted->compare);
    const struct fw_block *header = &work->function->blocks[counted->loop->header];
    enum fw_type type = (enum fw_type)compare->types[0];
    bool equality = compare->compare == FW_CMP_NE || compare->compare == FW_CMP_EQ;
    bool without_sign = !equality && fw_type_class(type) == 'u';
    unsigned words = fw_type_bits(type) == 64 ? 2 : 1;
    int64_t bound;
    bool literal = unroll_literal(work, &compare->operands[1], &bound) ||
                   unroll_literal(work, &compare->operands[2], &bound);
    unsigned most = KINDS;
    for (uint32_t i = header->first; i < header->end; i++)
        most += work->result->instructions[i].count;
    struct loop_entry entry = {.at = FW_ARRAY(work->arena, struct fw_machine_count, most)};
    work->result->counts_rest[counted->loop->header] = equality;
    add_to_entry(&entry, FW_MACHINE_ISETP, words * (without_sign ? 6 : equality ? 4 : 3));
    add_to_entry(&entry, FW_MACHINE_IADD3, literal ? 0 : 3 * words);
    add_to_entry(&entry, FW_MACHINE_PLOP3, 2);
    add_to_entry(&entry, FW_MACHINE_BRA, equality ? 4 : 3);
    if (work->divergent && work->divergent[counted->loop->header]) {
        add_to_entry(&entry, FW_MACHINE_BSSY, equality ? 3 : 2);
        add_to_entry(&entry, FW_MACHINE_BSYNC, equality ? 3 : 2);
    }
    if (without_sign)
        add_first_iteration(work, counted, &entry);
    return entry;
}

void unroll_add_entry(struct lowering *work, const struct counted_loop *counted,
                      const struct loop_entry *entry)
{
    const struct fw_function *function = work->function;
    const struct fw_block *header = &function->blocks[counted->loop->header];
    for (uint32_t p = 0; p < header->predecessor_count; p++) {
        const struct fw_block *before = &function->blocks[header->predecessors[p]];
        if (unroll_contains(work->function, counted->loop, header->predecessors[p]) ||
            before->end == before->first)
            continue;
        struct fw_lowered *last = &work->result->instructions[before->end - 1];
        struct fw_machine_count *counts =
            FW_ARRAY(work->arena, struct fw_machine_count, last->count + entry->count + 1U);
        if (last->count)
            memcpy(counts, last->at, last->count * sizeof(*counts));
        memcpy(counts + last->count, entry->at, entry->count * sizeof(*counts));
        last->count = (uint16_t)(last->count + entry->count);
        last->at = counts;
    }
}
