/* lowering: what a function's instructions issue on the machine.  Needs ssa.
 *
 * First each instruction alone (lowering_key.c), then what ptxas merges, in the order in which the
 * merges take precedence over one another: contraction and multiply-add before sums of three. */
#include "lowering_internal.h"
#include "passes.h"

#include <string.h>

uint32_t fw_lowering_value(const struct lowering *work, uint32_t instruction)
{
    const struct fw_instruction *at = &work->function->instructions[instruction];
    if (at->guard != FW_NO_INDEX || at->destinations != 1 || at->operand_count == 0 ||
        at->operands[0].kind != FW_OPERAND_REGISTER)
        return FW_NO_INDEX;
    return at->operands[0].value;
}

uint32_t fw_lowering_source(const struct lowering *work, uint32_t user,
                            const struct fw_operand *operand)
{
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return FW_NO_INDEX;
    const struct fw_value *value = &work->function->values[operand->value];
    if (value->kind != FW_VALUE_INSTRUCTION || work->blocks[user] != value->block)
        return FW_NO_INDEX;
    if (work->function->instructions[value->definition].guard != FW_NO_INDEX)
        return FW_NO_INDEX;
    return value->definition;
}

uint32_t fw_lowering_use_count(const struct lowering *work, uint32_t value)
{
    return work->first_use[value + 1] - work->first_use[value];
}

uint32_t fw_lowering_use(const struct lowering *work, uint32_t value, uint32_t i)
{
    return work->uses[work->first_use[value] + i];
}

bool fw_lowering_reads(const struct fw_operand *operand, uint32_t value)
{
    return operand->kind == FW_OPERAND_REGISTER && operand->value == value;
}

uint32_t fw_lowering_origin(const struct lowering *work, uint32_t value)
{
    enum { DEPTH = 8 };
    for (unsigned d = 0; d < DEPTH && value != FW_NO_INDEX; d++) {
        const struct fw_value *at = &work->function->values[value];
        if (at->kind != FW_VALUE_INSTRUCTION)
            break;
        const struct fw_instruction *move = &work->function->instructions[at->definition];
        if (move->opcode != FW_OP_MOV || move->guard != FW_NO_INDEX || move->operand_count != 2 ||
            move->operands[1].kind != FW_OPERAND_REGISTER)
            break;
        value = move->operands[1].value;
    }
    return value;
}

void fw_lowering_absorb(struct lowering *work, uint32_t absorbed, uint32_t into)
{
    struct fw_lowered *lowered = &work->result->instructions[absorbed];
    lowered->count = 0;
    lowered->known = true;
    lowered->absorbed = into;
    work->taken[absorbed] = true;
}

void fw_lowering_append(struct lowering *work, uint32_t instruction, enum fw_machine operation,
                        uint16_t count)
{
    struct fw_lowered *lowered = &work->result->instructions[instruction];
    struct fw_machine_count *counts =
        FW_ARRAY(work->arena, struct fw_machine_count, lowered->count + 1U);
    if (lowered->count)
        memcpy(counts, lowered->at, lowered->count * sizeof(*counts));
    counts[lowered->count++] = (struct fw_machine_count){
        .operation = (uint8_t)operation, .type = fw_machine_type(operation), .count = count};
    lowered->at = counts;
}

/* Walks all uses: with `uses` NULL it counts them into first_use[value + 1], else it stores them.
 */
struct collector {
    struct lowering *work;
    uint32_t *fill; /* by value: where the next use goes; NULL while counting */
    uint32_t instruction;
};

static void note(struct collector *to, uint32_t value, uint32_t instruction)
{
    if (value == FW_NO_INDEX)
        return;
    if (to->fill)
        to->work->uses[to->fill[value]++] = instruction;
    else
        to->work->first_use[value + 1]++;
}

static void note_operand(void *user, struct fw_operand *operand)
{
    struct collector *to = user;
    note(to, operand->value, to->instruction);
}

static void walk_uses(struct collector *to)
{
    const struct fw_function *function = to->work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t p = 0; p < block->phi_count; p++)
            for (uint32_t i = 0; i < block->predecessor_count; i++)
                if (to->work->read[block->phis[p].value])
                    note(to, block->phis[p].inputs[i], FW_NO_INDEX);
        for (to->instruction = block->first; to->instruction < block->end; to->instruction++) {
            const struct fw_instruction *at = &function->instructions[to->instruction];
            fw_instruction_uses(at, note_operand, to);
            if (at->guard == FW_NO_INDEX)
                continue;
            note(to, at->guard_value, FW_NO_INDEX);
            uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
            for (uint32_t i = 0; i < count; i++)
                note(to, at->prior_values[i], FW_NO_INDEX);
        }
    }
}

