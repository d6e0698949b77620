/* What L2 holds of one launch when the next one begins: what it has not to read again, and what it
 * has not yet written to device memory.  Source of all: retained.cu in data/h200/retained. */
#include "waves.h"

#include "memory_sizes.h"

#include <math.h>

enum { WORD = FW_WORD_BYTES, SEVERAL = 4 /* blocks, of l2_retained_several */ };

/* Lines that are stored to count so much more than others, of what blocks of a single wave no
 * longer find of their own.  Source: rounds in data/h100/again, whose waves store half of their
 * lines and keep them as launches do of which the share is 0.4. */
static const double stored_weight = 1.2;

/* How far the blocks of a launch go where they went in the launch before: those of a single wave
 * do, 1; of two waves hardly more than others, 0. */
static double single_share(const struct waves *waves)
{
    return fmin(1, fmax(0, 2 - (double)waves->blocks / (double)waves->wave));
}

/* How far they find in L2 what they have loaded themselves: lines that are stored to take the place
 * of others as they do in launches of several waves. */
static double own_share(double single, double touched, double dirty)
{
    return touched > 0 ? single * fmax(0, 1 - stored_weight * dirty / touched) : 0;
}

static double between_shares(double none, double all, double share)
{
    return none + share * fmax(0, all - none);
}

/* What L2 holds from launch to launch.  Blocks of several waves may go elsewhere: a line that a
 * multiprocessor of the other partition loads is held twice, the more often, the more blocks load
 * it (`requests` for each byte).  `single`, `own`: as single_share and own_share give them. Source:
 * retained.cu in data/h200/retained, whose launches request each byte once. */
static double retained_bytes(const struct fw_caches *caches, double requests, double single,
                             double own)
{
    double several = caches->retained_bytes;
    double once = 1 / caches->retained_bytes - 1 / caches->whole_l2_bytes;
    double twice = caches->whole_l2_bytes * once;
    if (twice > 0 && twice < 1 && requests > 1)
        several = caches->whole_l2_bytes / (2 - pow(1 - twice, requests));
    return between_shares(between_shares(several, caches->retained_bytes, single),
                          caches->retained_wave_bytes, own);
}

/* How often a launch stores to each word of an array that it stores to. */
static double stores_of_word(const struct waves *waves, const struct fw_affine_accesses *accesses,
                             uint32_t array)
{
    struct fw_window all = {0, waves->blocks, 0, 1, FW_FOOTPRINT_STORES};
    double distinct = WORD * fw_footprint_count(waves->words, &all, 1, array), sum = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->array != array || fw_affine_is_load(access))
            continue;
        double times = fw_affine_threads(access, accesses) * access->active_share * access->repeats;
        for (uint32_t l = 0; l < access->loops; l++)
            times *= (double)access->trips[l];
        sum += times * access->bytes;
    }
    return distinct > 0 ? fmax(1, sum / distinct) : 1;
}

/* The shares of what a launch loads and stores for the first time that L2 no longer holds of an
 * identical launch before: between the same accesses of the two, all that a launch touches was
 * touched, or less, where it stores to the same words throughout. */
static void shares_not_left(struct fw_volumes *volumes, const struct waves *waves,
                            const struct fw_affine_accesses *accesses, double *loads)
{
    const struct fw_caches *caches = waves->caches;
    struct fw_window all = {0, waves->blocks, 0, 1, FW_FOOTPRINT_ALL};
    double touched = caches->line * fw_footprint_count(waves->lines, &all, 1, FW_NONE);
    all.of = FW_FOOTPRINT_STORES;
    double dirty = caches->line * fw_footprint_count(waves->lines, &all, 1, FW_NONE), lost = 0;
    double sharpness = caches->retained_sharpness, requests = 1, lines = 0;
    if (volumes->read_footprint > 0)
        requests = volumes->l2_to_l1.bytes / volumes->read_footprint;
    touched += caches->local_bytes;
    dirty += caches->local_bytes;
    double single = single_share(waves), own_part = own_share(single, touched, dirty);
    *loads = lost_share(touched, retained_bytes(caches, requests, single, own_part),
                        between_shares(sharpness, caches->l2_own_sharpness, own_part));
    const struct between_launches between = {
        (double)waves->blocks / (double)waves->wave, single,
        retained_bytes(caches, 1, 1, own_share(1, touched, dirty))};
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        double own = fw_footprint_count(waves->lines, &all, 1, a);
        if (own > 0)
            lost += own * written_between(caches, touched, dirty,
                                          stores_of_word(waves, accesses, a), &between);
        lines += own;
    }
    volumes->stores_lost = lines > 0 ? lost / lines : 1;
    volumes->touched_between = touched;
    volumes->dirty_between = dirty;
}

