/* ssa: static single assignment beside the registers.  Needs dominators.
 *
 * Phis stand at iterated dominance frontiers (Cytron et al. 1991) of registers that are defined
 * more than once and used across blocks (semi-pruned, Briggs et al. 1998); compilers' PTX defines
 * most registers once.  A register whose only definition does not dominate all its reads (the
 * source left it unset on some path) gets phis too: renaming finds these, and is then done again.
 * A read that no definition reaches gets an ENTRY value.  A guarded
 * definition reads the register's old value too: it is kept in `prior_values`. */
#include "passes.h"

struct frontier {
    uint32_t *blocks;
    uint32_t count;
    uint32_t capacity;
};

struct ssa {
    struct fw_arena *arena;
    struct fw_function *function;
    uint32_t *definitions; /* by register: how many */
    bool *crosses;         /* by register: read in a block before any definition there */
    bool *partial;         /* by register: defined once, on some paths to a read only */
    bool found_partial;    /* renaming met a register that was not known to be so */
    uint32_t *current;     /* by register: the value in force, FW_NO_INDEX: none yet */
    FW_VECTOR(struct fw_value) values;
    FW_VECTOR(uint32_t) undo; /* pairs (register, value before) */
    uint32_t block;
    uint32_t instruction;
    uint32_t slot;
    uint32_t *stamp; /* by register, for the local scan */
};

typedef void visitor(void *user, struct fw_operand *operand);

/* What an instruction reads and defines, its slot of local memory with it. */
static void visit_uses(const struct fw_instruction *at, visitor *visit, void *user)
{
    fw_instruction_uses(at, visit, user);
    if (at->slot && at->opcode == FW_OP_LD)
        visit(user, at->slot);
}

static uint32_t visit_definitions(const struct fw_instruction *at, visitor *visit, void *user)
{
    uint32_t count = fw_instruction_definitions(at, visit, user);
    if (!at->slot || at->opcode != FW_OP_ST)
        return count;
    if (visit)
        visit(user, at->slot);
    return count + 1;
}

static void note_use(void *user, struct fw_operand *operand)
{
    struct ssa *ssa = user;
    if (ssa->stamp[operand->index] != ssa->block + 1)
        ssa->crosses[operand->index] = true;
}

static void note_definition(void *user, struct fw_operand *operand)
{
    struct ssa *ssa = user;
    ssa->definitions[operand->index]++;
    ssa->stamp[operand->index] = ssa->block + 1;
}

static void scan(struct ssa *ssa)
{
    struct fw_function *function = ssa->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        ssa->block = function->order[o];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            visit_uses(at, note_use, ssa);
            if (at->guard != FW_NO_INDEX) {
                struct fw_operand guard = {.index = at->guard};
                note_use(ssa, &guard);
                visit_definitions(at, note_use, ssa);
            }
            visit_definitions(at, note_definition, ssa);
        }
    }
}

static struct frontier *find_frontiers(struct fw_arena *arena, const struct fw_function *function)
{
    struct frontier *frontiers = FW_ARRAY(arena, struct frontier, function->block_count);
    for (uint32_t o = 0; o < function->order_count; o++) {
        uint32_t index = function->order[o];
        const struct fw_block *block = &function->blocks[index];
        if (block->predecessor_count + (index == 0) < 2)
            continue;
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            for (uint32_t at = block->predecessors[p]; at != block->dominator;
                 at = function->blocks[at].dominator) {
                struct frontier *frontier = &frontiers[at];
                if (frontier->count && frontier->blocks[frontier->count - 1] == index)
                    break;
                if (frontier->count == frontier->capacity) {
                    size_t capacity = frontier->capacity;
                    frontier->blocks =
                        fw_arena_grow(arena, frontier->blocks, &capacity, sizeof(uint32_t));
                    frontier->capacity = (uint32_t)capacity;
                }
                frontier->blocks[frontier->count++] = index;
                if (function->blocks[at].dominator == FW_NO_INDEX)
                    break;
            }
    }
    return frontiers;
}

/* The blocks that define each register that needs phis, as lists threaded through arrays. */
struct sites {
    uint32_t *head; /* by register: 1 + an entry, 0: none */
    FW_VECTOR(struct {
        uint32_t block;
        uint32_t next;
    })
    entries;
};

struct site_scan {
    struct ssa *ssa;
    struct sites *sites;
};

