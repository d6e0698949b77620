/* Where tensor copies read and write.
 *
 * A tensor map is not known before the launch: neither where its tensor begins, nor what lies
 * between its rows.  What a launch moves follows from less: how far the coordinates of its copies
 * are apart, from thread to thread and iteration to iteration, tells the tiles that they go
 * through, and their bytes how much beyond its tile a box has.  Each tile gets a place of its own:
 * those of a row lie one behind the other, rows of tiles far apart.  Copies of one tile are at one
 * place, and boxes that overlap share what they have beyond a tile.  Rows of a box are asked for in
 * whole granules, which those around a tile begin and end within. */
#include "checked.h"
#include "quotient.h"
#include "record_internal.h"

#include <string.h>

enum {
    MOST_DIMENSIONS = 5,
    MOST_VISITS = 400,   /* of expressions within a coordinate */
    MOST_ELEMENT = 8,    /* bytes */
    MOST_AROUND = 2,     /* times the bytes of a tile that a box has at most */
    ROW_TILES_BITS = 20, /* tiles of a row, of tensors of two dimensions */
    ROWS_BITS = 10,      /* of more */
    GRANULE = 64,  /* bytes by which rows of a box are asked for of L2.  Source: tensor_stencil
                      in data/h200/asynchronous, clocks.jsonl: 384 bytes for a row of 288 that
                      begins 16 bytes ahead of a multiple of 256 */
    ROW_BYTES = 16 /* which a row of a box is a multiple of (CUDA's driver API) */
};

/* The coordinates of all copies by one tensor map. */
struct tiling {
    uint32_t array, dimensions;
    bool known;
    uint32_t bytes;                  /* of a box */
    int64_t step[MOST_DIMENSIONS];   /* 0: the coordinate is the same everywhere */
    int64_t origin[MOST_DIMENSIONS]; /* the constant of the first copy's */
    int64_t tile;                    /* bytes */
    int64_t element;                 /* bytes */
};

static bool is_tensor_access(const struct builder *b, const struct fw_access *access)
{
    const struct fw_instruction *at = &b->function->instructions[access->instruction];
    return access->bulk && access->space == FW_SPACE_GLOBAL && access->array != FW_NONE &&
           fw_instruction_has(at, "tensor") && !fw_instruction_has(at, "im2col");
}

/* What all values of an expression are a multiple of, as far as its form tells; 0: all are 0.  What
 * a loop carries is a multiple of what all that it begins with and that its iterations add are. */
static int64_t divisor_of(const struct builder *b, fw_expression a, uint32_t *visits);

static int64_t divisor_of_atom(const struct builder *b, fw_atom atom, uint32_t *visits)
{
    const struct fw_atom_node *node = &b->pool->atoms.at[atom];
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_SELECT:
    case FW_ATOM_MINIMUM:
    case FW_ATOM_MAXIMUM:
    case FW_ATOM_FOLD: /* b is a STEP */
        return fw_common_step(divisor_of(b, node->a, visits), divisor_of(b, node->b, visits));
    case FW_ATOM_STEP:
        return divisor_of(b, node->a, visits);
    case FW_ATOM_CARRIED:
        return node->a;
    default:
        return 1;
    }
}

static int64_t divisor_of_term(const struct builder *b, const struct fw_term *term,
                               uint32_t *visits)
{
    int64_t product = term->coefficient;
    for (uint32_t i = 0; i < term->atom_count; i++)
        if (fw_multiply_overflows(product, divisor_of_atom(b, term->atoms[i], visits), &product))
            return 1;
    return product;
}

static int64_t divisor_of(const struct builder *b, fw_expression a, uint32_t *visits)
{
    int64_t all = 0;
    if (a == FW_NO_EXPRESSION || ++*visits > MOST_VISITS)
        return 1;
    for (uint32_t t = 0; t < b->pool->expressions.at[a].term_count; t++)
        all = fw_common_step(all, divisor_of_term(b, &b->pool->expressions.at[a].terms[t], visits));
    return all;
}