static void mark_read(void *user, struct fw_operand *operand)
{
    struct lowering *work = user;
    if (operand->value != FW_NO_INDEX)
        work->read[operand->value] = true;
}

/* Values that instructions read, then what reaches them through phis. */
static void find_read(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        if (work->blocks[i] == FW_NO_INDEX)
            continue;
        fw_instruction_uses(at, mark_read, work);
        if (at->guard == FW_NO_INDEX)
            continue;
        if (at->guard_value != FW_NO_INDEX)
            work->read[at->guard_value] = true;
        uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
        for (uint32_t p = 0; p < count; p++)
            if (at->prior_values[p] != FW_NO_INDEX)
                work->read[at->prior_values[p]] = true;
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t o = function->order_count; o-- > 0;) {
            const struct fw_block *block = &function->blocks[function->order[o]];
            for (uint32_t p = 0; p < block->phi_count; p++)
                for (uint32_t i = 0; i < block->predecessor_count; i++) {
                    uint32_t input = block->phis[p].inputs[i];
                    if (!work->read[block->phis[p].value] || input == FW_NO_INDEX ||
                        work->read[input])
                        continue;
                    work->read[input] = again = true;
                }
        }
    }
}

static void collect_uses(struct lowering *work)
{
    uint32_t count = work->function->value_count;
    struct collector to = {.work = work};
    work->read = FW_ARRAY(work->arena, bool, count + 1);
    find_read(work);
    work->first_use = FW_ARRAY(work->arena, uint32_t, count + 2);
    walk_uses(&to);
    for (uint32_t i = 0; i < count; i++)
        work->first_use[i + 1] += work->first_use[i];
    work->uses = FW_ARRAY(work->arena, uint32_t, work->first_use[count] + 1);
    to.fill = fw_arena_copy(work->arena, work->first_use, (count + 1) * sizeof(uint32_t));
    walk_uses(&to);
}

static void expand_all(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        struct fw_lowered *lowered = &work->result->instructions[i];
        fw_lowering_expand(lowered, work->arena, &function->instructions[i],
                           work->result->capability);
        work->blocks[i] = FW_NO_INDEX;
    }
    for (uint32_t o = 0; o < function->order_count; o++)
        for (uint32_t i = function->blocks[function->order[o]].first;
             i < function->blocks[function->order[o]].end; i++)
            work->blocks[i] = function->order[o];
}

enum fw_status fw_lower(struct fw_lowering **result, struct fw_arena *arena,
                        const struct fw_function *function, uint32_t capability)
{
    static const uint32_t columns[] = {70, 80, 90};
    if (!function->has_body || (function->value_count == 0 && function->block_count == 0))
        return FW_ERROR_USAGE;
    struct lowering work = {.arena = arena, .function = function};
    work.column = fw_lowering_column(capability);
    work.result = FW_NEW(arena, struct fw_lowering);
    work.result->capability = capability;
    work.result->column = columns[work.column];
    work.result->instruction_count = function->instruction_count;
    work.result->instructions = FW_ARRAY(arena, struct fw_lowered, function->instruction_count);
    work.blocks = FW_ARRAY(arena, uint32_t, function->instruction_count);
    work.copies = FW_ARRAY(arena, uint8_t, function->block_count);
    work.result->iterations = FW_ARRAY(arena, uint8_t, function->block_count);
    work.result->counts_rest = FW_ARRAY(arena, bool, function->block_count + 1);
    work.result->predicated = FW_ARRAY(arena, uint32_t, function->block_count + 1);
    memset(work.result->predicated, 0xff,
           (function->block_count + 1) * sizeof(*work.result->predicated));
    work.result->places = FW_ARRAY(arena, uint32_t, function->block_count + 1);
    memset(work.result->places, 0xff, (function->block_count + 1) * sizeof(*work.result->places));
    work.result->tables = FW_ARRAY(arena, bool, function->block_count + 1);
    work.taken = FW_ARRAY(arena, bool, function->instruction_count);
    expand_all(&work);
    collect_uses(&work);
    fw_lowering_fragments(&work);
    fw_lowering_rotations(&work);
    fw_lowering_contract(&work);
    fw_lowering_merge(&work);
    fw_lowering_fold(&work);
    fw_lowering_share(&work);
    fw_lowering_words(&work);
    fw_lowering_widen(&work);
    fw_lowering_narrow(&work);
    fw_lowering_uniform(&work);
    fw_lowering_combined(&work);
    fw_lowering_bytes(&work);
    fw_lowering_choices(&work);
    fw_lowering_unroll(&work);
    fw_lowering_copies(&work);
    fw_lowering_moves(&work);
    fw_lowering_tables(&work);
    fw_lowering_branches(&work);
    fw_lowering_constants(&work);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        work.result->unknown_count += !work.result->instructions[i].known;
    *result = work.result;
    return FW_OK;
}
