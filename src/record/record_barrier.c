/* Barriers: which kind an instruction is, and what it takes part in. */
#include "record_internal.h"
#include "warp.h"

#include <string.h>

static uint32_t constant_operand(struct builder *b, uint32_t i, uint32_t operand)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    int64_t value;
    if (operand >= at->operand_count)
        return FW_NONE;
    fw_expression a = record_operand(b, &at->operands[operand], FW_TYPE_U32, b->block_of[i]);
    return a != FW_NO_EXPRESSION && fw_expression_constant(b->pool, a, &value) && value >= 0 &&
                   value <= UINT16_MAX
               ? (uint32_t)value
               : FW_NONE;
}

/* Whether a stated count is that of all threads: of the block that the kernel requires. */
static bool is_whole_block(const struct builder *b, uint32_t threads)
{
    const uint32_t *block = b->kernel->required_block;
    return block[0] && threads == block[0] * block[1] * block[2];
}

static void describe_block_barrier(struct builder *b, uint32_t i, struct fw_scheduled *row)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    bool reduces = fw_instruction_has(at, "red"), arrives = fw_instruction_has(at, "arrive");
    uint32_t id = reduces ? 1 : 0, operands = at->operand_count - (reduces ? 1u : 0u);
    if (fw_instruction_has(at, "cluster")) {
        row->barrier = arrives ? FW_BARRIER_CLUSTER_ARRIVE : FW_BARRIER_CLUSTER;
        return;
    }
    if (fw_instruction_has(at, "warp")) {
        row->barrier = FW_BARRIER_WARP;
        return;
    }
    bool counted = operands > id + 1;
    row->barrier_id = operands > id ? constant_operand(b, i, id) : 0;
    row->barrier_threads = counted ? constant_operand(b, i, id + 1) : 0;
    row->barrier = arrives                                               ? FW_BARRIER_ARRIVE
                   : counted && !is_whole_block(b, row->barrier_threads) ? FW_BARRIER_NAMED
                                                                         : FW_BARRIER_BLOCK;
    row->is_barrier = row->barrier == FW_BARRIER_BLOCK;
}

static bool is_wait(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_MBARRIER &&
           (fw_instruction_has(at, "try_wait") || fw_instruction_has(at, "test_wait"));
}

static void change_registers(struct builder *b, uint32_t i)
{
    struct fw_resources *resources = &b->kernel->resources;
    uint32_t count = constant_operand(b, i, 0);
    if (count == FW_NONE || count == 0)
        return;
    if (!resources->least_registers || count < resources->least_registers)
        resources->least_registers = count;
    if (count > resources->most_registers)
        resources->most_registers = count;
}

/* cp.async.commit_group, .wait_group N and .wait_all, which waits for copies in no group, too. */
static void describe_copies(struct builder *b, uint32_t i, struct fw_scheduled *row)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    bool all = fw_instruction_has(at, "wait_all");
    row->barrier = FW_BARRIER_ASYNC;
    row->commits = all || fw_instruction_has(at, "commit_group");
    row->waits_for_copies = all || fw_instruction_has(at, "wait_group");
    if (fw_instruction_has(at, "wait_group") && at->operand_count > 0) {
        uint32_t left = constant_operand(b, i, 0);
        row->copies_left = left == FW_NONE ? 0 : left;
    }
}

/* wgmma.fence, .commit_group and .wait_group N. */
static void describe_products(struct builder *b, uint32_t i, struct fw_scheduled *row)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    row->barrier = FW_BARRIER_ASYNC;
    row->commits_products = fw_instruction_has(at, "commit_group");
    row->waits_for_products = fw_instruction_has(at, "wait_group");
    if (row->waits_for_products && at->operand_count > 0) {
        uint32_t left = constant_operand(b, i, 0);
        row->products_left = left == FW_NONE ? 0 : left;
    }
}

