#include "waves.h"

#include "checked.h"
#include "loop_times.h"
#include "memory_sizes.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 6, ALIKE_SAMPLES = 3, MAX_STEPS = 24, WORD = FW_WORD_BYTES };

/* The share of a wave's time for which its stored lines occupy L2: blocks store at the end of their
 * lifetime. */
static const double stored_occupancy = 0.5;

/* A wave that occupies less than this share of L2 misses nothing that it has touched before. */
static const double least_occupancy = 0.25;

/* The range of sizes, relative to the cache, over which its hit probability is evaluated. */
static const double min_relative_size = 0.6, max_relative_size = 1.3;

/* The `length` blocks before block `first`, as far as there are. */
static struct fw_window history_of(int64_t first, int64_t length, enum fw_footprint_of of)
{
    return (struct fw_window){first > length ? first - length : 0, first, 0, 1, of};
}

/* Bytes of the lines of a history and half of the wave itself. */
static double lines_of(const struct waves *waves, int64_t first, int64_t length, int64_t step)
{
    struct fw_window history = history_of(first, length, FW_FOOTPRINT_ALL);
    double before = fw_footprint_count(waves->lines, &history, 1, FW_NONE);
    history.last = first + step;
    double with = fw_footprint_count(waves->lines, &history, 1, FW_NONE);
    return waves->caches->line * (before + with) / 2;
}

/* Granules of the wave that its history does not contain. */
static double new_granules(struct fw_footprint *footprint, int64_t first, int64_t length,
                           int64_t step, enum fw_footprint_of of)
{
    struct fw_window windows[2] = {history_of(first, length, FW_FOOTPRINT_ALL),
                                   {first, first + step, 0, 1, of}};
    double before = fw_footprint_count(footprint, windows, 1, FW_NONE);
    return fw_footprint_count(footprint, windows, 2, FW_NONE) - before;
}

/* The longest history of block `first` whose lines fit into `size` bytes, to a sixteenth; `guess`
 * is the first length to try.  The lines grow with the length, ever more slowly, so that
 * interpolation alternates with bisection. */
static int64_t fitting_history(const struct waves *waves, int64_t first, int64_t step,
                               int64_t guess, double size)
{
    int64_t low = 0, high = first + 1;
    double at_low = lines_of(waves, first, 0, step), at_high = -1;
    if (at_low > size)
        return 0;
    for (uint32_t i = 0; i < MAX_STEPS && high - low > 1 + low / 16; i++) {
        int64_t middle = guess;
        if (i > 0)
            middle =
                at_high > at_low
                    ? low + (int64_t)((size - at_low) / (at_high - at_low) * (double)(high - low))
                    : fw_saturated_add(fw_saturated_multiply(2, low), step / 4);
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

/* Evenly distributed, but out of step with any period of the grid. */
static int64_t sample_at(const struct waves *waves, uint32_t sample, uint32_t samples)
{
    double iteration = fmod(0.31 + sample * 0.6180339887498949, 1);
    int64_t at = fw_saturated_integer((sample + iteration) * (double)waves->blocks / samples);
    int64_t last = waves->blocks - waves->wave; /* the last one, and whole */
    return at < last ? at : last;
}

struct sums {
    double read, squares, written, partly_written, early, once, lines, stored_lines, samples,
        blocks;
    double distinct, wave_lines;  /* of waves: sectors that they load, and lines, in bytes */
    int64_t history, first, step; /* of the last sample */
};

/* The share of stored sectors that a run of blocks leaves partly written: L2 reads the rest from
 * device memory. */
static double partly_written_share(const struct waves *waves, int64_t first, int64_t last)
{
    struct fw_window run = {first > 0 ? first : 0, last, 0, 1, FW_FOOTPRINT_STORES};
    double all = 0, sum = 0, size = waves->caches->sector;
    for (uint32_t a = 0; a < waves->arrays; a++) {
        double sectors = fw_footprint_count(waves->sectors, &run, 1, a);
        double words = fw_footprint_count(waves->words, &run, 1, a);
        double partly_written = (sectors * size - words * WORD) /
                                (size / 2); /* the end of a row is half a sector on average */
        all += sectors;
        if (!waves->loaded[a]) /* loaded sectors are whole in L2 */
            sum += partly_written < sectors ? partly_written : sectors;
    }
    return all > 0 ? sum / all : 0;
}

/* Iterations of the longest outermost loop around loads or stores; 1: there is none.  Iterations of
 * a short loop may be accesses of their own. */
static int64_t iterations_of(const struct fw_affine_accesses *accesses, bool loads)
{
    int64_t iterations = 1;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        bool goes_on = access->loops && (access->trips[0] > 1 || access->split > 0);
        if (goes_on && fw_affine_is_load(access) == loads &&
            fw_affine_iterations(access) > iterations)
            iterations = fw_affine_iterations(access);
    }
    return iterations;
}

/* Iterations after which loops over neighbouring memory leave the fetches that they are in: few
 * sampled iterations would not tell how often that happens.  1: some loop leaves them at once. */
static int64_t iterations_in_fetch(const struct fw_affine_accesses *accesses, int64_t fetch)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        int64_t stride = access->loops ? fw_saturated_magnitude(access->loop_stride[0]) : 0;
        if (!fw_affine_is_load(access) || stride == 0 || access->trips[0] <= 1)
            continue;
        int64_t within = stride < fetch ? fetch / stride : 1;
        most = most == 0 || within < most ? within : most;
    }
    return most ? most : 1;
}

