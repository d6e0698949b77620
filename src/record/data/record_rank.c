/* Ranks: the bits of a vote below a lane's own, counted, which give the lanes that go one way
 * places one after the other.
 *
 * Takes the parts of an address.  What is added to a rank (how many the warps before have, or where
 * an atomic operation let a warp begin) makes the results of warps and blocks adjoin.  Each thread
 * is taken to have the place of its own number, so that a warp comes to consecutive elements,
 * however many of its lanes go: places are as many as threads that do. */
#include "record_internal.h"

/* 2^lane - 1: the bits below a lane's own. */
static bool is_below_own(struct builder *b, fw_expression mask)
{
    const struct fw_expression_node *node = &b->pool->expressions.at[mask];
    if (node->term_count != 2 || node->terms[0].atom_count != 0 ||
        node->terms[0].coefficient != -1 || node->terms[1].atom_count != 1 ||
        node->terms[1].coefficient != 1)
        return false;
    const struct fw_atom_node *atom = &b->pool->atoms.at[node->terms[1].atoms[0]];
    return atom->kind == FW_ATOM_POWER2 && record_has_thread(b, atom->a);
}

static bool is_mask_below(struct builder *b, const struct fw_operand *operand, uint32_t where)
{
    if (operand->kind == FW_OPERAND_SPECIAL)
        return operand->index == FW_SREG_LANEMASK_LT;
    fw_expression known = record_operand(b, operand, FW_TYPE_U32, where);
    if (known != FW_NO_EXPRESSION && is_below_own(b, known))
        return true;
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return false;
    const struct fw_value *origin = &b->function->values[operand->value];
    if (origin->kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at = record_at(b, origin->definition);
    return at->opcode == FW_OP_MOV && at->operand_count == 2 &&
           at->operands[1].kind == FW_OPERAND_SPECIAL &&
           at->operands[1].index == FW_SREG_LANEMASK_LT;
}

bool record_is_rank(struct builder *b, uint32_t value)
{
    const struct fw_value *origin = &b->function->values[value];
    const uint32_t loop = b->function->blocks[origin->block].loop;
    if (origin->kind != FW_VALUE_INSTRUCTION ||
        (loop != FW_NO_INDEX && b->function->loops[loop].parent != FW_NO_INDEX))
        return false;
    const struct fw_instruction *at = record_at(b, origin->definition);
    if (at->opcode != FW_OP_POPC || at->guard != FW_NO_INDEX || at->operand_count != 2 ||
        at->operands[1].kind != FW_OPERAND_REGISTER || at->operands[1].value == FW_NO_INDEX)
        return false;
    origin = &b->function->values[at->operands[1].value];
    if (origin->kind != FW_VALUE_INSTRUCTION)
        return false;
    const uint32_t where = b->block_of[origin->definition];
    at = record_at(b, origin->definition);
    return at->opcode == FW_OP_AND && at->guard == FW_NO_INDEX && at->operand_count == 3 &&
           (is_mask_below(b, &at->operands[1], where) || is_mask_below(b, &at->operands[2], where));
}

static bool is_block(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_LAUNCH && node->a <= FW_BLOCK_Z;
}

static bool part_has(struct builder *b, const struct fw_data_part *part, bool of_threads)
{
    for (uint32_t i = 0; i < part->input_count; i++)
        if (of_threads ? record_has_thread(b, part->inputs[i])
                       : fw_expression_any(b->pool, part->inputs[i], is_block, NULL))
            return true;
    return false;
}

void record_rank_place(struct builder *b, fw_expression *rest, fw_expression times, uint32_t where,
                       struct fw_data_part *parts, uint32_t *count)
{
    struct fw_pool *pool = b->pool;
    bool by_block = fw_expression_any(pool, *rest, is_block, NULL);
    const uint32_t loop = b->function->blocks[where].loop;
    uint32_t kept = 0;
    for (uint32_t p = 0; p < *count; p++) {
        if (part_has(b, &parts[p], true))
            continue; /* what adjoins */
        by_block |= part_has(b, &parts[p], false);
        parts[kept++] = parts[p];
    }
    *count = kept;
    /* Threads that are as many come to what follows: those of the block, or of the grid. */
    fw_expression place = fw_launch_value(pool, FW_THREAD_X);
    fw_expression many = fw_launch_value(pool, FW_BLOCK_SIZE_X);
    if (!by_block) {
        place = fw_add(pool, place, fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_X), many));
        many = fw_multiply(pool, many, fw_launch_value(pool, FW_GRID_SIZE_X));
    }
    if (loop != FW_NO_INDEX)
        place = fw_add(pool, place,
                       fw_multiply(pool, fw_atom_new(pool, FW_ATOM_ITERATION, loop, 0, 0), many));
    *rest = fw_add(pool, *rest, fw_multiply(pool, times, place));
}
