#include "volume_internal.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 6, HALVINGS = 24, WORD = 4 };

/* Lines that a wave's stores hold: they come at the end of a block's life and stay for half of a
 * wave's time in the mean. */
static const double stored_share = 0.5;

/* Sizes, as shares of the cache, between which it forgets. */
static const double least_share = 0.6, most_share = 1.3;

struct waves {
    struct fw_footprint *sectors, *fetches, *lines, *words;
    const struct fw_caches *caches;
    int64_t blocks; /* of the launch */
    int64_t wave;   /* resident at one time */
    int64_t turns;  /* of the blocks' loop around loads */
    int64_t stored_turns;
    uint32_t arrays;
    bool *loaded; /* by array */
    bool warm;
};

/* The `length` blocks before block `first`; in a launch that repeats, the last ones of the launch
 * before come before block 0. */
static uint32_t past_of(const struct waves *waves, int64_t first, int64_t length,
                        enum fw_footprint_of of, struct fw_window out[2])
{
    uint32_t count = 0;
    int64_t begin = first - length;
    out[count++] = (struct fw_window){begin > 0 ? begin : 0, first, 0, 1, of};
    if (begin < 0 && waves->warm)
        out[count++] = (struct fw_window){
            waves->blocks + begin > first ? waves->blocks + begin : first, waves->blocks, 0, 1, of};
    return count;
}

/* Bytes of lines that are left behind, with those of half of the event itself. */
static double lines_of(const struct waves *waves, int64_t first, int64_t length, int64_t step)
{
    struct fw_window windows[2];
    uint32_t count = past_of(waves, first, length, FW_FOOTPRINT_ALL, windows);
    double before = fw_footprint_count(waves->lines, windows, count, FW_NONE);
    windows[0].last = first + step;
    double with = fw_footprint_count(waves->lines, windows, count, FW_NONE);
    return waves->caches->line * (before + with) / 2;
}

/* Granules of an event that are not in its past. */
static double new_granules(const struct waves *waves, struct fw_footprint *footprint, int64_t first,
                           int64_t length, int64_t step, enum fw_footprint_of of)
{
    struct fw_window windows[3];
    uint32_t count = past_of(waves, first, length, FW_FOOTPRINT_ALL, windows);
    double before = fw_footprint_count(footprint, windows, count, FW_NONE);
    windows[count++] = (struct fw_window){first, first + step, 0, 1, of};
    return fw_footprint_count(footprint, windows, count, FW_NONE) - before;
}

/* The longest past of block `first` whose lines fit into `size` bytes, to a sixteenth; `guess` is
 * where to begin.  Lines grow with blocks, less and less: by the line through what is known, else
 * halves. */
static int64_t remembered(const struct waves *waves, int64_t first, int64_t step, int64_t guess,
                          double size)
{
    int64_t low = 0, high = (waves->warm ? waves->blocks : first) + 1;
    double at_low = lines_of(waves, first, 0, step), at_high = -1;
    if (at_low > size)
        return 0;
    for (uint32_t i = 0; i < HALVINGS && high - low > 1 + low / 16; i++) {
        int64_t middle = guess;
        if (i > 0)
            middle =
                at_high > at_low
                    ? low + (int64_t)((size - at_low) / (at_high - at_low) * (double)(high - low))
                    : 2 * low + step / 4;
        if (i > 3 && i % 2)
            middle = low + (high - low) / 2;
        middle = middle > low ? middle : low + 1;
        middle = middle < high ? middle : high - 1;
        double lines = lines_of(waves, first, middle, step);
        if (lines <= size) {
            low = middle;
            at_low = lines;
        } else {
            high = middle;
            at_high = lines;
        }
    }
    return low;
}

/* Evenly spread, but in step with no period of the grid. */
static int64_t sample_at(const struct waves *waves, uint32_t sample, uint32_t samples)
{
    double turn = fmod(0.31 + sample * 0.6180339887498949, 1);
    int64_t at = (int64_t)((sample + turn) * (double)waves->blocks / samples);
    return at < waves->blocks ? at : waves->blocks - 1;
}

struct sums {
    double read, squares, written, part, early, once, lines, stored_lines, samples, blocks;
    int64_t past, first, step; /* of the last sample */
};

/* The share of a run's stored sectors that it does not fill: they have to be read to be completed.
 */