/* Granules of the wave that miss in L2: the mean over its hit probability, about the history that
 * fits.  Without a sharpness in the profile, L2 holds all of that history and nothing else. */
static double expected_new_granules(const struct waves *waves, struct fw_footprint *footprint,
                                    int64_t first, int64_t history, int64_t step,
                                    enum fw_footprint_of of)
{
    enum { POINTS = 6 };
    const struct fw_caches *caches = waves->caches;
    struct miss_curve curve = {.count = 0};
    if (!(caches->l2_sharpness > 0))
        return new_granules(footprint, first, history, step, of);
    int64_t low =
        fitting_history(waves, first, step, history, min_relative_size * caches->l2_bytes);
    int64_t high =
        fitting_history(waves, first, step, history + 1, max_relative_size * caches->l2_bytes);
    for (int64_t i = 0; i < POINTS; i++) {
        int64_t length = low + fw_part_of(high - low, i, POINTS - 1);
        struct miss_point *point = &curve.at[curve.count++];
        point->history = lines_of(waves, first, length, step);
        point->misses = new_granules(footprint, first, length, step, of);
        if (length >= first || low == high) /* there is no longer history */
            break;
    }
    return miss_curve_bytes(&curve, caches->l2_bytes, caches->l2_sharpness);
}

/* `l2_to_l1`: bytes that the launch asks L2 for. */
static void add_sample(struct sums *sums, const struct waves *waves, double l2_to_l1, int64_t first,
                       struct fw_arena *arena)
{
    const struct fw_caches *caches = waves->caches;
    int64_t step = waves->wave < waves->blocks - first ? waves->wave : waves->blocks - first;
    double requested = l2_to_l1 * (double)step / (double)waves->blocks;
    int64_t history =
        fitting_history(waves, first, step, sums->history ? sums->history : step, caches->l2_bytes);
    sums->history = history;
    sums->first = first;
    sums->step = step;
    struct fw_window wave = {first, first + step, 0, 1, FW_FOOTPRINT_LOADS};
    double read = caches->fetch * expected_new_granules(waves, waves->fetches, first, history, step,
                                                        FW_FOOTPRINT_LOADS);
    double once_left = read;
    double written =
        caches->sector * new_granules(waves->sectors, first, history, step, FW_FOOTPRINT_STORES);
    sums->partly_written += partly_written_share(waves, first - history, first + step);
    struct wave_stores stored = {.sectors = waves->sectors,
                                 .words = waves->words,
                                 .lines = waves->lines,
                                 .caches = caches,
                                 .arrays = waves->arrays,
                                 .word = WORD,
                                 .loaded = waves->loaded,
                                 .iterations = waves->store_iterations,
                                 .warps = waves->warps,
                                 .parts = waves->store_parts};
    sums->early += partial_eviction_bytes(&stored, first, step);
    double once = caches->sector * fw_footprint_count(waves->sectors, &wave, 1, FW_NONE);
    sums->distinct += once;
    double lines = caches->line * fw_footprint_count(waves->lines, &wave, 1, FW_NONE);
    double waves_lines = lines, stored_lines;
    if (waves->iterations > 1 && lines > least_occupancy * caches->l2_bytes) {
        double distinct = caches->fetch * fw_footprint_count(waves->fetches, &wave, 1, FW_NONE);
        read = moved_in_step(waves, first, step, true, distinct, &lines);
        read = fmin(read, fmax(distinct, requested)); /* L1 has the rest */
        once = read > once ? read : once;
        if (is_single_wave(waves))
            read = fmax(read, distinct);
        else {
            const bool stays = wave_stays(waves, first, step);
            read = stays ? fmax(read - distinct, 0) + once_left : fmax(read, once_left);
            if (waves_drift(waves) && first > 0 && step == waves->wave)
                read =
                    fmin(read + moved_apart(waves, first, stays, arena), fmax(distinct, requested));
        }
    }
    if (waves->store_iterations > 1 && waves_lines > least_occupancy * caches->l2_bytes) {
        wave.of = FW_FOOTPRINT_STORES;
        double distinct = caches->sector * fw_footprint_count(waves->sectors, &wave, 1, FW_NONE);
        double moved = moved_in_step(waves, first, step, false, distinct, &stored_lines);
        written = fmax(is_single_wave(waves) ? distinct : written, moved);
    }
    sums->written += written;
    sums->read += read;
    sums->squares += read * read;
    sums->once += once;
    sums->lines += lines;
    wave.of = FW_FOOTPRINT_STORES;
    stored_lines = caches->line * fw_footprint_count(waves->lines, &wave, 1, FW_NONE);
    sums->wave_lines += waves_lines + stored_lines;
    if (waves->iterations > 1) /* as the loaded ones: those of an iteration */
        stored_lines /= (double)waves->store_iterations;
    sums->stored_lines += stored_lines;
    sums->blocks += (double)step;
    sums->samples++;
}

