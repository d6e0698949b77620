/* uniformity: which values are equal for all threads of a launch, a block, a warp, or none of
 * these. Needs ssa and loops.  Conservative: a value is never said to be more uniform than it is.
 *
 * A value is as uniform as what it is computed from; a phi also as the branches that choose among
 * its inputs; a value of a loop that threads leave at different times, when it is used after the
 * loop, also as the loop's exits.  Loads from memory that the kernel may write are uniform over the
 * block at most.
 *
 * The least uniform level spreads first, from its sources over these relations; then the next one.
 * Each value, branch, loop and join is met once.  Which joins a branch chooses for, and which
 * values leave a loop, are paths in the trees of dominators and loops: no product of the two is
 * laid out.
 */
#include "passes.h"
#include "tree.h"

/* What a value that varies makes vary. */
enum user_kind { USER_INSTRUCTION, USER_PHI, USER_BRANCH };

struct user {
    uint32_t kind;
    uint32_t index; /* instruction, value of the phi, block */
};

struct uniformity {
    struct fw_arena *arena;
    const struct fw_function *function;
    uint8_t *level;
    uint8_t spread; /* the level that spreads now */
    struct fw_tree dominators, post_dominators, loops;
    uint32_t *start; /* by value: its first user; one entry more */
    struct user *users;
    bool filling;     /* users are written down, not counted */
    struct user user; /* the one in hand */
    uint32_t block;   /* of the use in hand */
    uint32_t *leaves; /* by value: 1 + depth of the outermost loop that a use is out of; 0: none */
    struct fw_tree_paths chosen;  /* from predecessors of joins up to where ways part: the join */
    struct fw_tree_paths leaving; /* loops that a value is used after: the value */
    bool *instructions, *branches, *joins; /* met already */
    uint32_t *unmet_loop; /* by loop: the first that is not met, from it outwards; a path-halving
                             forest, loop_count stands for none */
    FW_VECTOR(uint32_t) pending; /* values whose users are to be met */
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

bool fw_instruction_passes_on(const struct fw_instruction *at)
{
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
        return at->slot || at->space != FW_SPACE_LOCAL;
    case FW_OP_VOTE:
    case FW_OP_REDUX:
    case FW_OP_ACTIVEMASK:
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
        return false;
    default:
        return true;
    }
}

/* The level of an instruction by itself, whatever its operands are. */
static uint8_t own_level(const struct fw_instruction *at)
{
    uint8_t level = FW_UNIFORM_LAUNCH;
    if (at->opcode == FW_OP_VOTE || at->opcode == FW_OP_REDUX || at->opcode == FW_OP_ACTIVEMASK)
        return FW_UNIFORM_WARP;
    if (!fw_instruction_passes_on(at))
        return FW_UNIFORM_NONE;
    for (uint32_t o = at->destinations; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_SPECIAL)
            raise_to(&level, special_level(at->operands[o].index));
    bool load = at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU;
    if (load && !at->slot && at->space != FW_SPACE_PARAM && at->space != FW_SPACE_CONST)
        raise_to(&level, FW_UNIFORM_BLOCK);
    return level;
}

/* The branch at a block's end whose ways a value chooses among; NULL: there is none. */
static const struct fw_instruction *branch_of(const struct fw_function *function, uint32_t block)
{
    const struct fw_block *at = &function->blocks[block];
    if (at->end == at->first)
        return NULL;
    const struct fw_instruction *last = &function->instructions[at->end - 1];
    bool chooses = last->opcode == FW_OP_BRX || last->guard != FW_NO_INDEX;
    return fw_instruction_is_terminator(last) && chooses ? last : NULL;
}

/* The value that a branch looks at; FW_NO_INDEX: one that is not followed. */
static uint32_t tested(const struct fw_instruction *branch)
{
    if (branch->opcode != FW_OP_BRX)
        return branch->guard_value;
    return branch->operand_count ? branch->operands[0].value : FW_NO_INDEX;
}

/* ---- who uses a value ---- */

