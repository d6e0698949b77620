#include "emulate_matrix.h"

#include "emulate_convert.h"
#include "emulate_memory.h"

#include <math.h>

enum { ROW_BYTES = 16 };

union numbers {
    double real[MOST_TILE_ELEMENTS];
    int32_t whole[MOST_TILE_ELEMENTS];
};

/* Where an element of a lane's register stands in its matrix: PTX ISA, "Matrix Fragments for
 * mma".  A register holds elements that follow each other along k. */
static uint32_t place(const struct emulate_tile *tile, unsigned lane, unsigned r, unsigned e)
{
    const unsigned each = (tile->wide ? 64u : 32u) / tile->bits, group = lane / 4, in = lane % 4;
    const unsigned i = r * each + e;
    unsigned row, column;
    switch (tile->role) {
    case TILE_A:
        row = tile->rows == 16 ? group + 8 * (r & 1) : group;
        column = in * each + e + (tile->rows == 16 ? r / 2 : r) * 4 * each;
        break;
    case TILE_B:
        row = in * each + e + r * 4 * each;
        column = group;
        break;
    case TILE_C:
        row = group + 8 * (i / 2);
        column = in * 2 + (i & 1);
        break;
    default: /* more room than elements: they are kept more than once */
        return (lane * tile->registers * each + i) % ((unsigned)tile->rows * tile->columns);
    }
    return row * tile->columns + column;
}

static u64 element_of(struct emulate_warp *warp, const struct emulate_tile *tile, unsigned lane,
                      unsigned r, unsigned e)
{
    const u64 all = tile->wide ? SLOT(u64, tile->slots[r])[lane] : SLOT(u32, tile->slots[r])[lane];
    return tile->bits == 64 ? all : all >> e * tile->bits & (((u64)1 << tile->bits) - 1);
}

static int32_t whole_of(enum fw_type type, u64 bits)
{
    const unsigned unused = 64 - fw_type_bits(type);
    return fw_type_class(type) == 's' ? (int32_t)((s64)(bits << unused) >> unused)
                                      : (int32_t)(u32)bits;
}

static bool is_real(const struct emulate_tile *tile)
{
    return fw_type_class((enum fw_type)tile->type) == 'f';
}

static void gather(struct emulate_warp *warp, const struct emulate_tile *tile, union numbers *to)
{
    const enum fw_type type = (enum fw_type)tile->type;
    const unsigned each = (tile->wide ? 64u : 32u) / tile->bits;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned r = 0; r < tile->registers; r++)
            for (unsigned e = 0; e < each; e++) {
                const u64 bits = element_of(warp, tile, lane, r, e);
                const uint32_t at = place(tile, lane, r, e);
                if (type == FW_TYPE_TF32) /* the unit does not see the lowest 13 bits */
                    to->real[at] = fw_number_decode(FW_TYPE_F32, bits & 0xffffe000u);
                else if (is_real(tile))
                    to->real[at] = fw_number_decode(type, bits);
                else
                    to->whole[at] = whole_of(type, bits);
            }
}

static void scatter(struct emulate_warp *warp, const struct emulate_tile *tile,
                    const union numbers *from)
{
    const unsigned each = (tile->wide ? 64u : 32u) / tile->bits;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned r = 0; r < tile->registers; r++) {
            u64 all = 0;
            for (unsigned e = 0; e < each; e++) {
                const uint32_t at = place(tile, lane, r, e);
                const u64 bits = is_real(tile)
                                     ? fw_number_encode((enum fw_type)tile->type, from->real[at],
                                                        FW_ROUND_RN, false)
                                     : (u64)(u32)from->whole[at];
                all |= bits << e * tile->bits;
            }
            if (tile->wide)
                SLOT(u64, tile->slots[r])[lane] = all;
            else
                SLOT(u32, tile->slots[r])[lane] = (u32)all;
        }
}

static double real_sum(const struct emulate_matrix *matrix, const union numbers *a,
                       const union numbers *b, double c, unsigned i, unsigned j)
{
    const unsigned depth = matrix->a.columns, columns = matrix->b.columns;
    double sum = 0;
    if (matrix->d.type == FW_TYPE_F64) {
        for (unsigned k = 0; k < depth; k++)
            c = fma(a->real[i * depth + k], b->real[k * columns + j], c);
        return c;
    }
    for (unsigned k = 0; k < depth; k++)
        sum += a->real[i * depth + k] * b->real[k * columns + j];
    return sum + c;
}

