#include "spinning.h"

#include "passes.h"

struct search {
    const struct fw_function *function;
    uint32_t loop;   /* of the function */
    uint32_t *seen;  /* by SSA value: the loop that it was last visited for, plus 1 */
    uint32_t *queue; /* values to visit */
    uint32_t count;
};

static void visit(void *user, struct fw_operand *operand)
{
    struct search *search = user;
    const uint32_t value = operand->value;
    if (value == FW_NO_INDEX || search->seen[value] == search->loop + 1)
        return;
    search->seen[value] = search->loop + 1;
    search->queue[search->count++] = value;
}

static void visit_value(struct search *search, uint32_t value)
{
    struct fw_operand operand = {.value = value};
    visit(search, &operand);
}

/* A load that another block's write can change the result of. */
static bool polls(const struct fw_instruction *at)
{
    const bool shared = at->space == FW_SPACE_SHARED || at->space == FW_SPACE_LOCAL ||
                        at->space == FW_SPACE_PARAM || at->space == FW_SPACE_CONST;
    const bool fresh = fw_instruction_has(at, "volatile") || fw_instruction_has(at, "acquire") ||
                       fw_instruction_has(at, "relaxed") || fw_instruction_has(at, "mmio");
    return at->opcode == FW_OP_LD && !shared && fresh && !fw_instruction_has(at, "cta");
}

static bool writes(const struct fw_instruction *at)
{
    const bool own =
        at->space == FW_SPACE_SHARED || at->space == FW_SPACE_LOCAL || at->space == FW_SPACE_PARAM;
    return ((at->opcode == FW_OP_ST || at->opcode == FW_OP_ATOM || at->opcode == FW_OP_RED) &&
            !own) ||
           at->opcode == FW_OP_CALL;
}

/* Follows the values that end the loop back as far as they are made in it. */
static uint32_t find_load(struct search *search)
{
    const struct fw_function *function = search->function;
    while (search->count) {
        const struct fw_value *value = &function->values[search->queue[--search->count]];
        if (value->kind == FW_VALUE_ENTRY ||
            !fw_block_in_loop(function, value->block, search->loop))
            continue;
        const struct fw_block *block = &function->blocks[value->block];
        if (value->kind == FW_VALUE_PHI) {
            for (uint32_t p = 0; p < block->predecessor_count; p++)
                visit_value(search, block->phis[value->definition].inputs[p]);
            continue;
        }
        const struct fw_instruction *at = &function->instructions[value->definition];
        if (polls(at))
            return value->definition;
        fw_instruction_uses(at, visit, search);
    }
    return FW_NO_INDEX;
}

static uint32_t look_into(struct search *search)
{
    const struct fw_function *function = search->function;
    const struct fw_loop_info *loop = &function->loops[search->loop];
    bool any = false;
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &function->blocks[loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            if (writes(&function->instructions[i]))
                return FW_NO_INDEX;
            any = any || polls(&function->instructions[i]);
        }
    }
    if (!any)
        return FW_NO_INDEX;
    search->count = 0;
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &function->blocks[loop->blocks[b]];
        bool leaves = false;
        for (uint32_t s = 0; s < block->successor_count; s++)
            leaves = leaves || !fw_block_in_loop(function, block->successors[s], search->loop);
        if (leaves && function->instructions[block->end - 1].guard != FW_NO_INDEX)
            visit_value(search, function->instructions[block->end - 1].guard_value);
    }
    return find_load(search);
}

uint32_t fw_spinning_load(struct fw_arena *arena, const struct fw_function *function)
{
    struct search search = {.function = function,
                            .seen = FW_ARRAY(arena, uint32_t, function->value_count + 1),
                            .queue = FW_ARRAY(arena, uint32_t, function->value_count + 1)};
    for (search.loop = 0; search.loop < function->loop_count; search.loop++) {
        const uint32_t load = look_into(&search);
        if (load != FW_NO_INDEX)
            return load;
    }
    return FW_NO_INDEX;
}
