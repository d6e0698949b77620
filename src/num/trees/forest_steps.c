/* Steps through tiles (forest_tiles.c), by sets of instructions.
 *
 * A row's sixteen features fill one register, or two, so that those that a tile asks for are one
 * shuffle, and its comparisons one instruction.  All slots' answers are compared with what each
 * exit asks: the row's exit is the one that they agree with.  What lies behind the cuts is compared
 * too, but no exit asks for it; what lies behind the exits is no exit, and comes after the row's.
 *
 * Slots 0, 2, 4... have their features in one word, by nibbles, the others in the next: both words
 * are broadcast, so that lanes have them in turn, and each pair of lanes is shifted by its own
 * count.  A shuffle looks at the lowest bits of a lane alone. */
#include "forest_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

static inline const struct forest_tile *tile_of(const struct forest_tile *tiles, uint32_t item)
{
    return &tiles[item & 0xffff];
}

static inline const float *row_of(const float *x, uint32_t item)
{
    return (const float *)(const void *)((const char *)x + (item >> 16));
}

static inline long long features_of(const struct forest_tile *tile)
{
    long long features;
    memcpy(&features, tile->features, sizeof(features));
    return features;
}

/* ---- AVX-512 ---- */

#define AVX512 __attribute__((target("avx512f,avx512vl,avx512bw,bmi,popcnt")))

AVX512 static inline uint16_t leave_avx512(const struct forest_tile *tile, __m512 x)
{
    const __m512i shifts =
        _mm512_setr_epi32(0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 28, 28);
    __m512i slots = _mm512_srlv_epi32(_mm512_set1_epi64(features_of(tile)), shifts);
    __m512 asked = _mm512_permutexvar_ps(slots, x);
    __mmask16 more = _mm512_cmp_ps_mask(asked, _mm512_loadu_ps(tile->cuts), _CMP_GT_OQ);
    __m256i wrong = _mm256_xor_si256(_mm256_set1_epi16((short)more),
                                     _mm256_loadu_si256((const void *)tile->answers));
    __mmask16 taken = _mm256_testn_epi16_mask(wrong, _mm256_loadu_si256((const void *)tile->asked));
    return tile->exits[_tzcnt_u32(taken)];
}

AVX512 static void rows_avx512(uint16_t *codes, const uint32_t *items, uint32_t count,
                               const struct forest_tile *tiles, const float *x)
{
    for (uint32_t i = 0; i < count; i++)
        codes[i] = leave_avx512(tile_of(tiles, items[i]), _mm512_load_ps(row_of(x, items[i])));
}

AVX512 static void trees_avx512(uint16_t *codes, const uint32_t *items, uint32_t count,
                                const struct forest_tile *tiles, const size_t *starts,
                                const float *x)
{
    const __m512 row = _mm512_load_ps(x);
    for (uint32_t i = 0; i < count; i++)
        codes[i] = leave_avx512(tile_of(tiles + starts[items[i] >> ITEM_SHIFT], items[i]), row);
}

/* Items are written behind those that were read, so that both lists may be one. */
AVX512 static uint32_t settle_avx512(uint32_t *items, uint32_t *done, uint32_t *arrived,
                                     const uint16_t *codes, uint32_t count)
{
    const __m512i upper = _mm512_set1_epi32((int)0xffff0000u), leaf = _mm512_set1_epi32(TILE_LEAF);
    uint32_t still = 0, all = *arrived;
    for (uint32_t i = 0; i < count; i += ITEM_LANES) {
        const uint32_t some = count - i < ITEM_LANES ? count - i : ITEM_LANES;
        const __mmask16 lanes = (__mmask16)((1u << some) - 1);
        __m512i code = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(codes + i)));
        __m512i item = _mm512_and_si512(_mm512_loadu_si512(items + i), upper);
        __mmask16 there = _mm512_mask_test_epi32_mask(lanes, code, leaf);
        __mmask16 others = _mm512_mask_testn_epi32_mask(lanes, code, leaf);
        item = _mm512_or_si512(item, code);
        _mm512_storeu_si512(items + still, _mm512_maskz_compress_epi32(others, item));
        _mm512_storeu_si512(done + all, _mm512_maskz_compress_epi32(there, item));
        still += (uint32_t)__builtin_popcount(others);
        all += (uint32_t)__builtin_popcount(there);
    }
    *arrived = all;
    return still;
}

/* ---- AVX2 ---- */

#define AVX2 __attribute__((target("avx2,bmi")))

/* Features of the slots of eight lanes, more than their cuts: a bit a lane. */
AVX2 static inline unsigned more_avx2(__m256i slots, const float *cuts, const float *x)
{
    __m256 low = _mm256_permutevar8x32_ps(_mm256_load_ps(x), slots);
    __m256 high = _mm256_permutevar8x32_ps(_mm256_load_ps(x + 8), slots);
    __m256 is_high = _mm256_castsi256_ps(_mm256_slli_epi32(slots, 28)); /* the sign bit */
    __m256 asked = _mm256_blendv_ps(low, high, is_high);
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(asked, _mm256_loadu_ps(cuts), _CMP_GT_OQ));
}

AVX2 static inline uint16_t leave_avx2(const struct forest_tile *tile, const float *x)
{
    const __m256i lower = _mm256_setr_epi32(0, 0, 4, 4, 8, 8, 12, 12);
    const __m256i upper = _mm256_setr_epi32(16, 16, 20, 20, 24, 24, 28, 28);
    __m256i words = _mm256_set1_epi64x(features_of(tile));
    unsigned more = more_avx2(_mm256_srlv_epi32(words, lower), tile->cuts, x) |
                    more_avx2(_mm256_srlv_epi32(words, upper), tile->cuts + 8, x) << 8;
    __m256i wrong = _mm256_xor_si256(_mm256_set1_epi16((short)more),
                                     _mm256_loadu_si256((const void *)tile->answers));
    wrong = _mm256_and_si256(wrong, _mm256_loadu_si256((const void *)tile->asked));
    int taken = _mm256_movemask_epi8(_mm256_cmpeq_epi16(wrong, _mm256_setzero_si256()));
    return tile->exits[_tzcnt_u32((unsigned)taken) / 2];
}

AVX2 static void rows_avx2(uint16_t *codes, const uint32_t *items, uint32_t count,
                           const struct forest_tile *tiles, const float *x)
{
    for (uint32_t i = 0; i < count; i++)
        codes[i] = leave_avx2(tile_of(tiles, items[i]), row_of(x, items[i]));
}

/* Without a branch that depends on a comparison. */
static uint32_t settle_plain(uint32_t *items, uint32_t *done, uint32_t *arrived,
                             const uint16_t *codes, uint32_t count)
{
    uint32_t still = 0, all = *arrived;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = (items[i] & 0xffff0000u) | codes[i], there = codes[i] / TILE_LEAF;
        items[still] = item;
        done[all] = item;
        still += 1 - there;
        all += there;
    }
    *arrived = all;
    return still;
}

const struct forest_steps *forest_steps_of(unsigned place)
{
    static const struct forest_steps avx512 = {"AVX-512", rows_avx512, trees_avx512, settle_avx512},
                                     avx2 = {"AVX2", rows_avx2, NULL, settle_plain};
    const struct forest_steps *usable[2];
    unsigned count = 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("popcnt"))
        usable[count++] = &avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
        usable[count++] = &avx2;
    return place < count ? usable[place] : NULL;
}

#else
const struct forest_steps *forest_steps_of(unsigned place)
{
    (void)place;
    return NULL;
}
#endif
