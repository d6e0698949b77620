/* Ranks: the bits of a vote below a lane's own, counted, which give the lanes that go one way
 * places one after the other.
 *
 * Takes the parts of an address.  What is added to a rank (how many the warps before have, or where
 * an atomic operation let a warp begin) makes the results of warps and blocks adjoin.  Each thread
 * is taken to have the place of its own number, so that a warp comes to consecutive elements,
 * however many of its lanes go: places are as many as threads that do.  Where each warp has a row
 * of its own, half of its lanes go each time.  Votes of an inner loop make ranks where they begin
 * anew each time that it is entered. */
#include "record_parting.h"

enum { MOST_COUNTED = 24, WARP = 32 };

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

/* What a loop adds votes to, on the way back to where it began. */
struct counted {
    struct builder *b;
    uint32_t seen[MOST_COUNTED], count, loop;
    uint32_t votes; /* of an iteration */
};

static bool is_vote(struct builder *b, uint32_t value)
{
    if (value == FW_NO_INDEX)
        return false;
    const struct fw_value *origin = &b->function->values[value];
    return origin->kind == FW_VALUE_INSTRUCTION &&
           record_at(b, origin->definition)->opcode == FW_OP_POPC;
}

/* Whether a value is one that is fixed, plus votes of this loop or of one before it within the loop
 * outside, which carries none of them. */
static bool counts_anew(struct counted *counted, uint32_t value)
{
    struct builder *b = counted->b;
    for (uint32_t s = 0; s < counted->count; s++)
        if (counted->seen[s] == value)
            return true;
    if (value == FW_NO_INDEX || counted->count == MOST_COUNTED)
        return false;
    counted->seen[counted->count++] = value;
    const struct fw_value *origin = &b->function->values[value];
    const struct fw_block *block = &b->function->blocks[origin->block];
    const fw_expression known = record_value(b, value, origin->block);
    if (known != FW_NO_EXPRESSION && parting_is_fixed(b, known))
        return true;
    if (origin->kind == FW_VALUE_PHI) {
        const uint32_t inner = b->function->loops[counted->loop].header;
        bool good = block->loop == FW_NO_INDEX || block->loop == counted->loop ||
                    b->function->loops[block->loop].header != origin->block ||
                    !fw_block_in_loop(b->function, inner, block->loop);
        for (uint32_t p = 0; good && p < block->predecessor_count; p++)
            good = counts_anew(counted, block->phis[origin->definition].inputs[p]);
        return good;
    }
    const struct fw_instruction *at =
        origin->kind == FW_VALUE_INSTRUCTION ? record_at(b, origin->definition) : NULL;
    if (!at || at->opcode != FW_OP_ADD || at->guard != FW_NO_INDEX || at->operand_count != 3)
        return false;
    for (uint32_t o = 1; o < 3; o++)
        if (at->operands[o].kind == FW_OPERAND_REGISTER && is_vote(b, at->operands[o].value) &&
            at->operands[3 - o].kind == FW_OPERAND_REGISTER) {
            counted->votes += block->loop == counted->loop;
            return counts_anew(counted, at->operands[3 - o].value);
        }
    return false;
}

/* The votes of an iteration that a loop goes on by, from a place that is the same each time that it
 * is entered, as in rows of a loop outside; 0: there are none. */
static uint32_t votes_anew(struct builder *b, uint32_t loop)
{
    const struct fw_block *header = &b->function->blocks[b->function->loops[loop].header];
    for (uint32_t p = 0; p < header->phi_count; p++) {
        struct counted counted = {.b = b, .loop = loop};
        if (counts_anew(&counted, header->phis[p].value) && counted.votes)
            return counted.votes;
    }
    return 0;
}

bool record_is_rank(struct builder *b, uint32_t value)
{
    const struct fw_value *origin = &b->function->values[value];
    const uint32_t loop = b->function->blocks[origin->block].loop;
    if (origin->kind != FW_VALUE_INSTRUCTION ||
        (loop != FW_NO_INDEX && b->function->loops[loop].parent != FW_NO_INDEX &&
         votes_anew(b, loop) == 0))
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

/* Where each warp has a row of its own: its lanes one after the other, and half of them further on
 * for each vote of this iteration before, and those of earlier ones. */
static fw_expression place_in_row(struct builder *b, uint32_t loop, uint32_t before)
{
    struct fw_pool *pool = b->pool;
    const uint32_t votes = loop == FW_NO_INDEX ? 0 : votes_anew(b, loop);
    const fw_expression thread = fw_launch_value(pool, FW_THREAD_X);
    const fw_expression warp = fw_floor_divide(pool, thread, fw_constant(pool, WARP));
    fw_expression place = fw_subtract(pool, thread, fw_scale(pool, warp, WARP));
    place = fw_add(pool, place, fw_constant(pool, (int64_t)before * WARP / 2));
    if (loop == FW_NO_INDEX)
        return place;
    fw_expression moved = fw_atom_new(pool, FW_ATOM_ITERATION, loop, 0, 0);
    return fw_add(pool, place, fw_scale(pool, moved, (int64_t)(votes ? votes : 1) * WARP / 2));
}

void record_rank_place(struct builder *b, fw_expression *rest, fw_expression times, uint32_t where,
                       struct fw_data_part *parts, uint32_t *count)
{
    struct fw_pool *pool = b->pool;
    bool by_block = fw_expression_any(pool, *rest, is_block, NULL);
    const uint32_t loop = b->function->blocks[where].loop;
    uint32_t kept = 0;
    uint32_t before = 0;
    for (uint32_t p = 0; p < *count; p++) {
        before += is_vote(b, parts[p].value);
        if (part_has(b, &parts[p], true))
            continue; /* what adjoins */
        by_block |= part_has(b, &parts[p], false);
        parts[kept++] = parts[p];
    }
    *count = kept;
    if (record_has_thread(b, *rest)) {
        *rest = fw_add(pool, *rest, fw_multiply(pool, times, place_in_row(b, loop, before)));
        return;
    }
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