static void add_user(struct uniformity *u, uint32_t value)
{
    if (value == FW_NO_INDEX)
        return;
    if (u->filling)
        u->users[u->start[value + 1]++] = u->user;
    else
        u->start[value + 2]++;
}

/* Whether the use in hand is out of a loop. */
static bool is_out(const struct uniformity *u, uint32_t loop)
{
    uint32_t inside = u->function->blocks[u->block].loop;
    return loop != FW_NO_INDEX &&
           (inside == FW_NO_INDEX || !fw_tree_above(&u->loops, loop, inside));
}

/* A value used after a loop that it was defined in varies as the loop's exits do. */
static void note_leaving(struct uniformity *u, uint32_t value)
{
    if (value == FW_NO_INDEX || u->filling)
        return;
    const struct fw_function *function = u->function;
    uint32_t out = function->blocks[function->values[value].block].loop;
    if (!is_out(u, out))
        return;
    for (uint32_t next = out; is_out(u, next);) {
        out = next;
        next = is_out(u, u->loops.jump[out]) ? u->loops.jump[out] : u->loops.parent[out];
    }
    if (!u->leaves[value] || u->loops.depth[out] + 1 < u->leaves[value])
        u->leaves[value] = u->loops.depth[out] + 1;
}

static void visit_use(void *user, struct fw_operand *operand)
{
    struct uniformity *u = user;
    if (u->user.kind != USER_INSTRUCTION ||
        fw_instruction_passes_on(&u->function->instructions[u->user.index]))
        add_user(u, operand->value);
    note_leaving(u, operand->value);
}

static void visit_phis(struct uniformity *u)
{
    const struct fw_block *block = &u->function->blocks[u->block];
    for (uint32_t p = 0; p < block->phi_count; p++) {
        u->user = (struct user){USER_PHI, block->phis[p].value};
        for (uint32_t i = 0; i < block->predecessor_count; i++) {
            add_user(u, block->phis[p].inputs[i]);
            note_leaving(u, block->phis[p].inputs[i]);
        }
    }
}

static void visit_instruction(struct uniformity *u, uint32_t i)
{
    const struct fw_instruction *at = &u->function->instructions[i];
    u->user = (struct user){USER_INSTRUCTION, i};
    fw_instruction_uses(at, visit_use, u);
    if (at->slot && at->opcode == FW_OP_LD)
        visit_use(u, at->slot);
    if (at->guard != FW_NO_INDEX)
        add_user(u, at->guard_value);
}

static void visit_all(struct uniformity *u, bool filling)
{
    const struct fw_function *function = u->function;
    u->filling = filling;
    for (uint32_t o = 0; o < function->order_count; o++) {
        u->block = function->order[o];
        const struct fw_block *block = &function->blocks[u->block];
        const struct fw_instruction *branch = branch_of(function, u->block);
        visit_phis(u);
        for (uint32_t i = block->first; i < block->end; i++)
            visit_instruction(u, i);
        u->user = (struct user){USER_BRANCH, u->block};
        if (branch)
            add_user(u, tested(branch));
    }
}

static void find_users(struct uniformity *u)
{
    uint32_t count = u->function->value_count;
    u->start = FW_ARRAY(u->arena, uint32_t, (size_t)count + 3);
    u->leaves = FW_ARRAY(u->arena, uint32_t, count + 1);
    visit_all(u, false);
    for (uint32_t v = 1; v <= count + 1; v++)
        u->start[v + 1] += u->start[v];
    u->users = FW_ARRAY(u->arena, struct user, u->start[count + 2]);
    visit_all(u, true);
}

/* ---- what a branch chooses, what leaves a loop ---- */

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

/* The nearest dominator of `block` from which not every way leads through it; FW_NO_INDEX: none.
 * Further up there is none again from which every way does. */
