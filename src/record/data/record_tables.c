/* Addresses in constant memory that come from few values.
 *
 * Lanes that index a table with data may have as many elements as there are lanes, but not as many
 * values, where the table repeats them.  All that is computed from such a value and from what the
 * lanes of a warp share repeats as well, further places in tables included.  Each value that varies
 * within warps is followed to what decides it: one load from a table (a root), or more than that.
 */
#include "record_internal.h"

#include <string.h>

/* What decides a value; above: a root, by its instruction. */
enum { NOT_MET, SHARED, SEVERAL, FIRST_ROOT };

struct tables {
    struct builder *b;
    const struct fw_function *function;
    uint32_t *decided;                    /* by value */
    const struct fw_table_values **roots; /* by instruction: of a load from a table; NULL */
    uint8_t *joins_apart; /* by block: 0 unknown, 1 warps stay together up to it, 2 they may not */
    uint32_t *stamp, *stack, epoch;
    uint32_t met;      /* of the instruction in hand, */
    uint32_t met_loop; /* whose block is in this loop */
    bool changed;
};

static uint32_t join(uint32_t a, uint32_t b)
{
    if (a == NOT_MET || a == b)
        return b;
    if (b == NOT_MET || b == SHARED)
        return a;
    return a == SHARED ? b : SEVERAL;
}

/* ---- roots ---- */

static const struct fw_variable *table_of(const struct builder *b, const struct fw_access *access)
{
    const struct fw_module *module = b->function->module;
    if (access->space != FW_SPACE_CONST || access->direction != FW_LOAD ||
        !access->data_dependent || access->array == FW_NONE)
        return NULL;
    const struct fw_array *array = &b->arrays.at[access->array];
    for (uint32_t v = 0; v < module->variable_count && array->parameter == FW_NONE; v++)
        if (strcmp(module->variables[v]->name, array->name) == 0)
            return module->variables[v];
    return NULL;
}

/* The values of a table with initial values, when they are few; NULL: they are not, or the host
 * sets them. */
static const struct fw_table_values *values_of(struct builder *b, const struct fw_access *access)
{
    const struct fw_variable *table = table_of(b, access);
    if (!table || !table->initial || table->relocation_count || access->vector > 1 ||
        !access->bytes || table->bytes < access->bytes)
        return NULL;
    const uint64_t count = table->bytes / access->bytes;
    const uint8_t *distinct[FW_TABLE_VALUES_MOST];
    struct fw_table_values values = {0};
    for (uint64_t e = 0; e < count; e++) {
        const uint8_t *element = table->initial + e * access->bytes;
        uint32_t v = 0;
        while (v < values.count && memcmp(distinct[v], element, access->bytes) != 0)
            v++;
        if (v == FW_TABLE_VALUES_MOST)
            return NULL;
        if (v == values.count)
            distinct[values.count++] = element;
        values.shares[v] += 1 / (double)count;
    }
    return fw_arena_copy(b->arena, &values, sizeof(values));
}

/* ---- where warps stay together ---- */

static bool within(const struct fw_function *function, uint32_t inner, uint32_t loop)
{
    while (inner != FW_NO_INDEX && inner != loop)
        inner = function->loops[inner].parent;
    return inner == loop;
}

static bool parts_warps(const struct tables *t, uint32_t block)
{
    const struct fw_block *at = &t->function->blocks[block];
    const struct fw_instruction *last =
        at->end > at->first ? &t->function->instructions[at->end - 1] : NULL;
    if (!last || at->successor_count < 2)
        return false;
    return last->guard == FW_NO_INDEX || last->guard_value == FW_NO_INDEX ||
           t->b->uniformity[last->guard_value] == FW_UNIFORM_NONE;
}

/* Whether lanes of a warp may come to a join by different ways: a branch on a way from its
 * dominator parts them. */
static bool joins_apart(struct tables *t, uint32_t block)
{
    const struct fw_block *blocks = t->function->blocks;
    const uint32_t from = blocks[block].dominator;
    uint32_t count = 0;
    if (t->joins_apart[block])
        return t->joins_apart[block] == 2;
    bool apart = from == FW_NO_INDEX;
    t->stack[count++] = block;
    t->epoch++;
    while (count && !apart) {
        const struct fw_block *at = &blocks[t->stack[--count]];
        for (uint32_t p = 0; p < at->predecessor_count; p++) {
            uint32_t before = at->predecessors[p];
            if (t->stamp[before] == t->epoch || blocks[before].order == FW_NO_INDEX)
                continue;
            t->stamp[before] = t->epoch;
            apart |= parts_warps(t, before);
            if (before != from)
                t->stack[count++] = before;
        }
    }
    t->joins_apart[block] = apart ? 2 : 1;
    return apart;
}

/* ---- values ---- */

/* What decides a value where it is used, in a loop or out of all. */
static uint32_t used(const struct tables *t, uint32_t value, uint32_t loop)
{
    if (value == FW_NO_INDEX)
        return SEVERAL;
    if (t->b->uniformity[value] != FW_UNIFORM_NONE)
        return SHARED;
    uint32_t defined = t->function->blocks[t->function->values[value].block].loop;
    /* after its loop, lanes may have left in different iterations */
    bool left = defined != FW_NO_INDEX && !within(t->function, loop, defined);
    return left ? SEVERAL : t->decided[value];
}