/* The share of each load's data that miss in L2, from the last sample. */
static void find_l2_miss_shares(struct fw_volumes *volumes, const struct waves *waves,
                                const struct sums *sums)
{
    struct fw_window history = history_of(sums->first, sums->history, FW_FOOTPRINT_ALL);
    struct fw_window wave = {sums->first, sums->first + sums->step, 0, 1, FW_FOOTPRINT_LOADS};
    fw_footprint_new_shares(waves->fetches, &history, 1, &wave, volumes->l2_miss_share);
}

/* Bytes that blocks of one wave request again after L2 has evicted them. */
static double evicted_in_wave(const struct sums *sums, const struct fw_volumes *volumes,
                              const struct fw_caches *caches, double blocks)
{
    double lines = (sums->lines + stored_occupancy * sums->stored_lines) / sums->samples;
    double requested = volumes->l2_to_l1.bytes / blocks;
    double repeated = requested - sums->once / sums->blocks;
    return repeated > 0 ? repeated * blocks *
                              miss_share_in_wave(lines / caches->l2_bytes, caches->l2_sharpness)
                        : 0;
}

/* Bytes that several blocks of one wave load, and that L2 evicts between their loads because the
 * blocks have drifted apart in a loop: up to a share of all that the wave moves, evenly
 * distributed. A block that is ahead waits for data which the others then find, so that blocks
 * which share more of their loads stay closer. */
