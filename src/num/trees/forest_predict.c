/* Predictions.
 *
 * Sixteen descents are under way together, so that the steps of one do not wait for those of
 * another and no branch depends on a comparison: of one row in sixteen trees, or of sixteen rows in
 * one tree.  A descent that has arrived stays at its leaf (forest_internal.h) until all have. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

enum {
    LANES = 16,
    STEPS = 2,
    ROW_MOST = FW_FOREST_FEATURES_MOST + FOREST_MARKS,
    BLOCK_ROWS = 1024,
    BLOCK_FLOATS = 1 << 15, /* of a block: at least LANES of the longest rows */
    LINE_NODES = 8
};

/* The row's features as floats, with the marks, `apart` floats from each other; false: one is not
 * finite. */
static bool fill(float *to, const double *row, uint32_t features, size_t apart)
{
    float sum = 0; /* of zeros, unless a feature is not finite */
    for (uint32_t f = 0; f < features; f++) {
        float x = (float)row[f];
        to[f * apart] = x;
        sum += x - x;
    }
    to[features * apart] = -INFINITY;
    to[(features + 1) * apart] = INFINITY;
    return sum == 0;
}

/* From nodes `at` to leaves, by one row, or by the rows of all lanes, whose features alternate. */
static inline void descend(uint32_t at[LANES], const struct fw_forest_node *nodes, const float *x,
                           bool one)
{
    uint32_t before[LANES], moved;
    do {
        memcpy(before, at, sizeof(before));
        for (int s = 0; s < STEPS; s++)
            for (int lane = 0; lane < LANES; lane++) {
                struct fw_forest_node node = nodes[at[lane]];
                uint32_t f = node.link & 255;
                float feature = one ? x[f] : x[f * LANES + (uint32_t)lane];
                at[lane] = ((node.link >> 8) << 1) + (feature > node.cut);
            }
        moved = 0;
        for (int lane = 0; lane < LANES; lane++)
            moved |= before[lane] ^ at[lane];
    } while (moved);
}

double fw_forest_predict(const struct fw_forest *forest, const double *row)
{
    const struct fw_forest_node *nodes = forest->nodes;
    float x[ROW_MOST];
    double sum = 0;
    if (forest->tiles && forest->steps->trees)
        return forest_predict_tiled(forest, row);
    if (!fill(x, row, forest->features, 1))
        return (double)NAN;
    for (uint32_t t = 0; t < forest->trees; t += LANES) {
        uint32_t at[LANES], count = forest->trees - t < LANES ? forest->trees - t : LANES;
        for (uint32_t lane = 0; lane < LANES; lane++)
            at[lane] = t + (lane < count ? lane : 0);
        descend(at, nodes, x, true);
        for (uint32_t lane = 0; lane < count; lane++)
            sum += (double)nodes[at[lane]].cut;
    }
    return forest->offset + sum / forest->trees;
}

struct many {
    const struct fw_forest *forest;
    const double *x;
    double *predictions;
    size_t rows, block;
};

/* One tree's leaves for a block of rows, added to `sums`. */
static void add_tree(double *sums, const struct fw_forest *forest, uint32_t tree, const float *x,
                     uint32_t count)
{
    const struct fw_forest_node *nodes = forest->nodes;
    const uint32_t stride = forest->features + FOREST_MARKS;
    for (uint32_t r = 0; r < count; r += LANES) {
        uint32_t at[LANES];
        for (uint32_t lane = 0; lane < LANES; lane++)
            at[lane] = tree;
        descend(at, nodes, x + r * stride, false);
        for (uint32_t lane = 0; lane < LANES; lane++)
            sums[r + lane] += (double)nodes[at[lane]].cut;
    }
}

/* The processor fetches the tree that comes next while it works on one. */
static void fetch_tree(const struct fw_forest *forest, uint32_t tree)
{
    for (size_t n = forest->starts[tree]; n < forest->starts[tree + 1]; n += LINE_NODES)
        __builtin_prefetch(forest->nodes + n, 0, 2);
}

/* Lanes without a row repeat the block's last one. */
static void predict_block(void *user, uint32_t thread, size_t block)
{
    const struct many *many = user;
    const struct fw_forest *forest = many->forest;
    const uint32_t features = forest->features, stride = features + FOREST_MARKS;
    const size_t begin = block * many->block, left = many->rows - begin;
    const uint32_t rows = (uint32_t)(left < many->block ? left : many->block);
    const uint32_t all = (rows + LANES - 1) / LANES * LANES;
    float x[BLOCK_FLOATS];
    double sums[BLOCK_ROWS] = {0};
    bool finite[BLOCK_ROWS];
    (void)thread;
    for (uint32_t r = 0; r < all; r++) {
        const double *row = many->x + (begin + (r < rows ? r : rows - 1)) * features;
        finite[r] = fill(x + r / LANES * LANES * stride + r % LANES, row, features, LANES);
    }
    for (uint32_t t = 0; t < forest->trees; t++) {
        if (t + 1 < forest->trees)
            fetch_tree(forest, t + 1);
        add_tree(sums, forest, t, x, all);
    }
    for (uint32_t r = 0; r < rows; r++)
        many->predictions[begin + r] =
            finite[r] ? forest->offset + sums[r] / forest->trees : (double)NAN;
}

static enum fw_status predict_tiles(double *predictions, const struct fw_forest *forest,
                                    const double *x, size_t rows, uint32_t threads)
{
    struct fw_arena *scratch = fw_arena_new(0);
    jmp_buf exhausted;
    if (!scratch)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(scratch, &exhausted);
    if (setjmp(exhausted)) {
        fw_arena_free(scratch);
        return FW_ERROR_MEMORY;
    }
    forest_predict_many_tiled(predictions, forest, x, rows, threads, scratch);
    fw_arena_free(scratch);
    return FW_OK;
}

enum fw_status fw_forest_predict_many(double *predictions, const struct fw_forest *forest,
                                      const double *x, size_t rows, uint32_t threads)
{
    if (forest->tiles)
        return predict_tiles(predictions, forest, x, rows, threads);
    const uint32_t stride = forest->features + FOREST_MARKS;
    size_t block = BLOCK_FLOATS / stride / LANES * LANES;
    block = block < BLOCK_ROWS ? block : BLOCK_ROWS;
    struct many many = {forest, x, predictions, rows, block};
    size_t blocks = (rows + block - 1) / block;
    forest_parallel(forest_threads(threads, blocks), blocks, predict_block, &many);
    return FW_OK;
}