static double partly_stored(const struct waves *waves, int64_t first, int64_t last)
{
    struct fw_window run = {first > 0 ? first : 0, last, 0, 1, FW_FOOTPRINT_STORES};
    double all = 0, sum = 0, size = waves->caches->sector;
    for (uint32_t a = 0; a < waves->arrays; a++) {
        double sectors = fw_footprint_count(waves->sectors, &run, 1, a);
        double words = fw_footprint_count(waves->words, &run, 1, a);
        double part = (sectors * size - words * WORD) / (size / 2); /* half an end of a row */
        all += sectors;
        if (!waves->loaded[a]) /* what was loaded is whole */
            sum += part < sectors ? part : sectors;
    }
    return all > 0 ? sum / all : 0;
}

/* Turns of the longest outermost loop around loads or stores; 1: there is none. */
static int64_t turns_of(const struct fw_affine_accesses *accesses, bool loads)
{
    int64_t turns = 1;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].loops && fw_affine_is_load(&accesses->at[i]) == loads &&
            accesses->at[i].trips[0] > 1 && fw_affine_iterations(&accesses->at[i]) > turns)
            turns = fw_affine_iterations(&accesses->at[i]);
    return turns;
}

/* What a wave of blocks that go round a loop together reads (or stores, and no store of theirs left
 * in L2): as l1.c sees a block's life.  `lines`: what one turn holds. */
static double moved_in_turns(const struct waves *waves, int64_t first, int64_t step, bool loads,
                             double *lines)
{
    struct fw_footprint *footprint = loads ? waves->fetches : waves->sectors;
    int64_t turns = loads ? waves->turns : waves->stored_turns;
    enum fw_footprint_of of = loads ? FW_FOOTPRINT_LOADS : FW_FOOTPRINT_STORES;
    const struct fw_caches *caches = waves->caches;
    int64_t stride = (turns + SAMPLES - 1) / SAMPLES | 1, taken = 0;
    double sum = 0;
    *lines = 0;
    for (int64_t turn = stride / 2; turn < turns; turn += stride, taken++) {
        struct miss_curve pasts = {.count = 0};
        double begin = (double)turn / (double)turns, end = (double)(turn + 1) / (double)turns;
        for (int64_t back = 0; pasts.count < MAX_MISS_POINTS; back = back ? 2 * back : 1) {
            struct miss_point *past = &pasts.at[pasts.count++];
            int64_t from = turn - back > 0 ? turn - back : 0;
            struct fw_window windows[2] = {
                {first, first + step, (double)from / (double)turns, begin, FW_FOOTPRINT_ALL},
                {first, first + step, begin, end, of}};
            uint32_t before = from < turn;
            const struct fw_window *both = before ? windows : &windows[1];
            past->history =
                caches->line * fw_footprint_count(waves->lines, both, before + 1, FW_NONE);
            windows[0].of = loads ? FW_FOOTPRINT_ALL : FW_FOOTPRINT_STORES;
            past->misses = (loads ? caches->fetch : caches->sector) *
                           (fw_footprint_count(footprint, both, before + 1, FW_NONE) -
                            (before ? fw_footprint_count(footprint, windows, 1, FW_NONE) : 0));
            *lines += back == 0 ? past->history : 0;
            if (from == 0 || past->history > 2 * caches->l2_bytes)
                break;
        }
        sum += miss_curve_bytes(&pasts, caches->l2_bytes, caches->l2_sharpness);
    }
    *lines /= (double)(taken ? taken : 1);
    return taken ? sum / (double)taken * (double)turns : 0;
}

/* What a wave misses of its granules in a cache that forgets as the profile says, about a past that
 * is remembered in the middle.  Without a stated sharpness L2 is taken to be sharp. */
static double missing_softly(const struct waves *waves, struct fw_footprint *footprint,
                             int64_t first, int64_t past, int64_t step, enum fw_footprint_of of)
{
    enum { POINTS = 6 };
    const struct fw_caches *caches = waves->caches;
    struct miss_curve pasts = {.count = 0};
    if (!(caches->l2_sharpness > 0))
        return new_granules(waves, footprint, first, past, step, of);
    int64_t most = waves->warm ? waves->blocks : first;
    int64_t low = remembered(waves, first, step, past, least_share * caches->l2_bytes);
    int64_t high = remembered(waves, first, step, past + 1, most_share * caches->l2_bytes);
    for (int64_t i = 0; i < POINTS; i++) {
        int64_t length = low + (high - low) * i / (POINTS - 1);
        struct miss_point *here = &pasts.at[pasts.count++];
        here->history = lines_of(waves, first, length, step);
        here->misses = new_granules(waves, footprint, first, length, step, of);
        if (length >= most || low == high) /* there is no longer one */
            break;
    }
    return miss_curve_bytes(&pasts, caches->l2_bytes, caches->l2_sharpness);
}