void record_barrier(struct builder *b, uint32_t i, struct fw_scheduled *row)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    row->fences = record_fences(at);
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_BAR:
    case FW_OP_BARRIER:
        describe_block_barrier(b, i, row);
        return;
    case FW_OP_MBARRIER:
        if (is_wait(at))
            row->barrier = FW_BARRIER_MBARRIER_WAIT;
        else if (fw_instruction_has(at, "arrive") || fw_instruction_has(at, "arrive_drop"))
            row->barrier = FW_BARRIER_MBARRIER_ARRIVE;
        return;
    case FW_OP_CP:
        if (fw_instruction_has(at, "commit_group") || fw_instruction_has(at, "wait_group") ||
            fw_instruction_has(at, "wait_all"))
            describe_copies(b, i, row);
        else if (fw_instruction_has(at, "arrive"))
            row->barrier = FW_BARRIER_MBARRIER_ARRIVE;
        return;
    case FW_OP_WGMMA:
        if (!fw_instruction_has(at, "mma_async"))
            describe_products(b, i, row);
        return;
    case FW_OP_TCGEN05:
        if (fw_instruction_has(at, "wait::ld") || fw_instruction_has(at, "wait::st"))
            row->barrier = FW_BARRIER_ASYNC;
        else if (fw_instruction_has(at, "commit"))
            row->barrier = FW_BARRIER_MBARRIER_ARRIVE;
        return;
    case FW_OP_GRIDDEPCONTROL:
        row->barrier = FW_BARRIER_GRID;
        return;
    case FW_OP_SETMAXNREG:
        change_registers(b, i);
        return;
    default:
        return;
    }
}

/* Whether an instruction orders what the thread does before it for threads of other blocks: an
 * assembler has MEMBAR.ALL.GPU for it or ahead of it (SASS of ptxas 13.0).  Arrivals at barriers of
 * a cluster release unless they are relaxed. */
bool record_fences(const struct fw_instruction *at)
{
    const bool beyond = fw_instruction_has(at, "gpu") || fw_instruction_has(at, "cluster") ||
                        fw_instruction_has(at, "sys");
    const bool releases = fw_instruction_has(at, "release") || fw_instruction_has(at, "acq_rel") ||
                          fw_instruction_has(at, "sc");
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MEMBAR:
        return fw_instruction_has(at, "gl") || fw_instruction_has(at, "sys");
    case FW_OP_FENCE:
        return beyond && (fw_instruction_has(at, "acq_rel") || fw_instruction_has(at, "sc"));
    case FW_OP_BARRIER:
        return fw_instruction_has(at, "cluster") && fw_instruction_has(at, "arrive") &&
               !fw_instruction_has(at, "relaxed");
    case FW_OP_MBARRIER:
    case FW_OP_ST:
    case FW_OP_RED:
    case FW_OP_ATOM:
        return beyond && releases;
    default:
        return false;
    }
}

/* A wait for an mbarrier succeeds: what hangs on it runs as if the phase were over. */
bool record_waits(const struct fw_instruction *at)
{
    return is_wait(at);
}

/* elect.sync chooses one lane of its members, here the first, as every device seen so far does. */
static bool leader_of(struct builder *b, uint32_t i, uint32_t *leader)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    int64_t members;
    if (at->opcode != FW_OP_ELECT || at->operand_count < 2)
        return false;
    fw_expression a = record_operand(b, &at->operands[1], FW_TYPE_B32, b->block_of[i]);
    if (a == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, a, &members) ||
        (uint32_t)members == 0)
        return false;
    *leader = (uint32_t)__builtin_ctz((uint32_t)members);
    return true;
}

fw_expression record_elected(struct builder *b, uint32_t i)
{
    uint32_t leader;
    return leader_of(b, i, &leader) ? fw_constant(b->pool, leader) : FW_NO_EXPRESSION;
}

fw_condition record_is_elected(struct builder *b, uint32_t i)
{
    uint32_t leader;
    if (!leader_of(b, i, &leader))
        return FW_NO_EXPRESSION;
    fw_expression lane = fw_launch_value(b->pool, FW_LANE);
    return fw_is_zero(b->pool, fw_subtract(b->pool, lane, fw_constant(b->pool, leader)));
}

/* Whether the lane that shfl.sync reads is in range, as its second result says: for a fixed
 * distance and clamp, of the lane's place in its segment ("shfl.sync" in the PTX ISA).  All lanes
 * take part. */
