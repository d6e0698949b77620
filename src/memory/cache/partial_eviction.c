#include "volume_internal.h"

#include <math.h>

/* Sectors that several blocks store, each a part of them.  L2 keeps what was stored of a sector
 * with a mask, but not for long: after some megabytes of further stored lines (loads do not count;
 * seen in share_part_2, which moves that distance) it reads the rest of the sector from device
 * memory and sends the whole back.  The next part is then stored into a whole sector, which is
 * written once more in the end.  Each time costs a sector read and a sector written. */

enum { POINTS = 8, MOST_PASTS_SEEN = 24 };

static const double least_share = 0.001;

/* Sectors and words that a run of blocks stores of an array. */
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

/* Sectors that two runs of blocks complete for each other, from what each of them stores and what
 * both together do: those in common, less what both store of them. */
static double completed(const struct wave_stores *stored, double sectors, double words,
                        const struct extent *both)
{
    double share = (double)stored->word / stored->caches->sector;
    double common = sectors - both->sectors - share * (words - both->words);
    return common > 0 ? common : 0;
}

/* The share of sectors that are sent while `apart` bytes of lines are stored to; none while all but
 * all of them stay. */
static double sent(const struct fw_caches *caches, double apart)
{
    double share = miss_probability(apart, caches->eviction_bytes, caches->eviction_sharpness);
    return share < least_share ? 0 : share;
}

/* Of sectors that blocks of one wave complete, the share sent early when blocks come to them evenly
 * up to `blocks_apart` waves apart. */
static double early_within(const struct wave_stores *stored, double lines)
{
    const struct fw_caches *caches = stored->caches;
    double sum = 0;
    for (uint32_t p = 0; p < POINTS; p++)
        sum += sent(caches, (p + 0.5) / POINTS * caches->block_skew * lines);
    return sum / POINTS;
}

/* Sectors of the wave that earlier waves stored in part and that were sent before. */
static double early_behind(const struct wave_stores *stored, uint32_t array, int64_t first,
                           int64_t step, const struct extent *wave, double wave_lines)
{
    const struct fw_caches *caches = stored->caches;
    double sum = 0, known = 0, behind = 0;
    int64_t length = step;
    for (uint32_t i = 0; i < MOST_PASTS_SEEN && behind < 2 * caches->eviction_bytes; i++) {
        int64_t begin = first - length > 0 ? first - length : 0;
        struct extent past = extent_of(stored, begin, first, array);
        struct extent both = extent_of(stored, begin, first + step, array);
        double lines = lines_of(stored, begin, first);
        double here =
            completed(stored, past.sectors + wave->sectors, past.words + wave->words, &both);
        double apart = (behind + lines + wave_lines) / 2;
        if (here > known)
            sum += (here - known) * sent(caches, apart);
        known = here;
        behind = lines;
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
        if (one.sectors * caches->sector - one.words * stored->word < 0.01 * caches->sector)
            continue; /* it stores none, or whole sectors */
        struct extent wave = extent_of(stored, first, first + step, a);
        lines = lines < 0 ? lines_of(stored, first, first + step) : lines;
        double blocks = (double)step;
        double parts = completed(stored, blocks * one.sectors, blocks * one.words, &wave);
        double times = wave.sectors > 0 ? parts / wave.sectors : 0;
        /* Blocks that go round a loop do so together: it is a turn's lines that lie between. */
        double share = early_within(stored, lines / (double)stored->turns);
        sum += wave.sectors * (times > 1 ? 1 - pow(1 - share, times) : times * share);
        double whole = wave.sectors * caches->sector, part = whole - wave.words * stored->word;
        if (first > 0 && part > 0.02 * whole) /* else the wave leaves nothing to be completed */
            sum += early_behind(stored, a, first, step, &wave, lines);
    }
    return caches->sector * sum;
}