static void add_sample(struct sums *sums, const struct waves *waves, int64_t first)
{
    const struct fw_caches *caches = waves->caches;
    int64_t step = waves->wave < waves->blocks - first ? waves->wave : waves->blocks - first;
    int64_t past = remembered(waves, first, step, sums->past ? sums->past : step, caches->l2_bytes);
    sums->past = past;
    sums->first = first;
    sums->step = step;
    struct fw_window wave = {first, first + step, 0, 1, FW_FOOTPRINT_LOADS};
    double read = caches->fetch *
                  missing_softly(waves, waves->fetches, first, past, step, FW_FOOTPRINT_LOADS);
    double once_left = read;
    double written = caches->sector *
                     new_granules(waves, waves->sectors, first, past, step, FW_FOOTPRINT_STORES);
    sums->part += partly_stored(waves, first - past, first + step);
    struct wave_stores stored = {waves->sectors, waves->words, waves->lines,  caches,
                                 waves->arrays,  WORD,         waves->loaded, waves->stored_turns};
    sums->early += partial_eviction_bytes(&stored, first, step);
    double once = caches->sector * fw_footprint_count(waves->sectors, &wave, 1, FW_NONE);
    double lines = caches->line * fw_footprint_count(waves->lines, &wave, 1, FW_NONE);
    double waves_lines = lines, stored_lines;
    if (waves->turns > 1 && lines > caches->l2_bytes / 4) {
        read = moved_in_turns(waves, first, step, true, &lines);
        once = read > once ? read : once;
        read = read > once_left ? read : once_left;
    }
    if (waves->stored_turns > 1 && waves_lines > caches->l2_bytes / 4)
        written = fmax(written, moved_in_turns(waves, first, step, false, &stored_lines));
    sums->written += written;
    sums->read += read;
    sums->squares += read * read;
    sums->once += once;
    sums->lines += lines;
    wave.of = FW_FOOTPRINT_STORES;
    sums->stored_lines += caches->line * fw_footprint_count(waves->lines, &wave, 1, FW_NONE);
    sums->blocks += (double)step;
    sums->samples++;
}

/* What of the last sample's loads is new to L2, by form. */
static void find_fresh(struct fw_volumes *volumes, const struct waves *waves,
                       const struct sums *sums)
{
    struct fw_window past[2];
    struct fw_window wave = {sums->first, sums->first + sums->step, 0, 1, FW_FOOTPRINT_LOADS};
    uint32_t count = past_of(waves, sums->first, sums->past, FW_FOOTPRINT_ALL, past);
    fw_footprint_new_shares(waves->fetches, past, count, &wave, volumes->l2_miss_share);
}

/* What blocks of one wave ask L2 for again, after it is gone. */
static double lost_in_wave(const struct sums *sums, const struct fw_volumes *volumes,
                           const struct fw_caches *caches, double blocks)
{
    double lines = (sums->lines + stored_share * sums->stored_lines) / sums->samples;
    double asked = volumes->l2_to_l1.bytes / blocks;
    double repeated = asked - sums->once / sums->blocks;
    return repeated > 0 ? repeated * blocks *
                              miss_share_in_wave(lines / caches->l2_bytes, caches->l2_sharpness)
                        : 0;
}

/* Bytes of loads that an identical launch before has left in L2: all else is read at least once,
 * whatever the sampled waves say. */
static double left_before(const struct waves *waves)
{
    const struct fw_caches *caches = waves->caches;
    struct fw_window windows[2];
    if (!caches->warm)
        return 0;
    int64_t length = remembered(waves, 0, waves->wave, waves->wave, caches->l2_bytes);
    uint32_t count = past_of(waves, 0, length, FW_FOOTPRINT_LOADS, windows);
    return caches->fetch * fw_footprint_count(waves->fetches, windows, count, FW_NONE);
}