static void add_site(void *user, struct fw_operand *operand)
{
    struct site_scan *scan = user;
    uint32_t reg = operand->index;
    struct sites *sites = scan->sites;
    if (!scan->ssa->crosses[reg] || (scan->ssa->definitions[reg] < 2 && !scan->ssa->partial[reg]))
        return;
    if (sites->head[reg] && sites->entries.at[sites->head[reg] - 1].block == scan->ssa->block)
        return;
    uint32_t next = sites->head[reg];
    *FW_APPEND(scan->ssa->arena, &sites->entries) =
        (__typeof__(*sites->entries.at)){scan->ssa->block, next};
    sites->head[reg] = (uint32_t)sites->entries.count;
}

static void add_phi(struct ssa *ssa, uint32_t block_index, uint32_t reg)
{
    struct fw_block *block = &ssa->function->blocks[block_index];
    if ((block->phi_count & (block->phi_count - 1)) == 0) { /* full at 0 and at powers of two */
        struct fw_phi *old = block->phis;
        block->phis = FW_ARRAY(ssa->arena, struct fw_phi, 2 * (size_t)block->phi_count + 1);
        for (uint32_t i = 0; i < block->phi_count; i++)
            block->phis[i] = old[i];
    }
    block->phis[block->phi_count++] =
        (struct fw_phi){.reg = reg,
                        .value = FW_NO_INDEX,
                        .inputs = FW_ARRAY(ssa->arena, uint32_t, block->predecessor_count)};
}

static void place_phis(struct ssa *ssa)
{
    struct fw_function *function = ssa->function;
    struct sites sites = {.head = FW_ARRAY(ssa->arena, uint32_t, function->register_count)};
    struct site_scan scan = {ssa, &sites};
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        ssa->block = function->order[o];
        for (uint32_t i = block->first; i < block->end; i++)
            visit_definitions(&function->instructions[i], add_site, &scan);
    }
    struct frontier *frontiers = find_frontiers(ssa->arena, function);
    uint32_t *work = FW_ARRAY(ssa->arena, uint32_t, 2 * (size_t)function->block_count + 1);
    uint32_t *has_phi = FW_ARRAY(ssa->arena, uint32_t, function->block_count);
    uint32_t *queued = FW_ARRAY(ssa->arena, uint32_t, function->block_count);
    for (uint32_t reg = 0; reg < function->register_count; reg++) {
        uint32_t depth = 0;
        for (uint32_t e = sites.head[reg]; e; e = sites.entries.at[e - 1].next) {
            work[depth++] = sites.entries.at[e - 1].block;
            queued[work[depth - 1]] = reg + 1;
        }
        while (depth) {
            const struct frontier *frontier = &frontiers[work[--depth]];
            for (uint32_t f = 0; f < frontier->count; f++) {
                uint32_t to = frontier->blocks[f];
                if (has_phi[to] == reg + 1)
                    continue;
                has_phi[to] = reg + 1;
                add_phi(ssa, to, reg);
                if (queued[to] != reg + 1) {
                    queued[to] = reg + 1;
                    work[depth++] = to;
                }
            }
        }
    }
}

static uint32_t new_value(struct ssa *ssa, enum fw_value_kind kind, uint32_t reg,
                          uint32_t definition, uint32_t slot)
{
    *FW_APPEND(ssa->arena, &ssa->values) = (struct fw_value){.kind = (uint8_t)kind,
                                                             .reg = reg,
                                                             .block = ssa->block,
                                                             .definition = definition,
                                                             .slot = slot};
    return (uint32_t)ssa->values.count - 1;
}

static void set_current(struct ssa *ssa, uint32_t reg, uint32_t value)
{
    *FW_APPEND(ssa->arena, &ssa->undo) = reg;
    *FW_APPEND(ssa->arena, &ssa->undo) = ssa->current[reg];
    ssa->current[reg] = value;
}

/* The value in force; a register that nothing defined yet gets its ENTRY value for good. */
static uint32_t value_of(struct ssa *ssa, uint32_t reg)
{
    if (ssa->current[reg] == FW_NO_INDEX) {
        ssa->found_partial |= ssa->definitions[reg] == 1 && !ssa->partial[reg];
        ssa->partial[reg] = ssa->definitions[reg] == 1;
        ssa->current[reg] = new_value(ssa, FW_VALUE_ENTRY, reg, FW_NO_INDEX, 0);
    }
    return ssa->current[reg];
}

static void rename_use(void *user, struct fw_operand *operand)
{
    operand->value = value_of(user, operand->index);
}

static void keep_prior(void *user, struct fw_operand *operand)
{
    struct ssa *ssa = user;
    ssa->function->instructions[ssa->instruction].prior_values[ssa->slot++] =
        value_of(ssa, operand->index);
}

static void rename_definition(void *user, struct fw_operand *operand)
{
    struct ssa *ssa = user;
    operand->value =
        new_value(ssa, FW_VALUE_INSTRUCTION, operand->index, ssa->instruction, ssa->slot++);
    set_current(ssa, operand->index, operand->value);
}

