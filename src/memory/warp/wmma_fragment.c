#include "wmma_fragment.h"

#include "warp.h"

/* Source: the fragments of mma.m16n8k8 and its kin in the PTX ISA. */
enum { WARP = FW_WARP_THREADS, SIDE = 8, REGISTER = 4 /* bytes */ };

/* The unit in which a warp moves a tile: `rows` x `row_bytes`, in `loads` loads of some rows each.
 */
struct core_matrix {
    uint32_t rows, row_bytes, loads, bytes;
    bool along;
};

static struct core_matrix core_matrix_of(const struct fw_tile *tile)
{
    uint32_t element = tile->element ? tile->element : 1;
    /* Elements of a lane that are adjacent in memory: a register holds them. */
    uint32_t adjacent = tile->sums ? 2 : element < REGISTER ? REGISTER / element : 1;
    bool along = tile->along || element == 2 || tile->element == 0;
    if (along)
        return (struct core_matrix){SIDE, WARP / SIDE * adjacent * element, 1, adjacent * element,
                                    true};
    return (struct core_matrix){WARP / SIDE * adjacent, SIDE * element, adjacent, element, false};
}

static uint32_t quotient_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

struct fw_fragment_requests fw_fragment_requests(const struct fw_tile *tile, enum fw_space space)
{
    struct core_matrix core = core_matrix_of(tile);
    struct fw_fragment_requests fragment = {.bytes = core.bytes};
    uint32_t cores =
        quotient_up(tile->rows, core.rows) * quotient_up(tile->row_bytes, core.row_bytes);
    fragment.count = cores * core.loads;
    if (!tile->along && core.along && (tile->sums || space != FW_SPACE_SHARED))
        fragment.transposes = fragment.count;
    return fragment;
}

void fw_fragment_lanes(struct fw_warp_request *request, const struct fw_tile *tile, uint32_t index,
                       int64_t from, int64_t row_stride)
{
    struct core_matrix core = core_matrix_of(tile);
    uint32_t part = index % core.loads, at = index / core.loads;
    uint32_t per_row = quotient_up(tile->row_bytes, core.row_bytes);
    uint32_t first = at / per_row * core.rows, byte = at % per_row * core.row_bytes;
    request->lanes = 0;
    request->bytes = core.bytes;
    for (uint32_t l = 0; l < WARP; l++) {
        uint32_t across = l / (WARP / SIDE), along = l % (WARP / SIDE);
        uint32_t row = first + (core.along ? across : along * core.loads + part);
        uint32_t in = byte + (core.along ? along : across) * core.bytes;
        if (row < tile->rows &&
            in < tile->row_bytes) /* the tile may be smaller than a core matrix */
            request->at[request->lanes++] = from + row * row_stride + in;
    }
}