static int32_t whole_sum(const struct emulate_matrix *matrix, const union numbers *a,
                         const union numbers *b, int32_t c, unsigned i, unsigned j)
{
    const unsigned depth = matrix->a.columns, columns = matrix->b.columns;
    int64_t sum = c;
    for (unsigned k = 0; k < depth; k++) {
        const int32_t x = a->whole[i * depth + k], y = b->whole[k * columns + j];
        sum += matrix->exclusive ? x ^ y : (int64_t)x * y;
    }
    if (matrix->saturate)
        return (int32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    return (int32_t)(u32)(u64)sum;
}

void fw_emulate_run_mma(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask)
{
    const struct emulate_matrix *matrix = micro->extra;
    union numbers a, b, c;
    if (mask != FULL_MASK)
        fw_emulate_fault(warp, micro, (unsigned)__builtin_ctz(mask), "EMU019",
                         "a matrix instruction needs all 32 threads of its warp");
    gather(warp, &matrix->a, &a);
    gather(warp, &matrix->b, &b);
    gather(warp, &matrix->c, &c);
    for (unsigned i = 0; i < matrix->d.rows; i++)
        for (unsigned j = 0; j < matrix->d.columns; j++) {
            const unsigned at = i * matrix->d.columns + j;
            if (is_real(&matrix->d))
                c.real[at] = real_sum(matrix, &a, &b, c.real[at], i, j);
            else
                c.whole[at] = whole_sum(matrix, &a, &b, c.whole[at], i, j);
        }
    scatter(warp, &matrix->d, &c);
}

/* ---- ldmatrix, stmatrix: matrix j's row r is at the address of lane 8 j + r ---- */

static void rows_of(struct emulate_warp *warp, const struct emulate_micro *micro,
                    struct emulate_matrix *matrix, uint32_t mask, unsigned char **rows)
{
    u64 address[LANES];
    const uint32_t used = matrix->count == 4 ? FULL_MASK : ((uint32_t)1 << 8 * matrix->count) - 1;
    if (mask != FULL_MASK)
        fw_emulate_fault(warp, micro, (unsigned)__builtin_ctz(mask), "EMU019",
                         "a matrix instruction needs all 32 threads of its warp");
    lane_addresses(address, warp, micro, &matrix->memory, mask);
    if (warp->run->tell)
        fw_emulate_tell_access(warp, micro, &matrix->memory, used, address, FW_SPACE_SHARED);
    for (unsigned lane = 0; lane < 8 * matrix->count; lane++)
        rows[lane] = fw_emulate_lane_memory(warp, micro, &matrix->memory,
                                            (enum fw_space)matrix->memory.space, lane,
                                            address[lane], ROW_BYTES);
}

/* The host address of half e of the lane's word of matrix j. */
static unsigned char *half_at(const struct emulate_matrix *matrix, unsigned char *const *rows,
                              unsigned j, unsigned lane, unsigned e)
{
    const unsigned along = 2 * (lane % 4) + e, across = lane / 4;
    return matrix->transposed ? rows[8 * j + along] + 2 * (size_t)across
                              : rows[8 * j + across] + 2 * (size_t)along;
}

void fw_emulate_run_ldmatrix(struct emulate_warp *warp, const struct emulate_micro *micro,
                             uint32_t mask)
{
    struct emulate_matrix *matrix = micro->extra;
    unsigned char *rows[LANES];
    rows_of(warp, micro, matrix, mask, rows);
    for (unsigned j = 0; j < matrix->count; j++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            u16 halves[2];
            for (unsigned e = 0; e < 2; e++)
                memcpy(&halves[e], half_at(matrix, rows, j, lane, e), 2);
            SLOT(u32, matrix->registers[j])[lane] = halves[0] | (u32)halves[1] << 16;
        }
}

void fw_emulate_run_stmatrix(struct emulate_warp *warp, const struct emulate_micro *micro,
                             uint32_t mask)
{
    struct emulate_matrix *matrix = micro->extra;
    unsigned char *rows[LANES];
    rows_of(warp, micro, matrix, mask, rows);
    for (unsigned j = 0; j < matrix->count; j++)
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned e = 0; e < 2; e++) {
                const u16 half = (u16)(SLOT(u32, matrix->registers[j])[lane] >> 16 * e);
                memcpy(half_at(matrix, rows, j, lane, e), &half, 2);
            }
}

/* ---- wmma.load, wmma.store ---- */

/* Host memory of element `at` of the tile; the first lane's address is everybody's. */
static unsigned char *tile_memory(struct emulate_warp *warp, const struct emulate_micro *micro,
                                  struct emulate_matrix *matrix, u64 base, u64 stride, uint32_t at)
{
    const uint32_t row = at / matrix->d.columns, column = at % matrix->d.columns;
    const u64 index = matrix->transposed ? column * stride + row : row * stride + column;
    const u64 bytes = matrix->memory.bytes;
    return fw_emulate_lane_memory(warp, micro, &matrix->memory, (enum fw_space)matrix->memory.space,
                                  0, base + index * bytes, bytes);
}

static void move_tile(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask,
                      bool store)
{
    struct emulate_matrix *matrix = micro->extra;
    const struct emulate_tile *tile = &matrix->d;
    const unsigned each = (tile->wide ? 64u : 32u) / tile->bits, bytes = matrix->memory.bytes;
    u64 address[LANES];
    if (mask != FULL_MASK)
        fw_emulate_fault(warp, micro, (unsigned)__builtin_ctz(mask), "EMU019",
                         "a matrix instruction needs all 32 threads of its warp");
    lane_addresses(address, warp, micro, &matrix->memory, mask);
    const u64 stride = matrix->stride       ? SLOT(u32, matrix->stride)[0]
                       : matrix->transposed ? tile->rows
                                            : tile->columns;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned r = 0; r < tile->registers; r++) {
            u64 all =
                tile->wide ? SLOT(u64, tile->slots[r])[lane] : SLOT(u32, tile->slots[r])[lane];
            u64 loaded = 0;
            for (unsigned e = 0; e < each; e++) {
                unsigned char *at =
                    tile_memory(warp, micro, matrix, address[0], stride, place(tile, lane, r, e));
                u64 bits = all >> e * tile->bits;
                if (store)
                    memcpy(at, &bits, bytes);
                bits = 0;
                memcpy(&bits, at, bytes);
                loaded |= bits << e * tile->bits;
            }
            if (!store && tile->wide)
                SLOT(u64, tile->slots[r])[lane] = loaded;
            else if (!store)
                SLOT(u32, tile->slots[r])[lane] = (u32)loaded;
        }
}

void fw_emulate_run_tile_load(struct emulate_warp *warp, const struct emulate_micro *micro,
                              uint32_t mask)
{
    move_tile(warp, micro, mask, false);
}

void fw_emulate_run_tile_store(struct emulate_warp *warp, const struct emulate_micro *micro,
                               uint32_t mask)
{
    move_tile(warp, micro, mask, true);
}
