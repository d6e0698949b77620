#include "data_origin.h"

#include "passes.h"

#include <string.h>

/* No label: nothing that is not stated. */
enum { STATED = 0 };

struct search {
    const struct fw_function *function;
    const struct fw_kernel *record;
    uint32_t *labels;           /* by instruction: of its result */
    uint32_t *runs, *addresses; /* as in struct fw_data_origins */
    uint32_t *values;           /* by SSA value */
    uint32_t *control;          /* by block: of what decides that it runs */
    uint32_t *initial;          /* by array of the record: what it holds before the kernel runs */
    uint32_t *stored;           /* by array: what the kernel stores there */
    uint32_t anywhere;          /* what is stored where no array is known */
    uint32_t missing;           /* a label when contents of any array are not stated */
    uint32_t now;               /* of the instruction under way */
    bool changed;
};

static void join(struct search *search, uint32_t *to, uint32_t label)
{
    if (*to == STATED && label != STATED) {
        *to = label;
        search->changed = true;
    }
}

static void use(void *user, struct fw_operand *operand)
{
    struct search *search = user;
    if (operand->value != FW_NO_INDEX && search->now == STATED)
        search->now = search->values[operand->value];
}

static void define(void *user, struct fw_operand *operand)
{
    struct search *search = user;
    if (operand->value != FW_NO_INDEX)
        join(search, &search->values[operand->value], search->now);
}

static void ignore(void *user, struct fw_operand *operand)
{
    (void)user;
    (void)operand;
}

static void use_value(struct search *search, uint32_t value)
{
    if (value != FW_NO_INDEX && search->now == STATED)
        search->now = search->values[value];
}

/* What a load of the instruction may find. */
static void load(struct search *search, const struct fw_access *access)
{
    if (search->now != STATED || access->space == FW_SPACE_PARAM)
        return;
    if (access->array == FW_NONE) {
        search->now = search->missing;
        for (uint32_t a = 0; a < search->record->array_count && !search->now; a++)
            search->now = search->stored[a];
        return;
    }
    search->now = search->initial[access->array];
    if (!search->now)
        search->now = search->stored[access->array];
    if (!search->now)
        search->now = search->anywhere;
}

static void follow_instruction(struct search *search, uint32_t i, uint32_t block)
{
    const struct fw_instruction *at = &search->function->instructions[i];
    const struct fw_scheduled *row = &search->record->schedule[i];
    search->now = search->control[block];
    if (at->guard != FW_NO_INDEX)
        use_value(search, at->guard_value);
    join(search, &search->runs[i], search->now);
    for (uint32_t o = 0; o < at->operand_count && row->access_count; o++)
        if (at->operands[o].kind == FW_OPERAND_ADDRESS)
            use_value(search, at->operands[o].value);
    join(search, &search->addresses[i], search->now);
    fw_instruction_uses(at, use, search);
    if (at->slot && at->opcode != FW_OP_ST)
        use_value(search, at->slot->value);
    if (at->opcode == FW_OP_CALL && !search->now)
        search->now = search->missing;
    for (uint32_t a = 0; a < row->access_count; a++)
        if (!at->slot && search->record->accesses[row->access + a].direction != FW_STORE)
            load(search, &search->record->accesses[row->access + a]);
    join(search, &search->labels[i], search->now);
    for (uint32_t a = 0; a < row->access_count; a++) {
        const struct fw_access *access = &search->record->accesses[row->access + a];
        if (access->direction != FW_LOAD)
            join(search,
                 access->array == FW_NONE ? &search->anywhere : &search->stored[access->array],
                 search->now);
    }
    if (at->prior_values) {
        uint32_t count = fw_instruction_definitions(at, ignore, NULL);
        for (uint32_t d = 0; d < count; d++)
            use_value(search, at->prior_values[d]);
    }
    fw_instruction_definitions(at, define, search);
    if (at->slot && at->opcode == FW_OP_ST)
        define(search, at->slot);
}

static bool post_dominates(const struct fw_function *function, uint32_t block, uint32_t of)
{
    enum { MOST_STEPS = 64 };
    for (uint32_t step = 0; step < MOST_STEPS && of != FW_NO_INDEX && of != block; step++)
        of = function->blocks[of].post_dominator;
    return of == block;
}

/* What decides that a block runs: what its dominator ends with, unless every way from there leads
 * to it, and what ends the loops around it. */
