/* How often a loop that data ends usually runs. */
#include "branches_internal.h"

/* The phi at the loop's header that a value is, or is a constant away from; FW_NO_INDEX: none. */
static uint32_t counter_of(const struct fw_branches *branches, const struct fw_block *header,
                           uint32_t index, uint32_t value, int64_t *away)
{
    const struct fw_function *function = branches->function;
    uint32_t source = value == FW_NO_INDEX ? value : fw_ordinary_source(function, value);
    const struct fw_instruction *at = branch_definition(branches, source);
    *away = 0;
    if (at && (at->opcode == FW_OP_ADD || at->opcode == FW_OP_SUB) && at->operand_count == 3 &&
        at->guard == FW_NO_INDEX && fw_type_class(at->types[0]) != 'f' &&
        at->operands[1].kind == FW_OPERAND_REGISTER && at->operands[2].kind == FW_OPERAND_INTEGER) {
        *away = at->operands[2].negated ? -at->operands[2].immediate : at->operands[2].immediate;
        *away = at->opcode == FW_OP_SUB ? -*away : *away;
        source = fw_ordinary_source(function, at->operands[1].value);
    }
    for (uint32_t p = 0; source != FW_NO_INDEX && p < header->phi_count; p++)
        if (header->phis[p].value == source && function->values[source].block == index)
            return p;
    return FW_NO_INDEX;
}

/* The predecessor of the header from which the loop is entered; FW_NO_INDEX: several. */
static uint32_t entry_of(const struct fw_loop_info *info, const struct fw_block *header)
{
    uint32_t entry = FW_NO_INDEX;
    for (uint32_t p = 0; p < header->predecessor_count; p++) {
        bool back = false;
        for (uint32_t l = 0; l < info->latch_count; l++)
            back |= info->latches[l] == header->predecessors[p];
        if (!back && entry != FW_NO_INDEX)
            return FW_NO_INDEX;
        entry = back ? entry : p;
    }
    return entry;
}

/* How far it is from a number to another in a register of so many bits, which wraps around: the
 * complements of small numbers are near to 0. */
static double distance_of(uint64_t from, uint64_t to, unsigned bits)
{
    uint64_t apart = (to - from) << (64 - bits);
    return (double)(int64_t)apart / (double)(UINT64_C(1) << (64 - bits));
}

/* The middle of the trips from where a counter begins to where it ends; false: they are more than
 * `most` somewhere. */
static bool few_trips(struct fw_branches *branches, uint32_t begin, const struct fw_operand *end,
                      enum fw_type type, int64_t step, double most, double *trips)
{
    struct fw_ordinary_lanes to;
    double greatest = 0;
    unsigned bits = fw_type_bits(type);
    if (begin == FW_NO_INDEX || end->kind != FW_OPERAND_INTEGER || bits == 0 || bits > 64 ||
        !fw_ordinary_operand(branches->ordinary, end, type, &to))
        return false;
    const struct fw_ordinary_lanes *from = fw_ordinary_value(branches->ordinary, begin, type);
    for (uint32_t p = 0; p < FW_ORDINARY_POINTS; p++) {
        double runs = distance_of(from->at[p], to.at[p], bits) / (double)step;
        if (runs > most)
            return false;
        greatest = runs > greatest ? runs : greatest;
    }
    *trips = (1 + greatest) / 2;
    return greatest >= 1;
}

/* Whether a value is what compare and swap found, through moves. */
static bool is_swapped(const struct fw_branches *branches, const struct fw_operand *operand,
                       uint32_t loop)
{
    const struct fw_function *function = branches->function;
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return false;
    uint32_t source = fw_ordinary_source(function, operand->value);
    const struct fw_instruction *at = branch_definition(branches, source);
    return at && at->opcode == FW_OP_ATOM && at->mode == FW_MODE_CAS &&
           function->blocks[function->values[source].block].loop == loop;
}

/* Whether a loop goes round until compare and swap finds what it compared with. */
static bool swaps(const struct fw_branches *branches, const struct fw_loop_info *info,
                  uint32_t loop)
{
    const struct fw_function *function = branches->function;
    for (uint32_t b = 0; b < info->block_count; b++) {
        const struct fw_block *block = &function->blocks[info->blocks[b]];
        if (block->end == block->first || block->successor_count != 2)
            continue;
        const struct fw_instruction *test =
            branch_definition(branches, function->instructions[block->end - 1].guard_value);
        if (test && test->opcode == FW_OP_SETP && test->operand_count > 2 &&
            (test->compare == FW_CMP_EQ || test->compare == FW_CMP_NE) &&
            (is_swapped(branches, &test->operands[1], loop) ||
             is_swapped(branches, &test->operands[2], loop)))
            return true;
    }
    return false;
}

struct fw_loop_default fw_branches_trips(struct fw_branches *branches, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_loop_info *info = &function->loops[loop];
    const struct fw_block *header = &function->blocks[info->header];
    const struct fw_block *latch = &function->blocks[info->latches[0]];
    const struct fw_block *last = latch->successor_count > 1 ? latch : header;
    struct fw_loop_default usual = {.trips = FW_USUAL_TRIPS};
    const double probed = branch_probed_trips(branches, loop);
    if (probed > 0)
        return (struct fw_loop_default){
            probed, "a key is looked for in a table that is taken to be half full", true};
    const double merged = branch_merged_trips(branches, loop);
    if (merged > 0)
        return (struct fw_loop_default){merged, "two lists of 16 entries each are gone through",
                                        false};
    if (swaps(branches, info, loop))
        return (struct fw_loop_default){1, "compare and swap usually succeeds at once", false};
    if (last->end == last->first)
        return usual;
    const struct fw_instruction *leave = &function->instructions[last->end - 1];
    const struct fw_instruction *test = branch_definition(branches, leave->guard_value);
    uint32_t entry = entry_of(info, header);
    if (leave->guard == FW_NO_INDEX || !test || test->opcode != FW_OP_SETP ||
        test->operand_count < 3 || fw_type_class(test->types[0]) == 'f')
        return usual;
    for (uint32_t o = 1; o < 3; o++) {
        int64_t away, step;
        if (test->operands[o].kind != FW_OPERAND_REGISTER)
            continue;
        uint32_t phi = counter_of(branches, header, info->header, test->operands[o].value, &away);
        if (phi == FW_NO_INDEX || entry == FW_NO_INDEX)
            continue;
        uint32_t back = entry == 0 ? 1 : 0;
        if (back >= header->predecessor_count ||
            counter_of(branches, header, info->header, header->phis[phi].inputs[back], &step) !=
                phi ||
            step == 0 || step == INT64_MIN)
            continue;
        double trips, size = (double)(step < 0 ? -step : step);
        if (few_trips(branches, header->phis[phi].inputs[entry], &test->operands[3 - o],
                      test->types[0], step, FW_USUAL_TRIPS, &trips))
            return (struct fw_loop_default){trips, "what is left over from a larger step", false};
        if (size > 1)
            return (struct fw_loop_default){size < FW_USUAL_TRIPS ? FW_USUAL_TRIPS / size : 1,
                                            "it advances by more than 1", false};
        return usual;
    }
    return usual;
}