/* Gives the phis of `to` their inputs from `from`, one of its predecessors; these are in reverse
 * post-order. */
static void pass_values(struct ssa *ssa, struct fw_block *to, uint32_t from)
{
    const struct fw_block *blocks = ssa->function->blocks;
    uint32_t low = 0, high = to->predecessor_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (blocks[to->predecessors[middle]].order < blocks[from].order)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t p = low; p < to->predecessor_count && to->predecessors[p] == from; p++)
        for (uint32_t i = 0; i < to->phi_count; i++)
            to->phis[i].inputs[p] = value_of(ssa, to->phis[i].reg);
}

static void rename_block(struct ssa *ssa, uint32_t index)
{
    struct fw_function *function = ssa->function;
    struct fw_block *block = &function->blocks[index];
    ssa->block = index;
    for (uint32_t i = 0; i < block->phi_count; i++) {
        block->phis[i].value = new_value(ssa, FW_VALUE_PHI, block->phis[i].reg, i, 0);
        set_current(ssa, block->phis[i].reg, block->phis[i].value);
    }
    for (uint32_t i = block->first; i < block->end; i++) {
        struct fw_instruction *at = &function->instructions[i];
        ssa->instruction = i;
        visit_uses(at, rename_use, ssa);
        if (at->guard != FW_NO_INDEX) {
            at->guard_value = value_of(ssa, at->guard);
            uint32_t count = visit_definitions(at, NULL, NULL);
            at->prior_values = FW_ARRAY(ssa->arena, uint32_t, count);
            ssa->slot = 0;
            visit_definitions(at, keep_prior, ssa);
        }
        ssa->slot = 0;
        visit_definitions(at, rename_definition, ssa);
    }
    for (uint32_t s = 0; s < block->successor_count; s++) {
        struct fw_block *to = &function->blocks[block->successors[s]];
        if (to->phi_count)
            pass_values(ssa, to, index);
    }
}

/* Walks the dominator tree without recursion; leaving a block restores what it changed. */
static void rename_all(struct ssa *ssa)
{
    struct fw_function *function = ssa->function;
    uint32_t n = function->block_count, depth = 0;
    uint32_t *child = FW_ARRAY(ssa->arena, uint32_t, n),
             *sibling = FW_ARRAY(ssa->arena, uint32_t, n);
    struct frame {
        uint32_t block;
        size_t undo;
    } *stack = FW_ARRAY(ssa->arena, struct frame, n + 1);
    for (uint32_t o = function->order_count; o-- > 1;) {
        uint32_t at = function->order[o], parent = function->blocks[at].dominator;
        sibling[at] = child[parent];
        child[parent] = at;
    }
    stack[depth++] = (struct frame){0, 0};
    rename_block(ssa, 0);
    while (depth) {
        struct frame *top = &stack[depth - 1];
        uint32_t next = child[top->block];
        if (next) {
            child[top->block] = sibling[next];
            stack[depth++] = (struct frame){next, ssa->undo.count};
            rename_block(ssa, next);
            continue;
        }
        while (ssa->undo.count > top->undo) {
            uint32_t before = ssa->undo.at[ssa->undo.count - 1];
            ssa->current[ssa->undo.at[ssa->undo.count - 2]] = before;
            ssa->undo.count -= 2;
        }
        depth--;
    }
}

static void rename_with_phis(struct ssa *ssa)
{
    struct fw_function *function = ssa->function;
    for (uint32_t i = 0; i < function->register_count; i++)
        ssa->current[i] = FW_NO_INDEX;
    for (uint32_t i = 0; i < function->block_count; i++) {
        function->blocks[i].phis = NULL;
        function->blocks[i].phi_count = 0;
    }
    ssa->values.count = ssa->undo.count = 0;
    ssa->found_partial = false;
    place_phis(ssa);
    rename_all(ssa);
}

void fw_pass_ssa(struct fw_arena *arena, struct fw_function *function)
{
    struct ssa ssa = {.arena = arena, .function = function};
    ssa.definitions = FW_ARRAY(arena, uint32_t, function->register_count);
    ssa.crosses = FW_ARRAY(arena, bool, function->register_count);
    ssa.partial = FW_ARRAY(arena, bool, function->register_count);
    ssa.stamp = FW_ARRAY(arena, uint32_t, function->register_count);
    ssa.current = FW_ARRAY(arena, uint32_t, function->register_count);
    scan(&ssa);
    rename_with_phis(&ssa);
    if (ssa.found_partial)
        rename_with_phis(&ssa);
    function->values = ssa.values.at;
    function->value_count = (uint32_t)ssa.values.count;
}