static void set(struct tables *t, uint32_t value, uint32_t by)
{
    by = join(t->decided[value], by);
    t->changed |= by != t->decided[value];
    t->decided[value] = by;
}

static void meet_use(void *user, struct fw_operand *operand)
{
    struct tables *t = user;
    t->met = join(t->met, used(t, operand->value, t->met_loop));
}

static void set_definition(void *user, struct fw_operand *operand)
{
    struct tables *t = user;
    if (operand->value != FW_NO_INDEX)
        set(t, operand->value, t->met);
}

/* Whether equal operands give equal results. */
static bool computes(const struct fw_instruction *at)
{
    for (uint32_t o = at->destinations; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_SPECIAL)
            return false;
    if (at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU)
        return at->space == FW_SPACE_CONST && at->guard == FW_NO_INDEX;
    return at->guard == FW_NO_INDEX && fw_instruction_passes_on(at);
}

static void meet_instruction(struct tables *t, uint32_t i, uint32_t loop)
{
    const struct fw_instruction *at = &t->function->instructions[i];
    t->met = SHARED;
    t->met_loop = loop;
    if (computes(at))
        fw_instruction_uses(at, meet_use, t);
    else
        t->met = SEVERAL;
    if (t->met == SEVERAL && t->roots[i])
        t->met = FIRST_ROOT + i;
    fw_instruction_definitions(at, set_definition, t);
}

/* Whether a root stands in a loop. */
static bool root_within(const struct tables *t, uint32_t by, uint32_t loop)
{
    return by >= FIRST_ROOT &&
           within(t->function, t->function->blocks[t->b->block_of[by - FIRST_ROOT]].loop, loop);
}

static void meet_phis(struct tables *t, uint32_t block)
{
    const struct fw_function *function = t->function;
    const struct fw_block *at = &function->blocks[block];
    bool header = at->loop != FW_NO_INDEX && function->loops[at->loop].header == block;
    for (uint32_t p = 0; p < at->phi_count; p++) {
        uint32_t met = joins_apart(t, block) ? SEVERAL : NOT_MET;
        for (uint32_t i = 0; i < at->predecessor_count; i++) {
            uint32_t by = used(t, at->phis[p].inputs[i], at->loop);
            bool back =
                header && within(function, function->blocks[at->predecessors[i]].loop, at->loop);
            /* what a root in the loop decided before is of another load than this iteration's */
            met = join(met, back && root_within(t, by, at->loop) ? SEVERAL : by);
        }
        set(t, at->phis[p].value, met);
    }
}

static void follow(struct tables *t)
{
    const struct fw_function *function = t->function;
    do {
        t->changed = false;
        for (uint32_t o = 0; o < function->order_count; o++) {
            const struct fw_block *block = &function->blocks[function->order[o]];
            meet_phis(t, function->order[o]);
            for (uint32_t i = block->first; i < block->end; i++)
                meet_instruction(t, i, block->loop);
        }
    } while (t->changed);
}

/* What decides the address of a load. */
static uint32_t decides_address(struct tables *t, uint32_t instruction)
{
    t->met = SHARED;
    t->met_loop = t->function->blocks[t->b->block_of[instruction]].loop;
    fw_instruction_uses(&t->function->instructions[instruction], meet_use, t);
    return t->met;
}

static bool find_roots(struct tables *t)
{
    struct builder *b = t->b;
    bool any = false;
    for (size_t a = 0; a < b->accesses.count; a++) {
        const struct fw_table_values *values = values_of(b, &b->accesses.at[a]);
        t->roots[b->accesses.at[a].instruction] = values;
        any |= values != NULL;
    }
    return any;
}

void record_tables(struct builder *b)
{
    const struct fw_function *function = b->function;
    struct tables t = {.b = b, .function = function};
    t.roots = FW_ARRAY(b->arena, const struct fw_table_values *, function->instruction_count + 1);
    if (!find_roots(&t))
        return;
    if (!b->uniformity)
        b->uniformity = fw_pass_uniformity(b->arena, function);
    t.decided = FW_ARRAY(b->arena, uint32_t, function->value_count + 1);
    t.joins_apart = FW_ARRAY(b->arena, uint8_t, function->block_count + 1);
    t.stamp = FW_ARRAY(b->arena, uint32_t, function->block_count + 1);
    t.stack = FW_ARRAY(b->arena, uint32_t, function->block_count + 1);
    follow(&t);
    for (size_t a = 0; a < b->accesses.count; a++) {
        struct fw_access *access = &b->accesses.at[a];
        if (access->space != FW_SPACE_CONST || access->direction != FW_LOAD ||
            !access->data_dependent)
            continue;
        uint32_t by = decides_address(&t, access->instruction);
        access->chosen = by >= FIRST_ROOT ? t.roots[by - FIRST_ROOT] : NULL;
    }
}