/* The coordinates of a copy, innermost first; their number, 0: one is not known at a launch. */
static uint32_t coordinates_of(struct builder *b, const struct fw_access *access,
                               fw_expression out[MOST_DIMENSIONS])
{
    const struct fw_instruction *at = &b->function->instructions[access->instruction];
    const struct fw_operand *from = &at->operands[at->space == FW_SPACE_SHARED ? 1 : 0];
    if (from->count == 0 || from->elements[0].kind != FW_OPERAND_VECTOR)
        return 0;
    from = &from->elements[0]; /* [map, {coordinates}] */
    if (from->count > MOST_DIMENSIONS)
        return 0;
    for (uint32_t d = 0; d < from->count; d++) {
        out[d] =
            record_operand(b, &from->elements[d], FW_TYPE_S32, b->block_of[access->instruction]);
        if (out[d] == FW_NO_EXPRESSION || record_expression_opaque(b, out[d]))
            return 0;
    }
    return from->count;
}

/* The bytes of each execution of a copy, where they are constant: those that its mbarrier is told
 * where it is ordered are shared by the copies there, and those of a multicast by the blocks that
 * it goes to, each of which gets as much from the others.  0: not. */
static uint32_t constant_bytes(const struct builder *b, const struct fw_access *access)
{
    if (access->bytes || access->transaction == FW_NONE)
        return access->bytes;
    const struct fw_transaction *told = &b->transactions.at[access->transaction];
    const uint32_t parts = told->sharers * (access->receivers ? access->receivers : 1);
    return told->domain == access->domain && told->bytes % parts == 0 ? told->bytes / parts : 0;
}

static int64_t constant_of(const struct builder *b, fw_expression a)
{
    const struct fw_expression_node *node = &b->pool->expressions.at[a];
    return node->term_count && !node->terms[0].atom_count ? node->terms[0].coefficient : 0;
}

/* Adds what a copy's coordinates are apart to a tiling. */
static void add_copy(struct builder *b, struct tiling *tiling, const struct fw_access *access)
{
    fw_expression at[MOST_DIMENSIONS];
    const uint32_t dimensions = coordinates_of(b, access, at), bytes = constant_bytes(b, access);
    const bool first = !tiling->dimensions;
    uint32_t visits = 0;
    tiling->known = tiling->known && dimensions && bytes &&
                    (first || (dimensions == tiling->dimensions && bytes == tiling->bytes));
    if (!tiling->known)
        return;
    tiling->dimensions = dimensions;
    tiling->bytes = bytes;
    for (uint32_t d = 0; d < dimensions; d++) {
        const struct fw_expression_node *node = &b->pool->expressions.at[at[d]];
        const int64_t constant = constant_of(b, at[d]);
        tiling->origin[d] = first ? constant : tiling->origin[d];
        tiling->step[d] = fw_common_step(tiling->step[d], constant - tiling->origin[d]);
        for (uint32_t t = 0; t < node->term_count; t++)
            if (node->terms[t].atom_count)
                tiling->step[d] =
                    fw_common_step(tiling->step[d], divisor_of_term(b, &node->terms[t], &visits));
    }
}

/* The bytes of a tile: of the greatest elements that boxes have room for.  Where boxes would reach
 * far beyond their tiles, what lies between copies is not known. */
static void find_tile(struct tiling *tiling)
{
    int64_t elements = 1;
    for (uint32_t d = 0; d < tiling->dimensions && tiling->known; d++)
        if (tiling->step[d])
            tiling->known = !fw_multiply_overflows(elements, tiling->step[d], &elements);
    int64_t element = 1;
    if (!tiling->known || elements > tiling->bytes) {
        tiling->known = false;
        return;
    }
    while (element < MOST_ELEMENT && 2 * element * elements <= tiling->bytes)
        element *= 2;
    tiling->tile = element * elements;
    tiling->element = element;
    tiling->known = tiling->bytes <= MOST_AROUND * tiling->tile;
}