/* Takes from the volumes of a launch with empty caches what an identical launch before has left. */
static void take_what_is_left(struct fw_volumes *volumes, const struct waves *waves,
                              const struct fw_affine_accesses *accesses, double stored_first)
{
    struct fw_volume *read = &volumes->dram_read, *write = &volumes->dram_write;
    double loads, cold = read->compulsory;
    shares_not_left(volumes, waves, accesses, &loads);
    read->compulsory -= (1 - loads) * fmin(cold, fmax(0, volumes->read_footprint - stored_first));
    write->compulsory -=
        (1 - volumes->stores_lost) * fmin(write->compulsory, volumes->write_footprint);
    for (uint32_t i = 0; i < accesses->count && cold > 0; i++)
        volumes->l2_miss_share[i] *= read->compulsory / cold;
}

double lost_since(const struct fw_caches *caches, uint32_t array, uint32_t layer)
{
    const struct fw_sequence *sequence = caches->sequence;
    const bool same_wave = fw_sequence_same_wave(sequence, array, layer);
    const double size = retained_bytes(caches, 1, same_wave, same_wave);
    double sharpness = caches->retained_sharpness, sum = 0;
    if (same_wave)
        sharpness = fmax(sharpness, caches->l2_own_sharpness);
    for (int p = 0; p < FW_SEQUENCE_PLACES; p++) {
        const double since = fw_sequence_since(sequence, array, false, layer, fw_sequence_place(p));
        sum += isinf(since) ? 1 : lost_share(since + caches->local_bytes, size, sharpness);
    }
    return sum / FW_SEQUENCE_PLACES;
}

/* What L2 gives to a byte of an array, over what it gives where one block loads each line.  A line
 * that multiprocessors of both partitions load is held twice: the more often, the more blocks load
 * it, as many as of this block's in the mean.  Source: read and read_sectors in data/h100/kept. */
static double taken_of_l2(const struct waves *waves, uint32_t array, double lines)
{
    const double several = waves->caches->several;
    struct fw_window one = {waves->blocks / 2, waves->blocks / 2 + 1, 0, 1, FW_FOOTPRINT_LOADS};
    if (!(several > 1) || !waves->loaded[array] || !(lines > 0))
        return 1;
    const double blocks =
        (double)waves->blocks * fw_footprint_count(waves->lines, &one, 1, array) / lines;
    return 1 + (several - 1) * (1 - exp2(1 - fmax(1, blocks))) / (1 - exp2(1 - SEVERAL));
}

/* Bytes of lines that the launch touches of each array, and stores to: boxes around addresses are
 * larger than what they enclose, and nothing is touched that is not requested. */
static void find_own(struct fw_sequence *sequence, const struct fw_volumes *volumes,
                     const struct waves *waves, uint32_t arrays)
{
    const double line = waves->caches->line;
    const double loads = fmin(1, volumes->l2_to_l1.bytes / fmax(1, volumes->read_footprint));
    const double stores = fmin(1, volumes->l1_to_l2 / fmax(1, volumes->write_footprint));
    struct fw_window all = {0, waves->blocks, 0, 1, FW_FOOTPRINT_ALL};
    sequence->wave = is_single_wave(waves) ? (double)waves->blocks : 0;
    for (uint32_t a = 0; a < arrays; a++) {
        all.of = FW_FOOTPRINT_ALL;
        const double lines = fw_footprint_count(waves->lines, &all, 1, a);
        sequence->touched[a] = (waves->loaded[a] ? loads : stores) * line * lines;
        sequence->takes[a] = taken_of_l2(waves, a, lines);
        all.of = FW_FOOTPRINT_STORES;
        sequence->stored[a] = stores * line * fw_footprint_count(waves->lines, &all, 1, a);
    }
}

