/* Copies of records that may be changed. */
#include "advice_internal.h"

#include <string.h>

#define COPY(arena, from, count)                                                                   \
    ((count) ? fw_arena_copy((arena), (from), (count) * sizeof(*(from))) : (from))

static struct fw_pool copy_pool(struct fw_arena *arena, const struct fw_pool *pool)
{
    struct fw_pool copy = *pool;
    copy.arena = arena;
    copy.expressions.at = COPY(arena, pool->expressions.at, pool->expressions.count);
    copy.atoms.at = COPY(arena, pool->atoms.at, pool->atoms.count);
    copy.conditions.at = COPY(arena, pool->conditions.at, pool->conditions.count);
    copy.expressions.capacity = copy.expressions.count;
    copy.atoms.capacity = copy.atoms.count;
    copy.conditions.capacity = copy.conditions.count;
    copy.expression_table = COPY(arena, pool->expression_table, pool->expression_capacity);
    copy.atom_table = COPY(arena, pool->atom_table, pool->atom_capacity);
    copy.condition_table = COPY(arena, pool->condition_table, pool->condition_capacity);
    return copy;
}

struct fw_kernel *advice_kernel_copy(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    struct fw_kernel *copy = FW_NEW(arena, struct fw_kernel);
    *copy = *kernel;
    copy->arena = arena;
    copy->pool = copy_pool(arena, &kernel->pool);
    copy->accesses = COPY(arena, kernel->accesses, kernel->access_count);
    copy->schedule = COPY(arena, kernel->schedule, kernel->schedule_count);
    copy->branches = COPY(arena, kernel->branches, kernel->branch_count);
    copy->loops = COPY(arena, kernel->loops, kernel->loop_count);
    copy->arrays = COPY(arena, kernel->arrays, kernel->array_count);
    return copy;
}

struct fw_machine_operation *advice_own_machine(struct advice_try *try, uint32_t instruction)
{
    struct fw_scheduled *at = &try->kernel->schedule[instruction];
    at->machine = COPY(try->arena, at->machine, at->machine_count);
    return at->machine;
}

/* ---- kernels that run in any block ---- */

/* A thread's index along an axis as its place in the grid less the block's: what is left of the
 * block's index then depends on blocks. */
struct by_place {
    struct fw_pool *pool;
};

static fw_expression place_of(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct by_place *by = user;
    (void)atom;
    if (node->kind != FW_ATOM_LAUNCH || node->a < FW_THREAD_X || node->a > FW_THREAD_Z)
        return FW_NO_EXPRESSION;
    uint32_t axis = node->a - FW_THREAD_X;
    enum fw_launch_index block = (enum fw_launch_index)(FW_BLOCK_X + axis);
    enum fw_launch_index size = (enum fw_launch_index)(FW_BLOCK_SIZE_X + axis);
    /* The thread index itself stands for the place from here on. */
    return fw_subtract(
        by->pool, fw_launch_value(by->pool, (enum fw_launch_index)node->a),
        fw_multiply(by->pool, fw_launch_value(by->pool, block), fw_launch_value(by->pool, size)));
}

static bool is_of_block(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_LAUNCH &&
           (node->a <= FW_BLOCK_Z || node->a == FW_LANE || node->a == FW_WARP);
}

/* Block sizes are left beside grid sizes alone: the threads of the grid, by which a loop goes on.
 */
static bool sizes_alone(const struct fw_pool *pool, fw_expression a)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++) {
        int blocks = 0, grids = 0;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            const struct fw_atom_node *atom = &pool->atoms.at[node->terms[t].atoms[i]];
            if (atom->kind != FW_ATOM_LAUNCH)
                continue;
            blocks += atom->a >= FW_BLOCK_SIZE_X && atom->a <= FW_BLOCK_SIZE_Z;
            grids += atom->a >= FW_GRID_SIZE_X && atom->a <= FW_GRID_SIZE_Z;
        }
        if (blocks != grids)
            return false;
    }
    return true;
}

static bool place_alone(struct advice_try *try, fw_expression a)
{
    struct by_place by = {&try->kernel->pool};
    const struct fw_replacement with = {.replace = place_of, .user = &by};
    fw_expression left = fw_expression_replace(by.pool, a, &with);
    return !fw_expression_any(by.pool, left, is_of_block, NULL) && sizes_alone(by.pool, left);
}

static bool condition_alone(struct advice_try *try, fw_condition a)
{
    struct by_place by = {&try->kernel->pool};
    const struct fw_replacement with = {.replace = place_of, .user = &by};
    fw_condition left = fw_condition_replace(by.pool, a, &with);
    return !fw_condition_any(by.pool, left, is_of_block, NULL);
}

bool advice_any_block(struct advice_try *try)
{
    const struct fw_kernel *kernel = try->kernel;
    const struct fw_resources *resources = &kernel->resources;
    if (kernel->required_block[0] || resources->static_shared || resources->dynamic_shared ||
        try->launch->shared)
        return false;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (kernel->schedule[i].barrier || kernel->schedule[i].collective)
            return false;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (access->space == FW_SPACE_SHARED || access->bulk)
            return false;
        if (access->space == FW_SPACE_GLOBAL && !place_alone(try, access->offset))
            return false;
    }
    for (uint32_t b = 0; b < kernel->branch_count; b++)
        if (!condition_alone(try, kernel->branches[b].condition))
            return false;
    for (uint32_t l = 0; l < kernel->loop_count; l++)
        if (kernel->loops[l].trips == FW_NO_EXPRESSION
                ? !condition_alone(try, kernel->loops[l].stays)
                : !place_alone(try, kernel->loops[l].trips))
            return false;
    return true;
}

/* ---- places ---- */

void advice_at_instruction(struct advice_try *try, uint32_t instruction)
{
    const struct fw_scheduled *at = &try->kernel->schedule[instruction];
    try->line = at->line;
    try->file = at->file;
}

void advice_at_access(struct advice_try *try, uint32_t access)
{
    advice_at_instruction(try, try->kernel->accesses[access].instruction);
}

const char *advice_array_name(const struct advice_try *try, uint32_t access)
{
    const struct fw_kernel *kernel = try->kernel;
    uint32_t array = kernel->accesses[access].array;
    if (array == FW_NONE)
        return "memory";
    const struct fw_array *of = &kernel->arrays[array];
    const char *name = of->parameter == FW_NONE ? of->name : kernel->parameters[of->parameter].name;
    size_t length = strlen(kernel->name);
    return strncmp(name, kernel->name, length) == 0 && name[length] == '_'
               ? name + length + 1
               : fw_text_variable(try->arena, name);
}