/* Whether a box may have so many rows: around those of a tile, in planes around its planes. */
static bool has_rows(const struct tiling *tiling, int64_t rows)
{
    if (tiling->dimensions == 2)
        return rows >= tiling->step[1];
    for (int64_t in_plane = tiling->step[1]; in_plane * tiling->step[2] <= rows; in_plane++)
        if (rows % in_plane == 0)
            return true;
    return false;
}

/* The bytes of a row of a box: of all rows and columns around a tile that its bytes have room for,
 * those of the fewest columns.  0: there are none, or the box has other than two or three
 * dimensions. */
static int64_t row_of(const struct tiling *tiling)
{
    const int64_t elements = tiling->bytes / tiling->element;
    if (tiling->dimensions < 2 || tiling->dimensions > 3 || !tiling->step[0] || !tiling->step[1] ||
        (tiling->dimensions == 3 && !tiling->step[2]))
        return 0;
    for (int64_t row = tiling->step[0]; row * tiling->step[1] <= elements; row++)
        if (elements % row == 0 && row * tiling->element % ROW_BYTES == 0 &&
            has_rows(tiling, elements / row))
            return row * tiling->element;
    return 0;
}

/* The bytes that L2 is asked for: granules of all rows.  Tensors and their rows begin at whole
 * granules. */
static uint32_t asked_of(const struct tiling *tiling)
{
    const int64_t row = row_of(tiling), apart = tiling->step[0] * tiling->element;
    if (row == 0 || apart % GRANULE || row == apart)
        return 0;
    const int64_t begin = tiling->origin[0] * tiling->element & (GRANULE - 1);
    return (uint32_t)((begin + row + GRANULE - 1) / GRANULE * GRANULE * (tiling->bytes / row));
}

/* The place of a copy's tile. */
static fw_expression place_of(struct builder *b, const struct tiling *tiling,
                              const struct fw_access *access)
{
    fw_expression at[MOST_DIMENSIONS], place = 0;
    int64_t unit = tiling->tile;
    const unsigned bits = tiling->dimensions > 2 ? ROWS_BITS : ROW_TILES_BITS;
    coordinates_of(b, access, at);
    for (uint32_t d = 0; d < tiling->dimensions; d++) {
        fw_expression from = fw_subtract(b->pool, at[d], fw_constant(b->pool, tiling->origin[d]));
        if (tiling->step[d] == 0)
            continue;
        fw_expression tile = fw_floor_divide(b->pool, from, fw_constant(b->pool, tiling->step[d]));
        place = fw_add(b->pool, place, fw_scale(b->pool, tile, unit));
        unit <<= bits;
    }
    return place;
}

/* Sets the places of all copies by a tensor map, and their bytes. */
static void place_copies(struct builder *b, const struct tiling *tiling)
{
    for (size_t a = 0; a < b->accesses.count; a++) {
        if (b->accesses.at[a].array != tiling->array || !is_tensor_access(b, &b->accesses.at[a]))
            continue;
        fw_expression place = place_of(b, tiling, &b->accesses.at[a]);
        struct fw_access *access = &b->accesses.at[a];
        access->offset = place;
        access->data_dependent = false;
        access->bytes = tiling->bytes;
        access->asked = asked_of(tiling);
        access->transaction = FW_NONE;
    }
}

void record_tensors(struct builder *b)
{
    for (uint32_t array = 0; array < b->arrays.count; array++) {
        struct tiling tiling = {.array = array, .known = true};
        for (size_t a = 0; a < b->accesses.count && tiling.known; a++)
            if (b->accesses.at[a].array == array && is_tensor_access(b, &b->accesses.at[a]))
                add_copy(b, &tiling, &b->accesses.at[a]);
        if (!tiling.dimensions)
            continue;
        find_tile(&tiling);
        if (tiling.known)
            place_copies(b, &tiling);
    }
}
