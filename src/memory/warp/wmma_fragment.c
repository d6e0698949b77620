#include "wmma_fragment.h"

enum { WARP = 32, SIDE = 8, REGISTER = 4 };

/* A piece: `rows` x `row_bytes` of the tile, `parts` loads for it (each with some of its rows). */
struct block {
    uint32_t rows, row_bytes, parts, bytes;
    bool along;
};

static struct block block_of(const struct fw_tile *tile)
{
    uint32_t element = tile->element ? tile->element : 1;
    uint32_t held = tile->sums ? 2 : element < REGISTER ? REGISTER / element : 1; /* side by side */
    bool along = tile->along || element == 2 || tile->element == 0;
    if (along)
        return (struct block){SIDE, WARP / SIDE * held * element, 1, held * element, true};
    return (struct block){WARP / SIDE * held, SIDE * element, held, element, false};
}

static uint32_t quotient_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

struct fw_fragment_requests fw_fragment_requests(const struct fw_tile *tile, enum fw_space space)
{
    struct block block = block_of(tile);
    struct fw_fragment_requests pieces = {.bytes = block.bytes};
    uint32_t blocks =
        quotient_up(tile->rows, block.rows) * quotient_up(tile->row_bytes, block.row_bytes);
    pieces.count = blocks * block.parts;
    if (!tile->along && block.along && (tile->sums || space != FW_SPACE_SHARED))
        pieces.transposes = pieces.count;
    return pieces;
}

void fw_fragment_lanes(struct fw_warp_request *request, const struct fw_tile *tile, uint32_t piece,
                       int64_t from, int64_t apart)
{
    struct block block = block_of(tile);
    uint32_t part = piece % block.parts, at = piece / block.parts;
    uint32_t beside = quotient_up(tile->row_bytes, block.row_bytes);
    uint32_t first = at / beside * block.rows, byte = at % beside * block.row_bytes;
    request->lanes = 0;
    request->bytes = block.bytes;
    for (uint32_t l = 0; l < WARP; l++) {
        uint32_t across = l / (WARP / SIDE), along = l % (WARP / SIDE);
        uint32_t row = first + (block.along ? across : along * block.parts + part);
        uint32_t in = byte + (block.along ? along : across) * block.bytes;
        if (row < tile->rows && in < tile->row_bytes) /* a tile smaller than a piece */
            request->at[request->lanes++] = from + row * apart + in;
    }
}