static double drifted_apart(const struct sums *sums, const struct waves *waves,
                            const struct fw_volumes *volumes)
{
    enum { POINTS = 8 };
    const struct fw_caches *caches = waves->caches;
    double requested = volumes->l2_to_l1.compulsory / (double)waves->blocks;
    double distinct = sums->distinct / sums->blocks, sum = 0;
    if (waves->iterations <= 1 || !(requested > distinct))
        return 0;
    double most = caches->block_drift * distinct / requested * sums->wave_lines / sums->samples;
    for (uint32_t p = 0; p < POINTS; p++)
        sum += miss_probability((p + 0.5) / POINTS * most, caches->l2_bytes, caches->l2_sharpness);
    return (requested - distinct) * (double)waves->blocks * sum / POINTS;
}

/* The effective size of L2.  It shrinks as the stored share of what a launch moves grows from 0 to
 * a half: dirty lines must be written back before they make room. */
static double effective_l2_bytes(const struct fw_caches *caches, double loaded, double stored)
{
    if (!(caches->l2_loads_bytes > 0) || !(loaded > 0))
        return caches->l2_bytes;
    double loads = 1 - fmin(1, 2 * stored / (loaded + stored));
    return caches->l2_bytes + loads * (caches->l2_loads_bytes - caches->l2_bytes);
}

static struct waves waves_of(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                             const struct fw_caches *caches)
{
    struct waves waves = {.caches = caches, .arrays = accesses->arrays};
    waves.blocks = (int64_t)fw_affine_blocks(accesses);
    waves.wave = (int64_t)caches->multiprocessors * caches->resident_blocks;
    waves.wave = waves.wave < waves.blocks ? waves.wave : waves.blocks;
    waves.sectors = fw_footprint_new(arena, accesses, caches->sector);
    waves.fetches = fw_footprint_like(waves.sectors, caches->fetch);
    waves.lines = fw_footprint_like(waves.sectors, caches->line);
    waves.words = fw_footprint_like(waves.sectors, WORD);
    waves.warps = ((int64_t)accesses->block[0] * accesses->block[1] * accesses->block[2] - 1) /
                      (caches->warp ? caches->warp : FW_WARP_THREADS) +
                  1;
    waves.iterations = iterations_of(accesses, true);
    waves.group = iterations_in_fetch(accesses, caches->fetch);
    waves.store_iterations = iterations_of(accesses, false);
    waves.loaded = FW_ARRAY(arena, bool, accesses->arrays + 1);
    for (uint32_t i = 0; i < accesses->count; i++)
        waves.loaded[accesses->at[i].array] |= fw_affine_is_load(&accesses->at[i]);
    for (uint32_t i = 0; i < accesses->count; i++)
        waves.in_place |=
            !fw_affine_is_load(&accesses->at[i]) && waves.loaded[accesses->at[i].array];
    return waves;
}

/* Sets the footprints of the launch.  Gives that of the loads before loops that are bounded by an
 * index of the launch reduce it. */
static double find_footprints(struct fw_volumes *volumes, const struct waves *waves,
                              const struct fw_affine_accesses *accesses)
{
    const struct fw_caches *caches = waves->caches;
    struct fw_window all = {0, waves->blocks, 0, 1, FW_FOOTPRINT_LOADS};
    double rectangle = 0;
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        double once = caches->fetch * fw_footprint_count(waves->fetches, &all, 1, a);
        rectangle += once;
        volumes->read_footprint += once * triangular_share(accesses, a, true);
    }
    all.of = FW_FOOTPRINT_STORES;
    volumes->write_footprint =
        caches->sector * fw_footprint_count(waves->sectors, &all, 1, FW_NONE);
    return rectangle;
}

/* Bytes of fetches that blocks load and that they have stored before, outside of loops: a ring that
 * is set to zero first.  L2 holds them, as far as it holds what a wave stores in this way. */
