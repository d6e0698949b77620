/* uniformity: which values are equal for all threads of a launch, a block, a warp, or none of
 * these. Needs ssa and loops.  Conservative: a value is never said to be more uniform than it is.
 *
 * A value is as uniform as what it is computed from; a phi also as the branches that choose among
 * its inputs; a value of a loop that threads leave at different times, when it is used after the
 * loop, also as the loop's exits.  Loads from memory that the kernel may write are uniform over the
 * block at most. */
#include "passes.h"

struct uniformity {
    const struct fw_function *function;
    uint8_t *level;
    uint8_t defines; /* of what the instruction in hand defines */
    uint8_t found;
};

static void raise_to(uint8_t *level, uint8_t by)
{
    if (by > *level)
        *level = by;
}

static uint8_t special_level(uint32_t special)
{
    if (special >= FW_SREG_NTID_X && special <= FW_SREG_NTID_Z)
        return FW_UNIFORM_LAUNCH;
    if (special >= FW_SREG_NCTAID_X && special <= FW_SREG_NCTAID_Z)
        return FW_UNIFORM_LAUNCH;
    if (special >= FW_SREG_CTAID_X && special <= FW_SREG_CTAID_Z)
        return FW_UNIFORM_BLOCK;
    switch ((enum fw_special)special) {
    case FW_SREG_DYNAMIC_SMEM_SIZE:
    case FW_SREG_TOTAL_SMEM_SIZE:
    case FW_SREG_NSMID:
    case FW_SREG_GRIDID:
        return FW_UNIFORM_LAUNCH;
    case FW_SREG_SMID:
        return FW_UNIFORM_BLOCK;
    case FW_SREG_WARPID:
    case FW_SREG_NWARPID:
        return FW_UNIFORM_WARP;
    default:
        return FW_UNIFORM_NONE;
    }
}

static void add_operand(void *user, struct fw_operand *operand)
{
    struct uniformity *u = user;
    if (operand->value != FW_NO_INDEX)
        raise_to(&u->found, u->level[operand->value]);
}

static uint8_t instruction_level(struct uniformity *u, const struct fw_instruction *at)
{
    u->found = FW_UNIFORM_LAUNCH;
    fw_instruction_uses(at, add_operand, u);
    for (uint32_t o = at->destinations; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_SPECIAL)
            raise_to(&u->found, special_level(at->operands[o].index));
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
        if (at->slot) {
            add_operand(u, at->slot);
            return u->found;
        }
        if (at->space == FW_SPACE_LOCAL)
            return FW_UNIFORM_NONE;
        if (at->space != FW_SPACE_PARAM && at->space != FW_SPACE_CONST)
            raise_to(&u->found, FW_UNIFORM_BLOCK);
        return u->found;
    case FW_OP_VOTE:
    case FW_OP_REDUX:
    case FW_OP_ACTIVEMASK:
        return FW_UNIFORM_WARP;
    case FW_OP_SHFL:
    case FW_OP_MATCH:
    case FW_OP_ELECT:
    case FW_OP_ATOM:
    case FW_OP_CALL:
    case FW_OP_TEX:
    case FW_OP_TLD4:
    case FW_OP_SULD:
    case FW_OP_LDMATRIX:
    case FW_OP_MMA:
    case FW_OP_WMMA:
    case FW_OP_WGMMA:
    case FW_OP_OTHER:
        return FW_UNIFORM_NONE;
    default:
        return u->found;
    }
}

/* How uniformly the branch at a block's end goes. */
static uint8_t branch_level(const struct uniformity *u, uint32_t block)
{
    const struct fw_block *at = &u->function->blocks[block];
    if (at->end == at->first)
        return FW_UNIFORM_LAUNCH;
    const struct fw_instruction *last = &u->function->instructions[at->end - 1];
    if (!fw_instruction_is_terminator(last))
        return FW_UNIFORM_LAUNCH;
    if (last->opcode == FW_OP_BRX)
        return last->operand_count && last->operands[0].value != FW_NO_INDEX
                   ? u->level[last->operands[0].value]
                   : (uint8_t)FW_UNIFORM_NONE;
    return last->guard != FW_NO_INDEX ? u->level[last->guard_value] : (uint8_t)FW_UNIFORM_LAUNCH;
}

/* The only block from which a loop goes back to its header `block`: what happens inside does not
 * choose among the inputs of the header's phis.  FW_NO_INDEX: no header, or several such blocks. */
static uint32_t only_latch(const struct fw_function *function, uint32_t block)
{
    uint32_t loop = function->blocks[block].loop;
    return loop != FW_NO_INDEX && loop < function->loop_count &&
                   function->loops[loop].header == block && function->loops[loop].latch_count == 1
               ? function->loops[loop].latches[0]
               : FW_NO_INDEX;
}