static uint32_t where_ways_part(const struct uniformity *u, uint32_t block)
{
    const struct fw_tree *up = &u->dominators;
    uint32_t at = up->parent[block];
    while (at != FW_NO_INDEX && fw_tree_above(&u->post_dominators, block, at)) {
        uint32_t jump = up->jump[at];
        bool far = jump != FW_NO_INDEX && fw_tree_above(&u->post_dominators, block, jump);
        at = far ? jump : up->parent[at];
    }
    return at;
}

struct path_list {
    FW_VECTOR(uint32_t) bottom;
    FW_VECTOR(uint32_t) top;
    FW_VECTOR(uint32_t) user;
};

static void add_path(struct uniformity *u, struct path_list *list, uint32_t bottom, uint32_t top,
                     uint32_t user)
{
    *FW_APPEND(u->arena, &list->bottom) = bottom;
    *FW_APPEND(u->arena, &list->top) = top;
    *FW_APPEND(u->arena, &list->user) = user;
}

/* The branches between a join and its dominator choose among the phis' inputs, but for those behind
 * which all ways meet again before. */
static void add_choices(struct uniformity *u, struct path_list *list, uint32_t block)
{
    const struct fw_tree *up = &u->dominators;
    const struct fw_block *join = &u->function->blocks[block];
    uint32_t latch = only_latch(u->function, block);
    for (uint32_t p = 0; p < join->predecessor_count; p++) {
        uint32_t from = join->predecessors[p];
        if (from == latch)
            continue;
        bool back = fw_tree_above(up, block, from);
        uint32_t top = back ? up->depth[block] : up->depth[block] - (up->depth[block] > 0);
        add_path(u, list, from, up->depth[from], block);
        uint32_t parted = where_ways_part(u, from);
        if (parted != FW_NO_INDEX && up->depth[parted] >= top)
            add_path(u, list, parted, top, block);
    }
}

static struct fw_tree_paths paths_of(struct uniformity *u, const struct fw_tree *tree,
                                     const struct path_list *list)
{
    return fw_tree_paths_new(u->arena, tree, list->bottom.at, list->top.at, list->user.at,
                             (uint32_t)list->user.count);
}

static void find_paths(struct uniformity *u)
{
    const struct fw_function *function = u->function;
    struct path_list choices = {0}, leaving = {0};
    for (uint32_t o = 0; o < function->order_count; o++)
        if (function->blocks[function->order[o]].phi_count)
            add_choices(u, &choices, function->order[o]);
    for (uint32_t v = 0; v < function->value_count; v++)
        if (u->leaves[v])
            add_path(u, &leaving, function->blocks[function->values[v].block].loop,
                     u->leaves[v] - 1, v);
    u->chosen = paths_of(u, &u->dominators, &choices);
    u->leaving = paths_of(u, &u->loops, &leaving);
}

static void make_trees(struct uniformity *u)
{
    const struct fw_function *function = u->function;
    uint32_t blocks = function->block_count, loops = function->loop_count;
    uint32_t *post_dominators = FW_ARRAY(u->arena, uint32_t, blocks);
    uint32_t *parents = FW_ARRAY(u->arena, uint32_t, loops);
    for (uint32_t b = 0; b < blocks; b++)
        post_dominators[b] = function->blocks[b].post_dominator;
    for (uint32_t l = 0; l < loops; l++)
        parents[l] = function->loops[l].parent;
    u->dominators = fw_dominator_tree(u->arena, function);
    u->post_dominators = fw_tree_new(u->arena, post_dominators, blocks);
    u->loops = fw_tree_new(u->arena, parents, loops);
}

/* ---- spreading ---- */

static void meet_value(struct uniformity *u, uint32_t value)
{
    if (value == FW_NO_INDEX || u->level[value])
        return;
    u->level[value] = u->spread;
    *FW_APPEND(u->arena, &u->pending) = value;
}

static void meet_definition(void *user, struct fw_operand *operand)
{
    meet_value(user, operand->value);
}

static void meet_instruction(struct uniformity *u, uint32_t i)
{
    const struct fw_instruction *at = &u->function->instructions[i];
    if (u->instructions[i])
        return;
    u->instructions[i] = true;
    fw_instruction_definitions(at, meet_definition, u);
    if (at->slot && at->opcode == FW_OP_ST)
        meet_value(u, at->slot->value);
}

