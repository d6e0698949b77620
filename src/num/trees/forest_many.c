/* Predictions by tiles (forest_tiles.c).
 *
 * All rows of a chunk take a step in a tree before one takes the next, and all trees of a group for
 * one row alone, so that the steps of one do not wait for those of another.  Those that have not
 * arrived at a leaf are written side by side into a list, without a branch that depends on a
 * comparison. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = 256,    /* rows that go through a tree together */
    SLAB = 1 << 14, /* rows that go through all trees together */
    GROUP = 128     /* trees that one row goes through together */
};

/* Items under way; their number is that of the largest chunk or group. */
struct way {
    uint32_t items[CHUNK + ITEM_LANES], done[CHUNK + ITEM_LANES];
    uint16_t codes[CHUNK + ITEM_LANES];
};

/* A row's place in bytes is its number's bits, shifted. */
_Static_assert((1 << (ITEM_SHIFT - 16)) == TILE_FEATURES * sizeof(float), "rows are lines");
_Static_assert((int)CHUNK <= (int)ITEMS_MOST && (int)GROUP <= (int)CHUNK, "items have few bits");

/* The row's features as floats, and zeros; false: one is not finite. */
static bool fill(float *to, const double *row, uint32_t features)
{
    float sum = 0; /* of zeros, unless a feature is not finite */
    memset(to, 0, TILE_FEATURES * sizeof(float));
    for (uint32_t f = 0; f < features; f++) {
        to[f] = (float)row[f];
        sum += to[f] - to[f];
    }
    return sum == 0;
}

/* All at the first tile. */
static void begin(struct way *way, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        way->items[i] = i << ITEM_SHIFT;
}

static uint32_t leaf_of(uint32_t item)
{
    return item & (TILE_LEAF - 1);
}

/* ---- many rows ---- */

struct slab {
    const struct fw_forest *forest;
    const float *x; /* by rows, TILE_FEATURES each */
    size_t rows;
    double **sums; /* by thread and row */
};

static void add_chunk(double *sums, const struct forest_steps *steps,
                      const struct forest_tile *tiles, const float *values, const float *x,
                      uint32_t count)
{
    struct way way;
    uint32_t left = count, arrived = 0;
    begin(&way, count);
    while (left) {
        steps->rows(way.codes, way.items, left, tiles, x);
        left = steps->settle(way.items, way.done, &arrived, way.codes, left);
    }
    for (uint32_t i = 0; i < count; i++)
        sums[way.done[i] >> ITEM_SHIFT] += (double)values[leaf_of(way.done[i])];
}

static void add_tree(void *user, uint32_t thread, size_t tree)
{
    const struct slab *slab = user;
    const struct fw_forest *forest = slab->forest;
    for (size_t r = 0; r < slab->rows; r += CHUNK) {
        uint32_t count = (uint32_t)(slab->rows - r < CHUNK ? slab->rows - r : CHUNK);
        add_chunk(slab->sums[thread] + r, forest->steps, forest->tiles + forest->tile_starts[tree],
                  forest->values + forest->value_starts[tree], slab->x + r * TILE_FEATURES, count);
    }
}

void forest_predict_many_tiled(double *predictions, const struct fw_forest *forest, const double *x,
                               size_t rows, uint32_t threads, struct fw_arena *scratch)
{
    const size_t most = rows < SLAB ? rows : SLAB;
    char *room = FW_ARRAY(scratch, char, (most + 1) * TILE_FEATURES * sizeof(float));
    float *to = (float *)(void *)(room + (-(uintptr_t)room & (LINE_BYTES - 1)));
    bool *finite = FW_ARRAY(scratch, bool, most);
    threads = forest_threads(threads, forest->trees);
    struct slab slab = {forest, to, 0, FW_ARRAY(scratch, double *, threads)};
    for (uint32_t t = 0; t < threads; t++)
        slab.sums[t] = FW_ARRAY(scratch, double, most);
    for (size_t start = 0; start < rows; start += SLAB) {
        slab.rows = rows - start < SLAB ? rows - start : SLAB;
        for (size_t r = 0; r < slab.rows; r++)
            finite[r] =
                fill(to + r * TILE_FEATURES, x + (start + r) * forest->features, forest->features);
        for (uint32_t t = 0; t < threads; t++)
            memset(slab.sums[t], 0, slab.rows * sizeof(double));
        forest_parallel(threads, forest->trees, add_tree, &slab);
        for (size_t r = 0; r < slab.rows; r++) {
            double sum = 0;
            for (uint32_t t = 0; t < threads; t++)
                sum += slab.sums[t][r];
            predictions[start + r] = finite[r] ? forest->offset + sum / forest->trees : (double)NAN;
        }
    }
}

/* ---- one row ---- */

/* The sum of the leaves of `count` trees from `first` on. */
static double add_group(const struct fw_forest *forest, const float *x, uint32_t first,
                        uint32_t count)
{
    const size_t *starts = forest->tile_starts + first, *values = forest->value_starts + first;
    struct way way;
    uint32_t left = count, arrived = 0;
    double sum = 0;
    begin(&way, count);
    while (left) {
        forest->steps->trees(way.codes, way.items, left, forest->tiles, starts, x);
        left = forest->steps->settle(way.items, way.done, &arrived, way.codes, left);
    }
    for (uint32_t i = 0; i < count; i++)
        sum += (double)forest->values[values[way.done[i] >> ITEM_SHIFT] + leaf_of(way.done[i])];
    return sum;
}

double forest_predict_tiled(const struct fw_forest *forest, const double *row)
{
    _Alignas(LINE_BYTES) float x[TILE_FEATURES];
    double sum = 0;
    if (!fill(x, row, forest->features))
        return (double)NAN;
    for (uint32_t t = 0; t < forest->trees; t += GROUP)
        sum += add_group(forest, x, t, forest->trees - t < GROUP ? forest->trees - t : GROUP);
    return forest->offset + sum / forest->trees;
}
