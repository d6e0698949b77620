/* Branches that lanes of a warp take each for itself: loads whose places differ between lanes give
 * what is tested.
 *
 * Takes the SSA form, its uniformity and the accesses.  Follows what is tested through all that it
 * is computed from up to loads, but not through their addresses: lanes that differ by their indices
 * alone, as where a place in an image is computed in floating point, mostly go with their
 * neighbours.  Whether lanes load from one place is asked again at the launch (shares.c). */
#include "record_internal.h"

enum { MOST_LOADS = 8, MOST_FOLLOWED = 400 };

struct walk {
    struct builder *b;
    uint8_t *met; /* by value */
    uint32_t followed, loads[MOST_LOADS], count;
    bool several; /* more than are kept, or more than can be followed */
    FW_VECTOR(uint32_t) stack;
};

static void follow(struct walk *walk, uint32_t value)
{
    if (value == FW_NO_INDEX || walk->met[value] || walk->b->uniformity[value] != FW_UNIFORM_NONE)
        return;
    walk->met[value] = 1;
    walk->several |= ++walk->followed > MOST_FOLLOWED;
    *FW_APPEND(walk->b->arena, &walk->stack) = value;
}

static void follow_operand(void *user, struct fw_operand *operand)
{
    follow(user, operand->value);
}

/* The accesses of an instruction that loads. */
static void add_loads(struct walk *walk, uint32_t instruction)
{
    const uint32_t before = walk->count;
    for (size_t a = 0; a < walk->b->accesses.count; a++) {
        if (walk->b->accesses.at[a].instruction != instruction)
            continue;
        walk->several |= walk->count == MOST_LOADS;
        if (walk->count < MOST_LOADS)
            walk->loads[walk->count++] = (uint32_t)a;
    }
    walk->several |= walk->count == before;
}

static void follow_value(struct walk *walk, uint32_t value)
{
    const struct fw_function *function = walk->b->function;
    const struct fw_value *origin = &function->values[value];
    if (origin->kind == FW_VALUE_INSTRUCTION) {
        const struct fw_instruction *at = record_at(walk->b, origin->definition);
        if (at->slot)
            follow(walk, at->slot->value);
        else if (at->opcode == FW_OP_LD || at->opcode == FW_OP_ATOM || at->opcode == FW_OP_TEX)
            add_loads(walk, origin->definition);
        else
            fw_instruction_uses(at, follow_operand, walk);
    }
    if (origin->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            follow(walk, block->phis[origin->definition].inputs[p]);
    }
}

void record_lanes(struct builder *b, struct fw_branch *branch)
{
    const struct fw_instruction *at = record_at(b, branch->instruction);
    const uint32_t tested = at->opcode == FW_OP_BRX ? at->operands[0].value : at->guard_value;
    if (!branch->data_dependent || branch->exits || branch->leaves_loop || tested == FW_NO_INDEX)
        return;
    if (!b->uniformity)
        b->uniformity = fw_pass_uniformity(b->arena, b->function);
    struct fw_arena_mark mark = fw_arena_mark(b->arena);
    struct walk walk = {.b = b};
    walk.met = FW_ARRAY(b->arena, uint8_t, b->function->value_count + 1);
    follow(&walk, tested);
    while (walk.stack.count && !walk.several)
        follow_value(&walk, walk.stack.at[--walk.stack.count]);
    fw_arena_release(b->arena, mark);
    branch->by_lanes = walk.count || walk.several;
    if (walk.several || !walk.count)
        return;
    branch->loads = fw_arena_copy(b->arena, walk.loads, walk.count * sizeof(*walk.loads));
    branch->load_count = walk.count;
}
