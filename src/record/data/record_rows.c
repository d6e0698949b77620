/* Rows of ragged arrays: which loads are the begins and ends of rows, and which are lengths.
 *
 * Takes the accesses and conditions of a record under construction.  Two loads of neighbouring
 * elements of one array, the first of which is a part of an address, are the begin and the end of a
 * row where a condition compares them: a sparse matrix, a graph.  Elements further apart are those
 * of several rows one after the other: cells beside each other, which borders clip.  So are two
 * elements of two arrays, in the same place of each, where a loop goes from one to the other: cells
 * of particles. A loaded number that a loop counts up to, and that is part of no address, is the
 * length of a row or a list: sequences of a batch, lists of neighbours with room to spare.  Marks
 * the opaque values and the parts of addresses. */
#include "record_internal.h"

enum { MOST_LOADS = 8, MOST_VISITED = 200, MOST_DEPTH = 8, MOST_CLIPPED = 3, MOST_ROWS = 64 };

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

/* A row from one element to the next, or one so many after it, which may be the begin of a row as
 * well. */
static void add_row(uint32_t *begin, uint32_t *end, uint32_t rows)
{
    enum { SOMEWHERE = 1 << 30 };
    if (*begin == 0 && *end == 0)
        *begin = SOMEWHERE;
    if (*begin == 0)
        *begin = *end - rows;
    if (*end == 0)
        *end = *begin + rows;
}

/* The least positive constant that an expression is where its minima and maxima are one or the
 * other of what they choose between: how far two ends are apart that no border clips.  0: none is.
 */
static int64_t unclipped(struct builder *b, fw_expression apart, unsigned depth)
{
    const struct fw_expression_node node = b->pool->expressions.at[apart];
    int64_t known, least = 0;
    if (fw_expression_constant(b->pool, apart, &known))
        return known > 0 ? known : 0;
    for (uint32_t t = 0; t < node.term_count && depth < MOST_CLIPPED; t++) {
        const struct fw_term term = b->pool->expressions.at[apart].terms[t];
        if (term.atom_count != 1)
            continue;
        const struct fw_atom_node atom = b->pool->atoms.at[term.atoms[0]];
        if (atom.kind != FW_ATOM_MINIMUM && atom.kind != FW_ATOM_MAXIMUM)
            continue;
        fw_expression rest = fw_subtract(
            b->pool, apart,
            fw_scale(b->pool,
                     fw_atom_new(b->pool, (enum fw_atom_kind)atom.kind, atom.a, atom.b, atom.c),
                     term.coefficient));
        for (uint32_t choice = 0; choice < 2; choice++) {
            fw_expression chosen = fw_add(
                b->pool, rest, fw_scale(b->pool, choice ? atom.b : atom.a, term.coefficient));
            known = unclipped(b, chosen, depth + 1);
            least = known > 0 && (least == 0 || known < least) ? known : least;
        }
        return least;
    }
    return 0;
}

/* How many rows lie between two loads that are the begin of one and the end of another: elements of
 * one array, or, where a loop goes from one to the other, elements of two arrays in the same place.
 * 0: they are no such loads. */
static uint32_t rows_between(struct builder *b, const struct fw_access *begin,
                             const struct fw_access *end, bool end_indexes, bool is_loop)
{
    int64_t apart;
    bool neighbours = begin->array == end->array;
    if (begin->array == FW_NONE || end->array == FW_NONE || begin->bytes != end->bytes ||
        begin->space == FW_SPACE_SHARED || end->space == FW_SPACE_SHARED || begin->bytes == 0)
        return 0;
    fw_expression difference = fw_subtract(b->pool, end->offset, begin->offset);
    if (!fw_expression_constant(b->pool, difference, &apart))
        apart = neighbours && is_loop && !record_expression_opaque(b, difference)
                    ? unclipped(b, difference, 0)
                    : -1;
    if (!neighbours)
        return is_loop && !end_indexes && apart == 0;
    if (apart == begin->bytes)
        return 1;
    return is_loop && apart > 0 && apart % begin->bytes == 0 && apart / begin->bytes <= MOST_ROWS
               ? (uint32_t)(apart / begin->bytes)
               : 0;
}

