/* Inputs: all that a value that data decide is computed from and that is not the same throughout
 * the launch.
 *
 * Takes the SSA form and the expressions of values.  Goes from the value through what it is
 * computed from, also in floating point, to values with expressions, to the places of loads and to
 * iterations.  A value that other threads give, or that is made of more than can be followed, has
 * all indices as its inputs. */
#include "record_internal.h"

enum { MOST_INPUTS = 12, MOST_ATOMS = 60, MOST_FOLLOWED = 400 };

/* What is remembered of values: the inputs of each, and which of a walk met it last. */
struct data_memo {
    struct data_inputs *inputs; /* by value */
    uint32_t *met, walk;
    bool read[FW_THREAD_Z + 1]; /* by index of blocks and threads: an instruction reads it */
};

/* A walk from a value to its inputs. */
struct walk {
    struct builder *b;
    fw_expression inputs[MOST_INPUTS];
    uint32_t count, followed, atoms; /* atoms: of all inputs, which are evaluated for each lane */
    bool everything;                 /* it may differ between all threads and iterations */
    FW_VECTOR(uint32_t) stack;
};

/* A search among the atoms of an expression gives up after so many, as if it had found one. */
enum { MOST_VISITS = 2000 };

static bool too_many(void *user)
{
    uint32_t *visits = user;
    return ++*visits > MOST_VISITS;
}

static bool has(struct builder *b, fw_expression a,
                bool (*is)(void *user, fw_atom atom, const struct fw_atom_node *node))
{
    uint32_t visits = 0;
    return fw_expression_any(b->pool, a, is, &visits);
}

static bool is_index(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)atom;
    return too_many(user) || node->kind == FW_ATOM_ITERATION || node->kind == FW_ATOM_TRIPS ||
           (node->kind == FW_ATOM_LAUNCH &&
            (node->a <= FW_THREAD_Z || node->a == FW_LANE || node->a == FW_WARP));
}

static bool count_atom(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    uint32_t *count = user;
    (void)atom;
    (void)node;
    return ++*count > MOST_ATOMS;
}

static void add_input(struct walk *walk, fw_expression input)
{
    if (!has(walk->b, input, is_index))
        return; /* the same throughout the launch */
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->inputs[i] == input)
            return;
    uint32_t atoms = 0;
    fw_expression_any(walk->b->pool, input, count_atom, &atoms);
    walk->atoms += atoms;
    walk->everything |= walk->count == MOST_INPUTS || walk->atoms > MOST_ATOMS;
    if (walk->count < MOST_INPUTS)
        walk->inputs[walk->count++] = input;
}

static void follow(struct walk *walk, uint32_t value)
{
    struct data_memo *memo = walk->b->data;
    if (value == FW_NO_INDEX || memo->met[value] == memo->walk)
        return;
    memo->met[value] = memo->walk;
    walk->everything |= ++walk->followed > MOST_FOLLOWED;
    *FW_APPEND(walk->b->arena, &walk->stack) = value;
}

static void follow_operand(void *user, struct fw_operand *operand)
{
    follow(user, operand->value);
}

/* Iterations of the loops around a block. */
static void add_iterations(struct walk *walk, uint32_t block)
{
    const struct fw_function *function = walk->b->function;
    for (uint32_t l = function->blocks[block].loop; l != FW_NO_INDEX; l = function->loops[l].parent)
        add_input(walk, fw_atom_new(walk->b->pool, FW_ATOM_ITERATION, l, 0, 0));
}

/* The first index, and the others as far as the kernel reads them: a launch of a kernel that does
 * not has no more than one dimension. */
static void add_indices(struct walk *walk, enum fw_launch_index first)
{
    for (uint32_t d = 0; d < 3; d++)
        if (d == 0 || walk->b->data->read[first + d])
            add_input(walk, fw_launch_value(walk->b->pool, (enum fw_launch_index)(first + d)));
}

/* Whether an instruction's result is told by its operands alone. */
static bool is_function_of_operands(const struct fw_instruction *at)
{
    switch (record_why_opaque(at)) {
    case FW_OPAQUE_EXCHANGED:
    case FW_OPAQUE_MACHINE:
    case FW_OPAQUE_CALL:
        return at->opcode == FW_OP_MOV && at->operand_count > 1 &&
               at->operands[1].kind != FW_OPERAND_SPECIAL;
    default:
        return at->opcode != FW_OP_OTHER && at->opcode != FW_OP_MMA && at->opcode != FW_OP_WMMA &&
               at->opcode != FW_OP_WGMMA && at->opcode != FW_OP_LDMATRIX;
    }
}