/* The share of what a launch stores that L2 writes before it ends, in the mean over its work. */
static double written_by_end(const struct fw_caches *caches, const struct fw_sequence *sequence)
{
    double touched = caches->local_bytes, dirty = caches->local_bytes, sum = 0;
    for (uint32_t a = 0; a < sequence->arrays; a++) {
        touched += sequence->touched[a];
        dirty += sequence->stored[a];
    }
    for (int p = 0; p < FW_SEQUENCE_PLACES; p++)
        sum += written_share(caches, (1 - fw_sequence_place(p)) * touched,
                             (1 - fw_sequence_place(p)) * dirty);
    return sum / FW_SEQUENCE_PLACES;
}

/* Bytes that launches before have stored, and that L2 writes in this one, which needs their places:
 * up to where it stores to them itself. */
static double carried_writes(const struct fw_caches *caches, const struct fw_sequence *sequence)
{
    double sum = 0;
    for (size_t left = 0; left < fw_sequence_left(sequence); left++) {
        const double bytes = fw_sequence_left_bytes(sequence, left);
        const bool again = fw_sequence_stores_again(sequence, left);
        for (int p = 0; p < FW_SEQUENCE_PLACES && bytes > 0; p++) {
            double shares[2];
            for (int end = 0; end < 2; end++) {
                const double part = !end ? 0 : again ? fw_sequence_place(p) : 1;
                shares[end] = written_share(
                    caches, fw_sequence_passed(sequence, left, false, fw_sequence_place(p), part),
                    fw_sequence_passed(sequence, left, true, fw_sequence_place(p), part));
            }
            sum += bytes / FW_SEQUENCE_PLACES * fmax(0, shares[1] - shares[0]);
        }
    }
    return sum;
}

/* The same of what other launches before have left, array by array. */
static void take_from_sequence(struct fw_volumes *volumes, const struct waves *waves,
                               const struct fw_affine_accesses *accesses, double stored_first,
                               double *lost)
{
    const struct fw_caches *caches = waves->caches;
    struct fw_sequence *sequence = caches->sequence;
    struct fw_volume *read = &volumes->dram_read, *write = &volumes->dram_write;
    uint32_t arrays = accesses->arrays < sequence->arrays ? accesses->arrays : sequence->arrays;
    double loads = 0, found = 0, cold = read->compulsory;
    struct fw_window all = {0, waves->blocks, 0, 1, FW_FOOTPRINT_LOADS};
    find_own(sequence, volumes, waves, arrays);
    for (uint32_t a = 0; a < arrays; a++) {
        double loaded = caches->fetch * fw_footprint_count(waves->fetches, &all, 1, a);
        lost[a] = 1;
        for (uint32_t layer = 0; layer < FW_SEQUENCE_LAYERS; layer++)
            lost[a] -=
                fw_sequence_share(sequence, a, false, layer) * (1 - lost_since(caches, a, layer));
        found += loaded * (1 - lost[a]);
        loads += loaded;
    }
    if (loads > 0)
        read->compulsory -=
            found / loads * fmin(cold, fmax(0, volumes->read_footprint - stored_first));
    volumes->stores_lost = written_by_end(caches, sequence);
    write->compulsory -=
        (1 - volumes->stores_lost) * fmin(write->compulsory, volumes->write_footprint);
    volumes->carried_write = carried_writes(caches, sequence);
    double again = cold > 0 ? fmin(1, volumes->read_footprint / cold) : 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].array < arrays)
            volumes->l2_miss_share[i] *= 1 - again * (1 - lost[accesses->at[i].array]);
}

void retained_take(struct fw_volumes *volumes, const struct waves *waves,
                   const struct fw_affine_accesses *accesses, double stored_first, double *lost)
{
    volumes->stores_lost = 1;
    volumes->touched_between = volumes->dirty_between = volumes->carried_write = 0;
    if (waves->caches->warm)
        take_what_is_left(volumes, waves, accesses, stored_first);
    else if (waves->caches->sequence)
        take_from_sequence(volumes, waves, accesses, stored_first, lost);
}