static double stored_before(struct fw_arena *arena, const struct waves *waves,
                            const struct fw_affine_accesses *accesses)
{
    const struct fw_caches *caches = waves->caches;
    struct fw_affine_accesses some = *accesses;
    bool *loaded = FW_ARRAY(arena, bool, accesses->arrays + 1);
    bool *stored = FW_ARRAY(arena, bool, accesses->arrays + 1), any = false;
    uint32_t stores = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        stores += !fw_affine_is_load(&accesses->at[i]);
    if (!stores)
        return 0;
    some.at = FW_ARRAY(arena, struct fw_affine_access, accesses->count + 1);
    some.count = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        bool load = fw_affine_is_load(access);
        bool first = !load && !loaded[access->array] && access->loops == 0;
        if (first || (load && stored[access->array]))
            some.at[some.count++] = *access;
        any |= load && stored[access->array];
        loaded[access->array] |= load;
        stored[access->array] |= first;
    }
    if (!any)
        return 0;
    struct fw_footprint *fetches = fw_footprint_new(arena, &some, caches->fetch);
    struct fw_window window = {0, waves->blocks, 0, 1, FW_FOOTPRINT_ALL};
    double all = fw_footprint_count(fetches, &window, 1, FW_NONE);
    window.of = FW_FOOTPRINT_LOADS;
    double both = fw_footprint_count(fetches, &window, 1, FW_NONE) - all;
    window.of = FW_FOOTPRINT_STORES;
    both += fw_footprint_count(fetches, &window, 1, FW_NONE);
    double wave = caches->fetch * fw_footprint_count(fetches, &window, 1, FW_NONE) *
                  (double)waves->wave / (double)waves->blocks;
    return caches->fetch * fmax(0, both) *
           (1 - miss_probability(wave, caches->l2_bytes, caches->l2_sharpness));
}

/* The bytes of the distinct fetches of a run of blocks' loads, by those of their distinct sectors.
 */
static double density_of(const struct waves *waves, int64_t first, int64_t end)
{
    struct fw_window run = {first, end, 0, 1, FW_FOOTPRINT_LOADS};
    double sectors = waves->caches->sector * fw_footprint_count(waves->sectors, &run, 1, FW_NONE);
    double fetches = waves->caches->fetch * fw_footprint_count(waves->fetches, &run, 1, FW_NONE);
    return sectors > 0 ? fmax(1, fetches / sectors) : 1;
}

/* The same of the launch or of the wave in its middle, whichever is more: a table whose entries are
 * fetches of their own is a small part of what a launch touches, and a large one of what its waves
 * read again and again. */
static double fetch_density(const struct waves *waves)
{
    int64_t middle = (waves->blocks - waves->wave) / 2;
    return fmax(density_of(waves, 0, waves->blocks),
                middle > 0 ? density_of(waves, middle, middle + waves->wave) : 1);
}

/* Whether a sample agrees with the mean of those before in what it reads, writes and occupies. */
static bool is_alike(const struct sums *before, const struct sums *now)
{
    static const double alike = 0.005;
    const double one[] = {now->read - before->read,
                          now->written - before->written,
                          now->partly_written - before->partly_written,
                          now->early - before->early,
                          now->once - before->once,
                          now->lines - before->lines,
                          now->stored_lines - before->stored_lines,
                          now->blocks - before->blocks};
    const double all[] = {before->read, before->written, before->partly_written, before->early,
                          before->once, before->lines,   before->stored_lines,   before->blocks};
    for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++)
        if (fabs(one[i] - all[i] / before->samples) > alike * all[i] / before->samples)
            return false;
    return true;
}

/* Adds all waves of a launch that has few, or samples them: of each part of it one.  Where that in
 * the first part, which has the shortest history, one in the middle and that in the last part are
 * alike, all are. */