static void meet_join(struct uniformity *u, uint32_t block)
{
    const struct fw_block *join = &u->function->blocks[block];
    for (uint32_t p = 0; p < join->phi_count && !u->joins[block]; p++)
        meet_value(u, join->phis[p].value);
    u->joins[block] = true;
}

static uint32_t unmet_loop(struct uniformity *u, uint32_t loop)
{
    uint32_t *to = u->unmet_loop;
    while (to[loop] != loop)
        loop = to[loop] = to[to[loop]];
    return loop;
}

/* Threads leave the loops that are around `block` and not around `to` at different times. */
static void meet_exits(struct uniformity *u, uint32_t block, uint32_t to)
{
    const struct fw_function *function = u->function;
    uint32_t none = function->loop_count, value;
    uint32_t inside = function->blocks[to].loop, loop = function->blocks[block].loop;
    while (loop != FW_NO_INDEX) {
        loop = unmet_loop(u, loop);
        if (loop == none || (inside != FW_NO_INDEX && fw_tree_above(&u->loops, loop, inside)))
            return;
        while ((value = fw_tree_paths_take(&u->leaving, loop)) != FW_NO_INDEX)
            meet_value(u, value);
        u->unmet_loop[loop] =
            function->loops[loop].parent == FW_NO_INDEX ? none : function->loops[loop].parent;
    }
}

static void meet_branch(struct uniformity *u, uint32_t block)
{
    const struct fw_block *at = &u->function->blocks[block];
    uint32_t join;
    if (u->branches[block])
        return;
    u->branches[block] = true;
    while ((join = fw_tree_paths_take(&u->chosen, block)) != FW_NO_INDEX)
        meet_join(u, join);
    for (uint32_t s = 0; s < at->successor_count; s++)
        meet_exits(u, block, at->successors[s]);
}

static void meet_users(struct uniformity *u, uint32_t value)
{
    for (uint32_t i = u->start[value]; i < u->start[value + 1]; i++) {
        const struct user *user = &u->users[i];
        if (user->kind == USER_INSTRUCTION)
            meet_instruction(u, user->index);
        else if (user->kind == USER_PHI)
            meet_value(u, user->index);
        else
            meet_branch(u, user->index);
    }
}

/* Everything that a level's own sources reach and no higher level did. */
static void spread(struct uniformity *u, uint8_t level)
{
    const struct fw_function *function = u->function;
    u->spread = level;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        const struct fw_instruction *branch = branch_of(function, function->order[o]);
        for (uint32_t i = block->first; i < block->end; i++)
            if (own_level(&function->instructions[i]) >= level)
                meet_instruction(u, i);
        if (branch && tested(branch) == FW_NO_INDEX)
            meet_branch(u, function->order[o]);
        while (u->pending.count)
            meet_users(u, u->pending.at[--u->pending.count]);
    }
}

uint8_t *fw_pass_uniformity(struct fw_arena *arena, const struct fw_function *function)
{
    uint8_t *level = FW_ARRAY(arena, uint8_t, function->value_count + 1);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct uniformity u = {.arena = arena,
                           .function = function,
                           .level = level,
                           .instructions = FW_ARRAY(arena, bool, function->instruction_count),
                           .branches = FW_ARRAY(arena, bool, function->block_count),
                           .joins = FW_ARRAY(arena, bool, function->block_count),
                           .unmet_loop = FW_ARRAY(arena, uint32_t, function->loop_count + 1)};
    for (uint32_t l = 0; l <= function->loop_count; l++)
        u.unmet_loop[l] = l;
    make_trees(&u);
    find_users(&u);
    find_paths(&u);
    for (uint8_t at = FW_UNIFORM_NONE; at > FW_UNIFORM_LAUNCH; at--)
        spread(&u, at);
    fw_arena_release(arena, mark);
    return level;
}