/* The size that L2 acts with: less, the more of what a launch moves is stored (lines that have to
 * be sent away make no room for others as fast), from loads alone to a half of each. */
static double size_of_l2(const struct fw_caches *caches, double loaded, double stored)
{
    if (!(caches->l2_loads_bytes > 0) || !(loaded > 0))
        return caches->l2_bytes;
    double loads = 1 - fmin(1, 2 * stored / (loaded + stored));
    return caches->l2_bytes + loads * (caches->l2_loads_bytes - caches->l2_bytes);
}

void dram_launch_volume(struct fw_volumes *volumes, struct fw_arena *arena,
                        const struct fw_affine_accesses *accesses,
                        const struct fw_caches *of_device)
{
    struct fw_caches adapted = *of_device, *caches = &adapted;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct waves waves = {.caches = caches, .warm = caches->warm};
    struct sums sums = {0};
    waves.blocks = (int64_t)fw_affine_blocks(accesses);
    waves.wave = (int64_t)caches->multiprocessors * caches->resident_blocks;
    waves.wave = waves.wave < waves.blocks ? waves.wave : waves.blocks;
    waves.sectors = fw_footprint_new(arena, accesses, caches->sector);
    waves.fetches = fw_footprint_like(waves.sectors, caches->fetch);
    waves.lines = fw_footprint_like(waves.sectors, caches->line);
    waves.words = fw_footprint_like(waves.sectors, WORD);
    waves.arrays = accesses->arrays;
    waves.turns = turns_of(accesses, true);
    waves.stored_turns = turns_of(accesses, false);
    waves.loaded = FW_ARRAY(arena, bool, accesses->arrays + 1);
    for (uint32_t i = 0; i < accesses->count; i++)
        waves.loaded[accesses->at[i].array] |= accesses->at[i].direction == FW_LOAD;
    struct fw_window all = {0, waves.blocks, 0, 1, FW_FOOTPRINT_LOADS};
    double rectangle = 0;
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        double once = caches->fetch * fw_footprint_count(waves.fetches, &all, 1, a);
        rectangle += once;
        volumes->read_footprint += once * triangular_share(accesses, a, true);
    }
    all.of = FW_FOOTPRINT_STORES;
    volumes->write_footprint = caches->sector * fw_footprint_count(waves.sectors, &all, 1, FW_NONE);
    caches->l2_bytes = size_of_l2(of_device, rectangle, volumes->write_footprint);
    uint32_t samples = waves.blocks <= waves.wave ? 1 : SAMPLES;
    for (uint32_t s = 0; s < samples; s++)
        add_sample(&sums, &waves, samples == 1 ? 0 : sample_at(&waves, s, samples));
    double blocks = (double)waves.blocks, scale = blocks / sums.blocks;
    double mean = sums.read / sums.samples;
    double variance = sums.squares / sums.samples - mean * mean;
    volumes->sample_error = mean > 0 && variance > 0 ? sqrt(variance / sums.samples) / mean : 0;
    volumes->dram_read.compulsory =
        sums.read * scale * (rectangle > 0 ? volumes->read_footprint / rectangle : 1);
    if (volumes->dram_read.compulsory < volumes->read_footprint)
        volumes->dram_read.compulsory =
            fmax(volumes->dram_read.compulsory, volumes->read_footprint - left_before(&waves));
    volumes->dram_read.capacity = lost_in_wave(&sums, volumes, caches, blocks);
    volumes->dram_write.compulsory = sums.written * scale;
    volumes->fill_read = volumes->dram_write.compulsory * sums.part / sums.samples;
    volumes->partial_eviction_bytes = sums.early * scale;
    volumes->fill_read += volumes->partial_eviction_bytes;
    volumes->dram_write.capacity = volumes->partial_eviction_bytes;
    volumes->dram_read.bytes =
        volumes->dram_read.compulsory + volumes->dram_read.capacity + volumes->fill_read;
    volumes->dram_write.bytes = volumes->dram_write.compulsory + volumes->partial_eviction_bytes;
    volumes->wave_blocks = (double)waves.wave;
    find_fresh(volumes, &waves, &sums);
    volumes->wave_bytes = (sums.lines + sums.stored_lines) / sums.samples;
    volumes->exact = fw_footprint_exact(waves.sectors);
    fw_arena_release(arena, mark);
}
