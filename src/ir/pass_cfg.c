/* cfg: basic blocks, edges and reverse post-order.  Needs nothing. */
#include "passes.h"

#include <string.h>

bool fw_instruction_is_terminator(const struct fw_instruction *instruction)
{
    switch (instruction->opcode) {
    case FW_OP_BRA:
    case FW_OP_BRX:
    case FW_OP_RET:
    case FW_OP_EXIT:
    case FW_OP_TRAP:
        return true;
    default:
        return false;
    }
}

static uint32_t target_instruction(const struct fw_function *function,
                                   const struct fw_instruction *branch, uint32_t which)
{
    return function->labels[branch->targets[which]].instruction;
}

/* The block of each instruction (one more entry for the end), and how many blocks there are.  When
 * a branch goes back to the first instruction, block 0 is an empty one before it. */
static uint32_t *number_blocks(struct fw_arena *arena, const struct fw_function *function,
                               uint32_t *count)
{
    uint32_t n = function->instruction_count;
    uint32_t *block_of = FW_ARRAY(arena, uint32_t, n + 1);
    uint32_t block = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        if (!fw_instruction_is_terminator(at))
            continue;
        block_of[i + 1] = 1;
        for (uint32_t t = 0; t < at->target_count; t++)
            block_of[target_instruction(function, at, t)] = 1;
    }
    block = n && block_of[0] ? 1 : 0;
    for (uint32_t i = 0; i <= n; i++) {
        block += i > 0 && block_of[i] && i < n;
        block_of[i] = i < n ? block : FW_NO_INDEX;
    }
    *count = n ? block + 1 : 1;
    return block_of;
}

static void add_successors(struct fw_arena *arena, struct fw_function *function, uint32_t index,
                           const uint32_t *block_of)
{
    struct fw_block *block = &function->blocks[index];
    const struct fw_instruction *last =
        block->end > block->first ? &function->instructions[block->end - 1] : NULL;
    uint32_t room = last ? last->target_count + 1 : 1;
    block->successors = FW_ARRAY(arena, uint32_t, room);
    bool falls = !last || !fw_instruction_is_terminator(last) || last->guard != FW_NO_INDEX;
    if (last && (last->opcode == FW_OP_BRA || last->opcode == FW_OP_BRX))
        for (uint32_t t = 0; t < last->target_count; t++) {
            uint32_t to = block_of[target_instruction(function, last, t)];
            if (to != FW_NO_INDEX)
                block->successors[block->successor_count++] = to;
        }
    if (falls && index + 1 < function->block_count)
        block->successors[block->successor_count++] = index + 1;
}

/* Depth-first from the entry without recursion; fills order. */
static void reverse_post_order(struct fw_arena *arena, struct fw_function *function)
{
    uint32_t n = function->block_count, depth = 0, done = n;
    uint32_t *stack = FW_ARRAY(arena, uint32_t, n), *next = FW_ARRAY(arena, uint32_t, n);
    uint32_t *order = FW_ARRAY(arena, uint32_t, n);
    bool *seen = FW_ARRAY(arena, bool, n);
    stack[depth++] = 0;
    seen[0] = true;
    while (depth) {
        uint32_t at = stack[depth - 1];
        struct fw_block *block = &function->blocks[at];
        if (next[at] == block->successor_count) {
            order[--done] = at;
            depth--;
            continue;
        }
        uint32_t to = block->successors[next[at]++];
        if (!seen[to]) {
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    function->order = order + done;
    function->order_count = n - done;
    for (uint32_t i = 0; i < n; i++)
        function->blocks[i].order = FW_NO_INDEX;
    for (uint32_t i = 0; i < function->order_count; i++)
        function->blocks[function->order[i]].order = i;
}

static void add_predecessors(struct fw_arena *arena, struct fw_function *function)
{
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t i = 0; i < function->order_count; i++) {
            const struct fw_block *block = &function->blocks[function->order[i]];
            for (uint32_t s = 0; s < block->successor_count; s++) {
                struct fw_block *to = &function->blocks[block->successors[s]];
                if (fill)
                    to->predecessors[to->predecessor_count] = function->order[i];
                to->predecessor_count++;
            }
        }
        for (uint32_t i = 0; i < function->block_count && !fill; i++) {
            struct fw_block *block = &function->blocks[i];
            block->predecessors = FW_ARRAY(arena, uint32_t, block->predecessor_count);
            block->predecessor_count = 0;
        }
    }
}

void fw_pass_cfg(struct fw_arena *arena, struct fw_function *function)
{
    uint32_t *block_of = number_blocks(arena, function, &function->block_count);
    function->blocks = FW_ARRAY(arena, struct fw_block, function->block_count);
    for (uint32_t i = 0; i < function->block_count; i++) {
        struct fw_block *block = &function->blocks[i];
        block->dominator = block->post_dominator = block->loop = FW_NO_INDEX;
    }
    for (uint32_t i = function->instruction_count; i-- > 0;) {
        struct fw_block *block = &function->blocks[block_of[i]];
        if (!block->end)
            block->end = i + 1;
        block->first = i;
    }
    for (uint32_t i = 0; i < function->block_count; i++)
        add_successors(arena, function, i, block_of);
    reverse_post_order(arena, function);
    add_predecessors(arena, function);
}
