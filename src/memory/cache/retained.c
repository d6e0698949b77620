/* What L2 holds of one launch when the next one begins: what it has not to read again, and what it
 * has not yet written to device memory.  Source of all: retained.cu in data/h200/retained. */
#include "waves.h"

#include "memory_sizes.h"

#include <math.h>

enum { WORD = FW_WORD_BYTES };

/* How far the blocks of a launch find in L2 what they have loaded themselves: those of a single
 * wave go where they went before, 1; but lines that are stored to take the place of others as they
 * do in launches of several waves, 0, as far as in the effective size of L2 (loads_share in
 * dram_volume.c). */
static double own_share(const struct waves *waves, double touched, double dirty)
{
    return is_single_wave(waves) && touched > 0 ? fmax(0, 1 - 2 * dirty / touched) : 0;
}

static double between_shares(double none, double all, double share)
{
    return none + share * fmax(0, all - none);
}

/* What L2 holds from launch to launch.  Blocks of several waves may go elsewhere: a line that a
 * multiprocessor of the other partition loads is held twice, the more often, the more blocks load
 * it
 * (`requests` for each byte); `own`: as own_share gives it.  Source: retained.cu in
 * data/h200/retained, whose launches request each byte once. */
static double retained_bytes(const struct waves *waves, double requests, double own)
{
    const struct fw_caches *caches = waves->caches;
    if (is_single_wave(waves))
        return between_shares(caches->retained_bytes, caches->retained_wave_bytes, own);
    double once = 1 / caches->retained_bytes - 1 / caches->whole_l2_bytes;
    double twice = caches->whole_l2_bytes * once;
    if (!(twice > 0 && twice < 1 && requests > 1))
        return caches->retained_bytes;
    return caches->whole_l2_bytes / (2 - pow(1 - twice, requests));
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
    double own_part = own_share(waves, touched, dirty);
    *loads = lost_share(touched, retained_bytes(waves, requests, own_part),
                        between_shares(sharpness, caches->l2_own_sharpness, own_part));
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        double own = fw_footprint_count(waves->lines, &all, 1, a);
        if (own > 0)
            lost +=
                own * written_between(caches, touched, dirty, stores_of_word(waves, accesses, a),
                                      (double)waves->blocks / (double)waves->wave);
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

/* Places of an array that stand for all, from its begin to its end. */
enum { PLACES = 8 };

static double place_of(int p)
{
    return (p + 0.5) / PLACES;
}

/* The share of what a launch stores that L2 writes before it ends, in the mean over its work. */
static double written_by_end(const struct fw_caches *caches, const struct fw_sequence *sequence)
{
    double touched = caches->local_bytes, dirty = caches->local_bytes, sum = 0;
    for (uint32_t a = 0; a < sequence->arrays; a++) {
        touched += sequence->touched[a];
        dirty += sequence->stored[a];
    }
    for (int p = 0; p < PLACES; p++)
        sum += written_share(caches, (1 - place_of(p)) * touched, (1 - place_of(p)) * dirty);
    return sum / PLACES;
}

/* Bytes that launches before have stored, and that L2 writes in this one, which needs their places:
 * up to where it stores to them itself. */
static double carried_writes(const struct fw_caches *caches, const struct fw_sequence *sequence)
{
    double sum = 0;
    for (size_t left = 0; left < fw_sequence_left(sequence); left++) {
        const double bytes = fw_sequence_left_bytes(sequence, left);
        const bool again = fw_sequence_stores_again(sequence, left);
        for (int p = 0; p < PLACES && bytes > 0; p++) {
            double shares[2];
            for (int end = 0; end < 2; end++) {
                const double part = !end ? 0 : again ? place_of(p) : 1;
                shares[end] = written_share(
                    caches, fw_sequence_passed(sequence, left, false, place_of(p), part),
                    fw_sequence_passed(sequence, left, true, place_of(p), part));
            }
            sum += bytes / PLACES * fmax(0, shares[1] - shares[0]);
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
    double requests = 1, loads = 0, found = 0, cold = read->compulsory;
    if (volumes->read_footprint > 0)
        requests = volumes->l2_to_l1.bytes / volumes->read_footprint;
    double own = is_single_wave(waves), size = retained_bytes(waves, requests, own);
    double sharpness = between_shares(caches->retained_sharpness, caches->l2_own_sharpness, own);
    struct fw_window all = {0, waves->blocks, 0, 1, FW_FOOTPRINT_ALL};
    for (uint32_t a = 0; a < arrays; a++) {
        all.of = FW_FOOTPRINT_ALL;
        sequence->touched[a] = caches->line * fw_footprint_count(waves->lines, &all, 1, a);
        all.of = FW_FOOTPRINT_STORES;
        sequence->stored[a] = caches->line * fw_footprint_count(waves->lines, &all, 1, a);
    }
    for (uint32_t a = 0; a < arrays; a++) {
        all.of = FW_FOOTPRINT_LOADS;
        double loaded = caches->fetch * fw_footprint_count(waves->fetches, &all, 1, a);
        lost[a] = 1;
        for (uint32_t layer = 0; layer < FW_SEQUENCE_LAYERS; layer++) {
            double since = fw_sequence_since(sequence, a, false, layer) + caches->local_bytes;
            if (!isinf(since))
                lost[a] -= fw_sequence_share(sequence, a, false, layer) *
                           (1 - lost_share(since, size, sharpness));
        }
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