/* Marks loads that a condition compares, a loop's where `is_loop`, as the ends of a row. */
static void mark_rows(struct compared *compared, bool is_loop, const uint32_t *access_of,
                      const bool *indexes, uint32_t *row_of, uint32_t *array_of)
{
    struct builder *b = compared->b;
    for (uint32_t i = 0; i < compared->count; i++)
        for (uint32_t j = 0; j < compared->count; j++) {
            uint32_t begin = compared->loads[i], end = compared->loads[j];
            if (access_of[begin] == 0 || access_of[end] == 0 || begin == end || !indexes[begin])
                continue;
            const uint32_t rows =
                rows_between(b, &b->accesses.at[access_of[begin] - 1],
                             &b->accesses.at[access_of[end] - 1], indexes[end], is_loop);
            if (rows == 0)
                continue;
            add_row(&row_of[begin], &row_of[end], rows);
            array_of[begin] = array_of[end] = b->accesses.at[access_of[begin] - 1].array;
        }
}

/* What a comparison of a loop's condition asks for. */
struct counted {
    struct builder *b;
    uint32_t loop, length; /* the one loaded number; FW_NONE: none */
    bool counts, other; /* it asks for the loop's iteration; for anything else that data decide */
    uint32_t visited;
};

static bool note_counted(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct counted *counted = user;
    struct builder *b = counted->b;
    (void)atom;
    counted->counts |= node->kind == FW_ATOM_ITERATION && node->a == counted->loop;
    counted->other |= node->kind == FW_ATOM_TRIPS || ++counted->visited > MOST_VISITED;
    if (node->kind == FW_ATOM_UNKNOWN) {
        bool loaded = node->a < b->opaques.count &&
                      b->opaques.at[node->a].kind == FW_OPAQUE_LOADED &&
                      !record_loop_inside(b, b->opaques.at[node->a].loop, counted->loop);
        counted->other |= !loaded || (counted->length != FW_NONE && counted->length != node->a);
        counted->length = node->a;
    }
    return counted->other;
}

/* Marks the loaded numbers that comparisons of a loop's condition count up to. */
static void mark_lengths(struct builder *b, fw_condition stays, uint32_t loop,
                         const uint32_t *access_of, const bool *indexes, unsigned depth)
{
    const struct fw_condition_node node = b->pool->conditions.at[stays];
    struct counted counted = {.b = b, .loop = loop, .length = FW_NONE};
    if (node.kind == FW_CONDITION_AND) {
        if (depth < MOST_DEPTH) {
            mark_lengths(b, node.a, loop, access_of, indexes, depth + 1);
            mark_lengths(b, node.b, loop, access_of, indexes, depth + 1);
        }
        return;
    }
    if (node.kind == FW_CONDITION_OR || fw_condition_any(b->pool, stays, note_counted, &counted) ||
        !counted.counts || counted.length == FW_NONE)
        return;
    struct fw_opaque *length = &b->opaques.at[counted.length];
    uint32_t access = access_of[length->instruction];
    if (access && !indexes[length->instruction] &&
        fw_type_class(b->accesses.at[access - 1].type) != 'f')
        length->is_length = true;
}

void record_data_rows(struct builder *b)
{
    uint32_t count = b->function->instruction_count;
    uint32_t *access_of = FW_ARRAY(b->arena, uint32_t, count + 1);
    uint32_t *row_of = FW_ARRAY(b->arena, uint32_t, count + 1);
    uint32_t *array_of = FW_ARRAY(b->arena, uint32_t, count + 1); /* that tells a row's length */
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
        mark_rows(&compared, false, access_of, indexes, row_of, array_of);
    }
    for (uint32_t l = 0; l < b->kernel->loop_count; l++) {
        struct compared compared = {.b = b};
        if (!b->kernel->loops[l].data_dependent)
            continue;
        fw_condition_any(b->pool, b->kernel->loops[l].stays, note_load, &compared);
        mark_rows(&compared, true, access_of, indexes, row_of, array_of);
    }
    for (uint32_t l = 0; l < b->kernel->loop_count; l++)
        if (b->kernel->loops[l].data_dependent && !b->kernel->loops[l].is_wait)
            mark_lengths(b, b->kernel->loops[l].stays, l, access_of, indexes, 0);
    for (uint32_t o = 0; o < b->opaques.count; o++) {
        struct fw_opaque *opaque = &b->opaques.at[o];
        if (opaque->kind != FW_OPAQUE_LOADED)
            continue;
        opaque->row = row_of[opaque->instruction];
        opaque->is_length &= opaque->row == 0;
        if (opaque->row)
            opaque->array = array_of[opaque->instruction];
        else if (opaque->is_length)
            opaque->array = b->accesses.at[access_of[opaque->instruction] - 1].array;
    }
    for (uint32_t a = 0; a < b->accesses.count; a++) {
        const struct fw_data_address *data = b->accesses.at[a].data;
        for (uint32_t p = 0; data && p < data->part_count; p++)
            if (data->parts[p].loaded != FW_NONE)
                data->parts[p].is_row_end = row_of[data->parts[p].loaded] != 0;
    }
}