static void add_samples(struct sums *sums, const struct waves *waves, double l2_to_l1,
                        struct fw_arena *arena)
{
    static const uint32_t order[SAMPLES] = {0, SAMPLES / 2, SAMPLES - 1, 1, 2, 4};
    const int64_t count = (waves->blocks + waves->wave - 1) / waves->wave;
    bool alike = true;
    if (count <= SAMPLES) {
        for (int64_t s = 0; s < count && !(s && waves_are_spent(waves)); s++)
            add_sample(sums, waves, l2_to_l1, s * waves->wave, arena);
        return;
    }
    for (uint32_t s = 0; s < SAMPLES && !(s && waves_are_spent(waves)); s++) {
        const struct sums before = *sums;
        if (s == ALIKE_SAMPLES && alike)
            return;
        add_sample(sums, waves, l2_to_l1, sample_at(waves, order[s], SAMPLES), arena);
        alike &= s == 0 || is_alike(&before, sums);
        if (s && before.first > sums->first) { /* the last one in the launch stands for all */
            sums->first = before.first;
            sums->step = before.step;
            sums->history = before.history;
        }
    }
}

/* Scales the sampled waves to the launch; `rectangle`: as find_footprints gives it; `lost`: room
 * for a number an array. */
static void set_dram_volumes(struct fw_volumes *volumes, const struct sums *sums,
                             const struct waves *waves, const struct fw_affine_accesses *accesses,
                             double rectangle, double stored_first, double *lost)
{
    double blocks = (double)waves->blocks, scale = blocks / sums->blocks;
    double mean = sums->read / sums->samples;
    double variance = sums->squares / sums->samples - mean * mean;
    struct fw_volume *read = &volumes->dram_read, *write = &volumes->dram_write;
    volumes->sample_error = mean > 0 && variance > 0 ? sqrt(variance / sums->samples) / mean : 0;
    read->compulsory =
        sums->read * scale * (rectangle > 0 ? volumes->read_footprint / rectangle : 1);
    read->compulsory = fmax(read->compulsory, volumes->read_footprint);
    read->compulsory -= fmin(read->compulsory, stored_first);
    read->capacity = fmax(evicted_in_wave(sums, volumes, waves->caches, blocks),
                          drifted_apart(sums, waves, volumes));
    write->compulsory = sums->written * scale;
    find_l2_miss_shares(volumes, waves, sums);
    retained_take(volumes, waves, accesses, stored_first, lost);
    volumes->fill_read = write->compulsory * sums->partly_written / sums->samples;
    volumes->partial_eviction_bytes = sums->early * scale;
    volumes->fill_read += volumes->partial_eviction_bytes;
    write->capacity = volumes->partial_eviction_bytes;
    read->bytes = read->compulsory + read->capacity + volumes->fill_read;
    write->compulsory += volumes->carried_write;
    write->bytes = write->compulsory + volumes->partial_eviction_bytes;
}

void dram_launch_volume(struct fw_volumes *volumes, struct fw_arena *arena,
                        const struct fw_affine_accesses *launch, const struct fw_caches *of_device)
{
    struct fw_caches caches = *of_device;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    const struct fw_affine_accesses *accesses = loops_at_one_pace(arena, launch);
    struct waves waves = waves_of(arena, accesses, &caches);
    waves.store_parts = volumes->store_parts;
    struct sums sums = {0};
    double rectangle = find_footprints(volumes, &waves, accesses);
    caches.l2_bytes = effective_l2_bytes(of_device, rectangle, volumes->write_footprint);
    add_samples(&sums, &waves, volumes->l2_to_l1.bytes, arena);
    set_dram_volumes(volumes, &sums, &waves, accesses, rectangle,
                     stored_before(arena, &waves, accesses),
                     FW_ARRAY(arena, double, accesses->arrays + 1));
    volumes->fetch_density = 1;
    if (fmax(volumes->read_footprint, volumes->dram_read.compulsory) > volumes->l2_to_l1.bytes)
        volumes->fetch_density = fetch_density(&waves);
    volumes->wave_blocks = (double)waves.wave;
    volumes->wave_bytes = (sums.lines + sums.stored_lines) / sums.samples;
    volumes->exact = fw_footprint_exact(waves.sectors);
    volumes->fewer_samples = waves_are_spent(&waves);
    volumes->waves = (uint32_t)sums.samples;
    fw_arena_release(arena, mark);
}