/* Every way from `block` leads through `to`. */
static bool always_reaches(const struct fw_function *function, uint32_t block, uint32_t to)
{
    while (block != FW_NO_INDEX && block != to)
        block = function->blocks[block].post_dominator;
    return block == to;
}

/* The branches between a join and its dominator choose among the phi's inputs, but for those behind
 * which all ways meet again before. */
static uint8_t choice_level(const struct uniformity *u, uint32_t block)
{
    const struct fw_block *join = &u->function->blocks[block];
    uint32_t latch = only_latch(u->function, block);
    uint8_t level = FW_UNIFORM_LAUNCH;
    for (uint32_t p = 0; p < join->predecessor_count; p++)
        for (uint32_t at = join->predecessors[p]; at != FW_NO_INDEX;
             at = u->function->blocks[at].dominator) {
            if (join->predecessors[p] == latch)
                break;
            if (at == join->predecessors[p] ||
                !always_reaches(u->function, at, join->predecessors[p]))
                raise_to(&level, branch_level(u, at));
            if (at == join->dominator || at == block)
                break;
        }
    return level;
}

static bool in_loop(const struct fw_function *function, uint32_t block, uint32_t loop)
{
    uint32_t at = function->blocks[block].loop;
    while (at != FW_NO_INDEX && at != loop)
        at = function->loops[at].parent;
    return at == loop;
}

static uint8_t exit_level(const struct uniformity *u, uint32_t loop)
{
    const struct fw_loop_info *info = &u->function->loops[loop];
    uint8_t level = FW_UNIFORM_LAUNCH;
    for (uint32_t b = 0; b < info->block_count; b++) {
        const struct fw_block *block = &u->function->blocks[info->blocks[b]];
        for (uint32_t s = 0; s < block->successor_count; s++)
            if (!in_loop(u->function, block->successors[s], loop))
                raise_to(&level, branch_level(u, info->blocks[b]));
    }
    return level;
}

struct leaving_use {
    struct uniformity *u;
    uint32_t block;
};

/* A value used after a loop that it was defined in varies as the loop's exits do. */
static void note_leaving(void *user, struct fw_operand *operand)
{
    struct leaving_use *use = user;
    const struct fw_function *function = use->u->function;
    if (operand->value == FW_NO_INDEX)
        return;
    for (uint32_t loop = function->blocks[function->values[operand->value].block].loop;
         loop != FW_NO_INDEX && !in_loop(function, use->block, loop);
         loop = function->loops[loop].parent)
        raise_to(&use->u->level[operand->value], exit_level(use->u, loop));
}

static void raise_definition(void *user, struct fw_operand *operand)
{
    struct uniformity *u = user;
    if (operand->value != FW_NO_INDEX)
        raise_to(&u->level[operand->value], u->defines);
}

static void visit_block(struct uniformity *u, uint32_t index)
{
    const struct fw_block *block = &u->function->blocks[index];
    struct leaving_use use = {u, index};
    for (uint32_t p = 0; p < block->phi_count; p++) {
        const struct fw_phi *phi = &block->phis[p];
        uint8_t level = choice_level(u, index);
        for (uint32_t i = 0; i < block->predecessor_count; i++) {
            struct fw_operand input = {.value = phi->inputs[i]};
            note_leaving(&use, &input);
            raise_to(&level, u->level[phi->inputs[i]]);
        }
        raise_to(&u->level[phi->value], level);
    }
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &u->function->instructions[i];
        uint8_t level = instruction_level(u, at);
        fw_instruction_uses(at, note_leaving, &use);
        if (at->slot && at->opcode == FW_OP_LD)
            note_leaving(&use, at->slot);
        if (at->guard != FW_NO_INDEX)
            raise_to(&level, u->level[at->guard_value]);
        u->defines = level;
        fw_instruction_definitions(at, raise_definition, u);
        if (at->slot && at->opcode == FW_OP_ST)
            raise_definition(u, at->slot);
    }
}

uint8_t *fw_pass_uniformity(struct fw_arena *arena, const struct fw_function *function)
{
    struct uniformity u = {.function = function,
                           .level = FW_ARRAY(arena, uint8_t, function->value_count + 1)};
    /* Levels only rise, and there are four: the passes over the function are few. */
    for (bool changed = true; changed;) {
        changed = false;
        uint64_t before = 0, after = 0;
        for (uint32_t v = 0; v < function->value_count; v++)
            before += u.level[v];
        for (uint32_t o = 0; o < function->order_count; o++)
            visit_block(&u, function->order[o]);
        for (uint32_t v = 0; v < function->value_count; v++)
            after += u.level[v];
        changed = after != before;
    }
    return u.level;
}