fw_condition record_in_range(struct builder *b, uint32_t i)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    int64_t distance, control;
    if (at->operand_count < 4)
        return FW_NO_EXPRESSION;
    fw_expression by = record_operand(b, &at->operands[2], FW_TYPE_U32, b->block_of[i]);
    fw_expression c = record_operand(b, &at->operands[3], FW_TYPE_U32, b->block_of[i]);
    if (by == FW_NO_EXPRESSION || c == FW_NO_EXPRESSION ||
        !fw_expression_constant(b->pool, by, &distance) ||
        !fw_expression_constant(b->pool, c, &control))
        return FW_NO_EXPRESSION;
    distance &= FW_WARP_THREADS - 1;
    int64_t lanes = FW_WARP_THREADS - (control >> 8 & (FW_WARP_THREADS - 1));
    int64_t clamp = control & (lanes - 1);
    if (lanes & (lanes - 1)) /* no segments of neighbours */
        return FW_NO_EXPRESSION;
    fw_expression lane = fw_launch_value(b->pool, FW_LANE);
    fw_expression segment = fw_floor_divide(b->pool, lane, fw_constant(b->pool, lanes));
    fw_expression place = fw_subtract(b->pool, lane, fw_scale(b->pool, segment, lanes));
    switch ((enum fw_mode)at->mode) {
    case FW_MODE_UP: /* place - distance >= clamp */
        return fw_is_positive(b->pool,
                              fw_subtract(b->pool, place, fw_constant(b->pool, distance + clamp)));
    case FW_MODE_DOWN: /* place + distance <= clamp */
        return fw_is_positive(b->pool,
                              fw_subtract(b->pool, fw_constant(b->pool, clamp - distance), place));
    case FW_MODE_IDX:
        return (distance & (lanes - 1)) <= clamp ? FW_CONDITION_TRUE : FW_CONDITION_FALSE;
    case FW_MODE_BFLY:
        return distance < lanes && clamp == lanes - 1 ? FW_CONDITION_TRUE : FW_NO_EXPRESSION;
    default:
        return FW_NO_EXPRESSION;
    }
}

struct broadcast {
    struct builder *b;
    fw_expression thread; /* of the lane that is read, in a block of one dimension */
    bool opaque;
};

static fw_expression of_lane(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct broadcast *cast = user;
    (void)atom;
    if (node->kind == FW_ATOM_UNKNOWN || node->kind == FW_ATOM_TRIPS || node->kind == FW_ATOM_AT)
        cast->opaque = true; /* trips are those of the thread that asks */
    if (node->kind != FW_ATOM_LAUNCH)
        return FW_NO_EXPRESSION;
    if (node->a == FW_THREAD_X)
        return cast->thread;
    if (node->a == FW_LANE || node->a == FW_THREAD_Y || node->a == FW_THREAD_Z)
        cast->opaque = true;
    return FW_NO_EXPRESSION;
}

/* shfl.idx of a fixed lane: the value as that lane has it, where a warp is a row of threads. */
fw_expression record_broadcast(struct builder *b, uint32_t i)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    uint32_t where = b->block_of[i];
    int64_t lane, clamp;
    if (at->opcode != FW_OP_SHFL || at->mode != FW_MODE_IDX || at->operand_count < 4 ||
        fw_type_class((enum fw_type)at->types[0]) == 'f')
        return FW_NO_EXPRESSION;
    fw_expression value = record_operand(b, &at->operands[1], FW_TYPE_U32, where);
    fw_expression from = record_operand(b, &at->operands[2], FW_TYPE_U32, where);
    fw_expression mask = record_operand(b, &at->operands[3], FW_TYPE_U32, where);
    if (value == FW_NO_EXPRESSION || from == FW_NO_EXPRESSION || mask == FW_NO_EXPRESSION ||
        !fw_expression_constant(b->pool, from, &lane) ||
        !fw_expression_constant(b->pool, mask, &clamp) || lane < 0 || lane >= FW_WARP_THREADS ||
        clamp != FW_WARP_THREADS - 1)
        return FW_NO_EXPRESSION;
    fw_expression thread = fw_launch_value(b->pool, FW_THREAD_X);
    fw_expression warp = fw_floor_divide(b->pool, thread, fw_constant(b->pool, FW_WARP_THREADS));
    struct broadcast cast = {
        b, fw_add(b->pool, fw_scale(b->pool, warp, FW_WARP_THREADS), fw_constant(b->pool, lane)),
        false};
    struct fw_replacement with = {.replace = of_lane, .user = &cast};
    fw_expression found = fw_expression_replace(b->pool, value, &with);
    const uint32_t *block = b->kernel->required_block;
    if (cast.opaque)
        return FW_NO_EXPRESSION;
    if (found == value || (block[0] && block[1] * block[2] == 1))
        return found;
    fw_expression rest = fw_multiply(b->pool, fw_launch_value(b->pool, FW_BLOCK_SIZE_Y),
                                     fw_launch_value(b->pool, FW_BLOCK_SIZE_Z));
    fw_condition flat = fw_is_zero(b->pool, fw_subtract(b->pool, rest, fw_constant(b->pool, 1)));
    return fw_select(b->pool, flat, found,
                     fw_atom_new(b->pool, FW_ATOM_UNKNOWN, FW_TOO_DEEP, i, 0));
}
