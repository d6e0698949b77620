/* Rows of ragged arrays: which loads are the begins and ends of rows.
 *
 * Takes the accesses and conditions of a record under construction.  Two loads of neighbouring
 * elements of one array, the first of which is a part of an address, are the begin and the end of a
 * row where a condition compares them: a sparse matrix, a graph.  Marks the opaque values and the
 * parts of addresses. */
#include "record_internal.h"

enum { MOST_LOADS = 8, MOST_VISITED = 200 };

/* The loads that a condition compares. */
struct compared {
    struct builder *b;
    uint32_t loads[MOST_LOADS], count, visited;
};

static bool note_load(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct compared *compared = user;
    (void)atom;
    if (node->kind == FW_ATOM_UNKNOWN && node->a < compared->b->opaques.count &&
        compared->b->opaques.at[node->a].kind == FW_OPAQUE_LOADED && compared->count < MOST_LOADS)
        compared->loads[compared->count++] = compared->b->opaques.at[node->a].instruction;
    return ++compared->visited > MOST_VISITED;
}

/* A row from one element to the next, which may be the begin of a row as well. */
static void add_row(uint32_t *begin, uint32_t *end)
{
    enum { SOMEWHERE = 1 << 30 };
    if (*begin == 0 && *end == 0)
        *begin = SOMEWHERE;
    if (*begin == 0)
        *begin = *end - 1;
    if (*end == 0)
        *end = *begin + 1;
}

/* Marks loads of neighbouring elements of one array that a condition compares: the ends of a row.
 */
static void mark_rows(struct compared *compared, const uint32_t *access_of, const bool *indexes,
                      uint32_t *row_of)
{
    struct builder *b = compared->b;
    for (uint32_t i = 0; i < compared->count; i++)
        for (uint32_t j = 0; j < compared->count; j++) {
            uint32_t first = access_of[compared->loads[i]], second = access_of[compared->loads[j]];
            int64_t apart;
            if (first == 0 || second == 0 || first == second)
                continue;
            const struct fw_access *x = &b->accesses.at[first - 1];
            const struct fw_access *y = &b->accesses.at[second - 1];
            if (x->array == FW_NONE || x->array != y->array || x->bytes != y->bytes ||
                !fw_expression_constant(b->pool, fw_subtract(b->pool, y->offset, x->offset),
                                        &apart) ||
                apart != x->bytes || x->space == FW_SPACE_SHARED || !indexes[compared->loads[i]])
                continue;
            add_row(&row_of[compared->loads[i]], &row_of[compared->loads[j]]);
        }
}

void record_data_rows(struct builder *b)
{
    uint32_t count = b->function->instruction_count;
    uint32_t *access_of = FW_ARRAY(b->arena, uint32_t, count + 1);
    uint32_t *row_of = FW_ARRAY(b->arena, uint32_t, count + 1);
    for (uint32_t a = 0; a < b->accesses.count; a++)
        if (b->accesses.at[a].direction == FW_LOAD)
            access_of[b->accesses.at[a].instruction] = a + 1;
    bool *indexes = FW_ARRAY(b->arena, bool, count + 1); /* what is compared alone begins no row */
    for (uint32_t a = 0; a < b->accesses.count; a++)
        for (uint32_t p = 0; b->accesses.at[a].data && p < b->accesses.at[a].data->part_count; p++)
            if (b->accesses.at[a].data->parts[p].loaded != FW_NONE)
                indexes[b->accesses.at[a].data->parts[p].loaded] = true;
    for (uint32_t r = 0; r < b->branches.count; r++) {
        struct compared compared = {.b = b};
        if (!b->branches.at[r].data_dependent)
            continue;
        fw_condition_any(b->pool, b->branches.at[r].condition, note_load, &compared);
        mark_rows(&compared, access_of, indexes, row_of);
    }
    for (uint32_t l = 0; l < b->kernel->loop_count; l++) {
        struct compared compared = {.b = b};
        if (!b->kernel->loops[l].data_dependent)
            continue;
        fw_condition_any(b->pool, b->kernel->loops[l].stays, note_load, &compared);
        mark_rows(&compared, access_of, indexes, row_of);
    }
    for (uint32_t o = 0; o < b->opaques.count; o++)
        if (b->opaques.at[o].kind == FW_OPAQUE_LOADED)
            b->opaques.at[o].row = row_of[b->opaques.at[o].instruction];
    for (uint32_t a = 0; a < b->accesses.count; a++) {
        const struct fw_data_address *data = b->accesses.at[a].data;
        for (uint32_t p = 0; data && p < data->part_count; p++)
            if (data->parts[p].loaded != FW_NONE)
                data->parts[p].is_row_end = row_of[data->parts[p].loaded] != 0;
    }
}
