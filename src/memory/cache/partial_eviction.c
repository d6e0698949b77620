#include "volume_internal.h"

#include <math.h>

/* Partial evictions: sectors to which several blocks store a part each.  L2 keeps the stored part
 * of a sector with a byte mask, but only until some megabytes of further lines have been stored
 * (loads do not count; share_part_2 in data/h200/traffic varies that distance).  Then L2 reads the
 * rest of the sector from device memory and evicts the sector.  The next part is stored into a
 * whole sector, which L2 evicts once more in the end.  Each partial eviction costs a sector read
 * and a sector written. */

enum { POINTS = 8, MAX_HISTORIES = 24 };

/* Smaller shares count as none. */
static const double min_evicted_share = 0.001;

/* Sectors and words of an array that a run of blocks stores. */
struct extent {
    double sectors, words;
};

static struct extent extent_of(const struct wave_stores *stored, int64_t first, int64_t last,
                               uint32_t array)
{
    struct fw_window run = {first > 0 ? first : 0, last, 0, 1, FW_FOOTPRINT_STORES};
    return (struct extent){fw_footprint_count(stored->sectors, &run, 1, array),
                           fw_footprint_count(stored->words, &run, 1, array)};
}

static double lines_of(const struct wave_stores *stored, int64_t first, int64_t last)
{
    struct fw_window run = {first > 0 ? first : 0, last, 0, 1, FW_FOOTPRINT_STORES};
    return stored->caches->line * fw_footprint_count(stored->lines, &run, 1, FW_NONE);
}

/* Sectors that two runs of blocks complete for each other.  `sectors` and `words`: what each of
 * them stores, added up; `both`: what both store together.  These are the sectors that they share,
 * without those of which both store the same words. */
static double completed(const struct wave_stores *stored, double sectors, double words,
                        const struct extent *both)
{
    double share = (double)stored->word / stored->caches->sector;
    double common = sectors - both->sectors - share * (words - both->words);
    return common > 0 ? common : 0;
}

/* The share of partly written sectors that L2 evicts while `distance` bytes of lines are stored. */
static double evicted_share(const struct fw_caches *caches, double distance)
{
    double share = miss_probability(distance, caches->eviction_bytes, caches->eviction_sharpness);
    return share < min_evicted_share ? 0 : share;
}

/* Bytes of sectors that several warps of a block store a part each, scattered over lines, and that
 * L2 evicts in between.  Warps come to their stores at any time of the block's life: of `parts`,
 * the first and the last are (parts - 1) / (parts + 1) of it apart in the mean; two warps of a
 * block that has no other go together.  Stores to lines of their own take entries of L2 at random:
 * the share that is left falls exponentially.  Source: turn in data/h100/again; of its 12 shapes
 * and sizes 2 to 22% are evicted, and 0 to 6% by this rule with l2_collects of share_part_2. */
static double evicted_within_blocks(const struct wave_stores *stored, double sectors, double lines)
{
    const struct fw_caches *caches = stored->caches;
    if (stored->warps <= 2 || stored->iterations > 1 || !(stored->parts > 1))
        return 0;
    double apart = (stored->parts - 1) / (stored->parts + 1);
    return sectors * fw_caches_scattered_stores(caches) * apart *
           (1 - exp(-lines / caches->eviction_bytes));
}

/* The share of evictions among sectors that blocks of one wave complete, if these blocks store them
 * up to block_skew waves apart, evenly distributed. */
static double evicted_within_wave(const struct wave_stores *stored, double lines)
{
    const struct fw_caches *caches = stored->caches;
    double sum = 0;
    for (uint32_t p = 0; p < POINTS; p++)
        sum += evicted_share(caches, (p + 0.5) / POINTS * caches->block_skew * lines);
    return sum / POINTS;
}

/* Sectors of the wave that earlier waves stored in part and that L2 has evicted since. */
static double evicted_behind(const struct wave_stores *stored, uint32_t array, int64_t first,
                             int64_t step, const struct extent *wave, double wave_lines)
{
    const struct fw_caches *caches = stored->caches;
    double sum = 0, known = 0, history_lines = 0;
    int64_t length = step;
    for (uint32_t i = 0; i < MAX_HISTORIES && history_lines < 2 * caches->eviction_bytes; i++) {
        int64_t begin = first - length > 0 ? first - length : 0;
        struct extent history = extent_of(stored, begin, first, array);
        struct extent both = extent_of(stored, begin, first + step, array);
        double lines = lines_of(stored, begin, first);
        double here =
            completed(stored, history.sectors + wave->sectors, history.words + wave->words, &both);
        double distance = (history_lines + lines + wave_lines) / 2;
        if (here > known)
            sum += (here - known) * evicted_share(caches, distance);
        known = here;
        history_lines = lines;
        length += length / 2 + 1;
        if (begin == 0)
            break;
    }
    return sum;
}

double partial_eviction_bytes(const struct wave_stores *stored, int64_t first, int64_t step)
{
    const struct fw_caches *caches = stored->caches;
    int64_t middle = first + step / 2;
    double sum = 0, lines = -1;
    for (uint32_t a = 0; a < stored->arrays && caches->eviction_bytes > 0; a++) {
        if (stored->loaded[a])
            continue;
        struct extent one = extent_of(stored, middle, middle + 1, a);
        struct extent wave = extent_of(stored, first, first + step, a);
        if (!(one.sectors > 0))
            continue;
        lines = lines < 0 ? lines_of(stored, first, first + step) : lines;
        sum += evicted_within_blocks(stored, wave.sectors, lines);
        if (one.sectors * caches->sector - one.words * stored->word < 0.01 * caches->sector)
            continue; /* blocks store no part of a sector */
        double blocks = (double)step;
        double parts = completed(stored, blocks * one.sectors, blocks * one.words, &wave);
        double times = wave.sectors > 0 ? parts / wave.sectors : 0;
        /* Blocks run a loop in step: the lines of one iteration lie between two parts. */
        double share = evicted_within_wave(stored, lines / (double)stored->iterations);
        sum += wave.sectors * (times > 1 ? 1 - pow(1 - share, times) : times * share);
        double whole = wave.sectors * caches->sector, part = whole - wave.words * stored->word;
        if (first > 0 && part > 0.02 * whole) /* the wave stores whole sectors */
            sum += evicted_behind(stored, a, first, step, &wave, lines);
    }
    return caches->sector * sum;
}