static void follow_instruction(struct walk *walk, uint32_t i)
{
    const struct fw_instruction *at = record_at(walk->b, i);
    uint32_t block = walk->b->block_of[i];
    walk->everything |= !is_function_of_operands(at);
    fw_instruction_uses(at, follow_operand, walk);
    if (at->guard != FW_NO_INDEX) {
        follow(walk, at->guard_value);
        for (uint32_t d = 0; at->prior_values && d < at->destinations; d++)
            follow(walk, at->prior_values[d]);
    }
    if (at->slot)
        follow(walk, at->slot->value);
    for (uint32_t o = 0; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_SPECIAL) {
            fw_expression value = record_operand(walk->b, &at->operands[o], FW_TYPE_U32, block);
            if (value == FW_NO_EXPRESSION)
                walk->everything = true;
            else
                add_input(walk, value);
        }
    if (at->opcode == FW_OP_LD && !at->slot && at->space == FW_SPACE_LOCAL)
        walk->everything = true;
    if (at->opcode == FW_OP_LD &&
        at->space == FW_SPACE_SHARED) { /* blocks and iterations refill it */
        add_indices(walk, FW_BLOCK_X);
        add_iterations(walk, block);
    }
}

static void follow_phi(struct walk *walk, const struct fw_value *origin)
{
    const struct fw_function *function = walk->b->function;
    const struct fw_block *block = &function->blocks[origin->block];
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        const struct fw_block *from = &function->blocks[block->predecessors[p]];
        follow(walk, block->phis[origin->definition].inputs[p]);
        if (from->end > from->first && function->instructions[from->end - 1].guard != FW_NO_INDEX)
            follow(walk, function->instructions[from->end - 1].guard_value);
    }
    if (block->loop != FW_NO_INDEX && function->loops[block->loop].header == origin->block)
        add_input(walk, fw_atom_new(walk->b->pool, FW_ATOM_ITERATION, block->loop, 0, 0));
}

static void follow_value(struct walk *walk, uint32_t value)
{
    const struct fw_value *origin = &walk->b->function->values[value];
    char class = fw_type_class(walk->b->function->registers[origin->reg].type);
    if (class != 'f' && class != 'p') {
        fw_expression known = record_value(walk->b, value, origin->block);
        if (!record_expression_opaque(walk->b, known)) {
            add_input(walk, known);
            return;
        }
    }
    if (origin->kind == FW_VALUE_INSTRUCTION)
        follow_instruction(walk, origin->definition);
    else if (origin->kind == FW_VALUE_PHI)
        follow_phi(walk, origin);
}

/* All that a value is computed from, as seen by an access in block `where`. */
static void find_inputs(struct data_inputs *inputs, struct builder *b, uint32_t value,
                        uint32_t where)
{
    struct walk walk = {.b = b};
    b->data->walk++;
    follow(&walk, value);
    while (walk.stack.count && !walk.everything)
        follow_value(&walk, walk.stack.at[--walk.stack.count]);
    if (walk.everything) {
        walk.count = walk.atoms = 0;
        add_indices(&walk, FW_BLOCK_X);
        add_indices(&walk, FW_THREAD_X);
        add_iterations(&walk, where);
    }
    inputs->known = true;
    inputs->count = walk.count;
    inputs->at = fw_arena_copy(b->arena, walk.inputs, walk.count * sizeof(*walk.inputs));
}

static void find_indices_read(struct builder *b)
{
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = record_at(b, i);
        for (uint32_t o = 0; o < at->operand_count; o++) {
            if (at->operands[o].kind != FW_OPERAND_SPECIAL)
                continue;
            uint32_t special = at->operands[o].index;
            if (special <= FW_SREG_TID_Z)
                b->data->read[FW_THREAD_X + special - FW_SREG_TID_X] = true;
            if (special >= FW_SREG_CTAID_X && special <= FW_SREG_CTAID_Z)
                b->data->read[FW_BLOCK_X + special - FW_SREG_CTAID_X] = true;
            if (special >= FW_SREG_CLUSTERID_X && special <= FW_SREG_CLUSTER_NCTARANK)
                for (uint32_t d = 0; d < 3; d++)
                    b->data->read[FW_BLOCK_X + d] = true;
        }
    }
}

const struct data_inputs *record_inputs(struct builder *b, uint32_t value, uint32_t where)
{
    if (!b->data) {
        b->data = FW_NEW(b->arena, struct data_memo);
        b->data->inputs = FW_ARRAY(b->arena, struct data_inputs, b->function->value_count + 1);
        find_indices_read(b);
        b->data->met = FW_ARRAY(b->arena, uint32_t, b->function->value_count + 1);
    }
    if (!b->data->inputs[value].known)
        find_inputs(&b->data->inputs[value], b, value, where);
    return &b->data->inputs[value];
}

static bool of_threads(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)atom;
    return too_many(user) ||
           (node->kind == FW_ATOM_LAUNCH && ((node->a >= FW_THREAD_X && node->a <= FW_THREAD_Z) ||
                                             node->a == FW_LANE || node->a == FW_WARP));
}

static bool is_trips(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)atom;
    return too_many(user) || node->kind == FW_ATOM_TRIPS;
}

bool record_has_index(struct builder *b, fw_expression a)
{
    return has(b, a, is_index);
}

bool record_has_thread(struct builder *b, fw_expression a)
{
    return has(b, a, of_threads);
}

bool record_has_trips(struct builder *b, fw_expression a)
{
    return has(b, a, is_trips);
}
