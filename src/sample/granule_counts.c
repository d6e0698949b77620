#include "granule_counts.h"

#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SLOTS = 32768, MOST = SLOTS / 2, SECTOR = 32 /* bytes */, LANES = 32, MANY = 3 };

/* A granule, and the passes over its sectors. */
struct slot {
    uint64_t granule;
    uint32_t last, seen; /* the last block that came to it; how many did, 3 at most: 0: no granule
                            has the slot */
    double own;          /* of the block that came last */
    double sum;          /* of all blocks */
    double squares;      /* of blocks' own, but for the last one's */
};

struct fw_granule_counts {
    uint64_t bytes; /* of a granule */
    uint32_t kept;  /* granules */
    uint32_t level; /* one of 2^level granules is kept */
    struct slot *slots;
};

struct fw_granule_counts *fw_granule_counts_new(struct fw_arena *arena, uint64_t bytes)
{
    struct fw_granule_counts *counts = FW_NEW(arena, struct fw_granule_counts);
    *counts = (struct fw_granule_counts){.bytes = bytes > SECTOR ? bytes : SECTOR,
                                         .slots = FW_ARRAY(arena, struct slot, SLOTS)};
    return counts;
}

static uint64_t hash_of(uint64_t granule)
{
    struct fw_random mixed = {granule};
    return fw_random_next(&mixed);
}

static bool is_kept(const struct fw_granule_counts *counts, uint64_t hash)
{
    return !(hash & (((uint64_t)1 << counts->level) - 1));
}

static struct slot *slot_of(const struct fw_granule_counts *counts, uint64_t granule, uint64_t hash)
{
    uint64_t at = hash >> 32;
    while (counts->slots[at % SLOTS].seen && counts->slots[at % SLOTS].granule != granule)
        at++;
    return &counts->slots[at % SLOTS];
}

/* Keeps half of the granules.  What is left is put in again from a granule whose slot is free. */
static void thin(struct fw_granule_counts *counts)
{
    uint32_t first = 0;
    counts->level++;
    counts->kept = 0;
    while (counts->slots[first].seen)
        first++;
    for (uint32_t i = 1; i <= SLOTS; i++) {
        struct slot one = counts->slots[(first + i) % SLOTS];
        if (!one.seen)
            continue;
        counts->slots[(first + i) % SLOTS].seen = 0;
        const uint64_t hash = hash_of(one.granule);
        if (!is_kept(counts, hash))
            continue;
        *slot_of(counts, one.granule, hash) = one;
        counts->kept++;
    }
}

static void add(struct fw_granule_counts *counts, uint32_t block, uint64_t granule, double passes)
{
    const uint64_t hash = hash_of(granule);
    if (!is_kept(counts, hash))
        return;
    struct slot *slot = slot_of(counts, granule, hash);
    if (!slot->seen) {
        *slot = (struct slot){.granule = granule, .last = block, .seen = 1};
        counts->kept++;
    }
    if (slot->last != block) {
        slot->squares += slot->own * slot->own;
        slot->own = 0;
        slot->last = block;
        slot->seen += slot->seen < MANY;
    }
    slot->own += passes;
    slot->sum += passes;
    while (counts->kept == MOST)
        thin(counts);
}

void fw_granule_counts_see(struct fw_granule_counts *counts, uint32_t block, uint32_t mask,
                           const uint64_t *addresses, uint32_t bytes)
{
    struct {
        uint64_t word;
        uint32_t lanes;
    } words[LANES];
    struct {
        uint64_t sector;
        uint32_t passes;
    } sectors[LANES];
    uint32_t word_count = 0, sector_count = 0;
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
        const uint64_t word = addresses[__builtin_ctz(lanes)] / (bytes ? bytes : 1);
        uint32_t w = word_count;
        while (w > 0 && words[w - 1].word != word)
            w--;
        if (w == 0) {
            w = ++word_count;
            words[w - 1].word = word;
            words[w - 1].lanes = 0;
        }
        words[w - 1].lanes++;
    }
    for (uint32_t w = 0; w < word_count; w++) {
        const uint64_t sector = words[w].word * (bytes ? bytes : 1) / SECTOR;
        uint32_t s = sector_count;
        while (s > 0 && sectors[s - 1].sector != sector)
            s--;
        if (s == 0) {
            s = ++sector_count;
            sectors[s - 1].sector = sector;
            sectors[s - 1].passes = 0;
        }
        if (sectors[s - 1].passes < words[w].lanes)
            sectors[s - 1].passes = words[w].lanes;
    }
    for (uint32_t s = 0; s < sector_count; s++)
        add(counts, block, sectors[s].sector * SECTOR / counts->bytes, sectors[s].passes);
}

/* Granules that all blocks come to, of those that are kept: Chao's estimate (working_set.h). */
static double granules_of(const struct fw_granule_counts *counts, double blocks, double all)
{
    double once = 0, twice = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        once += counts->slots[i].seen == 1;
        twice += counts->slots[i].seen == 2;
    }
    if (blocks >= all)
        return counts->kept;
    double unseen = twice > 0 ? once * once / (2 * twice) : once * (once - 1) / 2;
    return counts->kept + unseen * (blocks - 1) / blocks;
}

/* By how much deviations from the mean of a granule are to be taken smaller, for the sum of squares
 * to be that of all blocks: of a granule's passes x in single blocks, the pairs of different blocks
 * and the blocks by themselves each stand for as many of the launch's.  All in passes of the
 * sample. */
static double drawn_to_mean(const struct fw_granule_counts *counts, double blocks, double all,
                            double mean, double granules)
{
    const double each = blocks / all, pairs = (1 - 1 / all) / (1 - 1 / blocks);
    double seen = -mean * mean * granules, right = seen;
    for (uint32_t i = 0; i < SLOTS; i++) {
        const struct slot *slot = &counts->slots[i];
        if (!slot->seen)
            continue;
        const double squares = slot->squares + slot->own * slot->own;
        seen += slot->sum * slot->sum;
        right += each * squares + pairs * (slot->sum * slot->sum - squares);
    }
    return seen > 0 ? sqrt(fmin(1, fmax(0, right / seen))) : 1;
}

struct fw_granule_loads fw_granule_counts_loads(const struct fw_granule_counts *counts,
                                                struct fw_arena *arena, uint32_t blocks, double all)
{
    struct fw_granule_loads loads = {0};
    double sum = 0, kept = ldexp(1, -(int)counts->level);
    if (!counts->kept || (blocks < 2 && blocks < all))
        return loads;
    for (uint32_t i = 0; i < SLOTS; i++)
        sum += counts->slots[i].seen ? counts->slots[i].sum : 0;
    const double granules = granules_of(counts, blocks, all), mean = sum / granules;
    const double drawn = blocks < all ? drawn_to_mean(counts, blocks, all, mean, granules) : 1;
    double *shares = FW_ARRAY(arena, double, counts->kept + 1);
    for (uint32_t i = 0; i < SLOTS; i++)
        if (counts->slots[i].seen)
            shares[loads.count++] =
                kept * fmax(0, mean + drawn * (counts->slots[i].sum - mean)) / sum;
    loads.shares = shares;
    return loads;
}