static void follow_control(struct search *search, uint32_t b)
{
    const struct fw_function *function = search->function;
    const struct fw_block *block = &function->blocks[b];
    const uint32_t from = block->dominator;
    if (from != FW_NO_INDEX && from != b) {
        join(search, &search->control[b], search->control[from]);
        if (!post_dominates(function, b, from))
            join(search, &search->control[b], search->labels[function->blocks[from].end - 1]);
    }
    if (block->loop == FW_NO_INDEX || function->loops[block->loop].header != b)
        return;
    const struct fw_loop_info *loop = &function->loops[block->loop];
    for (uint32_t l = 0; l < loop->block_count; l++) {
        const struct fw_block *inside = &function->blocks[loop->blocks[l]];
        bool leaves = false;
        for (uint32_t s = 0; s < inside->successor_count; s++) {
            leaves |= !fw_block_in_loop(function, inside->successors[s], block->loop);
        }
        if (leaves)
            join(search, &search->control[b], search->labels[inside->end - 1]);
    }
}

static void follow_phis(struct search *search, uint32_t b)
{
    const struct fw_block *block = &search->function->blocks[b];
    for (uint32_t p = 0; p < block->phi_count; p++) {
        uint32_t *value = &search->values[block->phis[p].value];
        for (uint32_t i = 0; i < block->predecessor_count && !*value; i++) {
            const uint32_t from = block->predecessors[i];
            if (block->phis[p].inputs[i] != FW_NO_INDEX)
                join(search, value, search->values[block->phis[p].inputs[i]]);
            join(search, value, search->control[from]);
            join(search, value, search->labels[search->function->blocks[from].end - 1]);
        }
    }
}

/* Whether the PTX states what the variable holds. */
static bool has_initial(const struct fw_function *function, const char *name)
{
    const struct fw_module *module = function->module;
    for (uint32_t v = 0; v < module->variable_count; v++)
        if (strcmp(module->variables[v]->name, name) == 0)
            return module->variables[v]->initial != NULL;
    return false;
}

static void find_initial(struct search *search, const bool *given)
{
    const struct fw_kernel *record = search->record;
    for (uint32_t a = 0; a < record->array_count; a++) {
        const struct fw_array *array = &record->arrays[a];
        const bool host = array->space != FW_SPACE_SHARED && array->space != FW_SPACE_LOCAL;
        bool known = array->parameter != FW_NONE
                         ? given[array->parameter]
                         : !host || has_initial(search->function, array->name);
        search->initial[a] = known ? STATED : a + 1;
    }
    for (uint32_t p = 0; p < record->parameter_count; p++)
        if (record->parameters[p].is_pointer && !given[p])
            search->missing = FW_ORIGIN_ELSEWHERE;
}

struct fw_data_origins *fw_data_origins_find(struct fw_arena *arena, const struct fw_kernel *record,
                                             const struct fw_function *function, const bool *given)
{
    enum { MOST_SWEEPS = 200 };
    struct search search = {.function = function,
                            .record = record,
                            .labels = FW_ARRAY(arena, uint32_t, function->instruction_count + 1),
                            .runs = FW_ARRAY(arena, uint32_t, function->instruction_count + 1),
                            .addresses = FW_ARRAY(arena, uint32_t, function->instruction_count + 1),
                            .values = FW_ARRAY(arena, uint32_t, function->value_count + 1),
                            .control = FW_ARRAY(arena, uint32_t, function->block_count + 1),
                            .initial = FW_ARRAY(arena, uint32_t, record->array_count + 1),
                            .stored = FW_ARRAY(arena, uint32_t, record->array_count + 1)};
    struct fw_data_origins *origins = FW_NEW(arena, struct fw_data_origins);
    find_initial(&search, given);
    uint32_t sweeps = 0;
    for (search.changed = true; search.changed && sweeps < MOST_SWEEPS; sweeps++) {
        search.changed = false;
        for (uint32_t o = 0; o < function->order_count; o++) {
            const uint32_t b = function->order[o];
            const struct fw_block *block = &function->blocks[b];
            follow_control(&search, b);
            follow_phis(&search, b);
            for (uint32_t i = block->first; i < block->end; i++)
                follow_instruction(&search, i, b);
        }
    }
    for (uint32_t i = 0; i < function->instruction_count && search.changed; i++)
        search.runs[i] = search.addresses[i] = FW_ORIGIN_ELSEWHERE; /* given up */
    *origins = (struct fw_data_origins){record, search.runs, search.addresses};
    return origins;
}

const char *fw_data_origins_name(const struct fw_data_origins *origins, uint32_t label)
{
    const struct fw_kernel *record = origins->record;
    if (label == STATED)
        return NULL;
    if (label == FW_ORIGIN_ELSEWHERE)
        return "memory";
    const struct fw_array *array = &record->arrays[label - 1];
    return array->parameter != FW_NONE ? record->parameters[array->parameter].name : array->name;
}
