/* Predictions by tiles (forest_tiles.c).
 *
 * A row's sixteen features fill two registers, so that those that a tile asks for are one shuffle,
 * its seven comparisons one instruction and the exit one more.  All rows of a chunk take a step in
 * a tree before one takes the next, and all trees of a group for one row alone: those that have not
 * arrived at a leaf are written side by side into a list, without a branch that depends on a
 * comparison. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

enum {
    CHUNK = 256,    /* rows that go through a tree together */
    SLAB = 1 << 14, /* rows that go through all trees together */
    GROUP = 128     /* trees that one row goes through together */
};

#define TILED __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,bmi")))

/* The exit of a tile that a row takes: for each slot one bit, the row is more than the cut. */
TILED static inline uint16_t leave(const struct forest_tile *tile, const float *x)
{
    const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    __m256i slots = _mm256_srlv_epi32(_mm256_set1_epi32((int)tile->features), shifts);
    __m256 asked = _mm256_permutex2var_ps(_mm256_loadu_ps(x), slots, _mm256_loadu_ps(x + 8));
    /* the eighth lane compares with the bytes behind the cuts: no exit asks for its bit */
    __m256 cuts = _mm256_loadu_ps(tile->cuts);
    __m128i more = _mm_set1_epi8((char)_mm256_cmp_ps_mask(asked, cuts, _CMP_GT_OQ));
    __m128i way = _mm_and_si128(more, _mm_loadl_epi64((const void *)tile->asked));
    unsigned taken = _mm_cmpeq_epi8_mask(way, _mm_loadl_epi64((const void *)tile->answers));
    return tile->exits[_tzcnt_u32(taken)];
}

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

/* ---- many rows ---- */

struct slab {
    const struct fw_forest *forest;
    const float *x; /* by rows, TILE_FEATURES each */
    size_t rows;
    double **sums; /* by thread and row */
};

TILED static void add_chunk(double *sums, const struct forest_tile *tiles, const float *values,
                            const float *x, uint32_t count)
{
    uint16_t arrived[CHUNK];
    uint32_t list[CHUNK + 1], left = count; /* row and tile */
    for (uint32_t r = 0; r < count; r++)
        list[r] = r << 16;
    while (left) {
        uint32_t still = 0;
        for (uint32_t i = 0; i < left; i++) {
            uint32_t item = list[i], r = item >> 16;
            uint16_t code = leave(&tiles[item & 0xffff], x + r * TILE_FEATURES);
            arrived[r] = code;
            list[still] = (item & 0xffff0000) | code;
            still += code < TILE_LEAF;
        }
        left = still;
    }
    for (uint32_t r = 0; r < count; r++)
        sums[r] += (double)values[arrived[r] & (TILE_LEAF - 1)];
}

static void add_tree(void *user, uint32_t thread, size_t tree)
{
    const struct slab *slab = user;
    const struct fw_forest *forest = slab->forest;
    for (size_t r = 0; r < slab->rows; r += CHUNK) {
        uint32_t count = (uint32_t)(slab->rows - r < CHUNK ? slab->rows - r : CHUNK);
        add_chunk(slab->sums[thread] + r, forest->tiles + forest->tile_starts[tree],
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
    for (size_t begin = 0; begin < rows; begin += SLAB) {
        slab.rows = rows - begin < SLAB ? rows - begin : SLAB;
        for (size_t r = 0; r < slab.rows; r++)
            finite[r] =
                fill(to + r * TILE_FEATURES, x + (begin + r) * forest->features, forest->features);
        for (uint32_t t = 0; t < threads; t++)
            memset(slab.sums[t], 0, slab.rows * sizeof(double));
        forest_parallel(threads, forest->trees, add_tree, &slab);
        for (size_t r = 0; r < slab.rows; r++) {
            double sum = 0;
            for (uint32_t t = 0; t < threads; t++)
                sum += slab.sums[t][r];
            predictions[begin + r] = finite[r] ? forest->offset + sum / forest->trees : (double)NAN;
        }
    }
}

/* ---- one row ---- */

/* The sum of the leaves of `count` trees from `first` on. */
TILED static double add_group(const struct fw_forest *forest, const float *x, uint32_t first,
                              uint32_t count)
{
    const struct forest_tile *tiles = forest->tiles;
    const size_t *starts = forest->tile_starts + first;
    uint16_t arrived[GROUP];
    uint32_t list[GROUP + 1], left = count; /* tree and tile */
    double sum = 0;
    for (uint32_t t = 0; t < count; t++)
        list[t] = t << 16;
    while (left) {
        uint32_t still = 0;
        for (uint32_t i = 0; i < left; i++) {
            uint32_t item = list[i], t = item >> 16;
            uint16_t code = leave(tiles + starts[t] + (item & 0xffff), x);
            arrived[t] = code;
            list[still] = (item & 0xffff0000) | code;
            still += code < TILE_LEAF;
        }
        left = still;
    }
    for (uint32_t t = 0; t < count; t++)
        sum += (double)
                   forest->values[forest->value_starts[first + t] + (arrived[t] & (TILE_LEAF - 1))];
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

#else /* no forest has tiles */

double forest_predict_tiled(const struct fw_forest *forest, const double *row)
{
    (void)forest;
    (void)row;
    return (double)NAN;
}

void forest_predict_many_tiled(double *predictions, const struct fw_forest *forest, const double *x,
                               size_t rows, uint32_t threads, struct fw_arena *scratch)
{
    (void)forest;
    (void)x;
    (void)threads;
    (void)scratch;
    for (size_t r = 0; r < rows; r++)
        predictions[r] = (double)NAN;
}
#endif
