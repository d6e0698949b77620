#include "granule_counts.h"

#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 65536,
    MOST = SLOTS / 2,
    SECTOR = 32, /* bytes */
    LANES = 32,
    MANY = 3,
    BINS = 64,      /* of a launch's blocks, in their order, at first */
    LEAST_BINS = 8, /* where there are many granules */
    MOST_LEVELS = 6 /* parts of a launch are 2 to the power of 1, 2, ..., this */
};

/* What blocks of one bin of the launch have in a granule: passes over its sectors. */
struct slot {
    uint64_t granule;
    uint32_t bin;
    uint32_t last, seen; /* the last block that came to it; how many did, 3 at most: 0: no granule
                            has the slot */
    double own;          /* of the block that came last */
    double sum;          /* of all blocks */
    double squares;      /* of blocks' own, but for the last one's */
};

struct fw_granule_counts {
    struct fw_arena *arena;
    uint64_t bytes;     /* of a granule */
    double all;         /* blocks of the launch */
    uint32_t bins;      /* a power of two */
    uint32_t kept;      /* slots in use */
    uint32_t level;     /* one of 2^level granules is kept */
    uint32_t last, ran; /* the block that came last, and how many came */
    struct slot *slots;
};

struct fw_granule_counts *fw_granule_counts_new(struct fw_arena *arena, uint64_t bytes, double all)
{
    struct fw_granule_counts *counts = FW_NEW(arena, struct fw_granule_counts);
    *counts = (struct fw_granule_counts){.arena = arena,
                                         .bytes = bytes > SECTOR ? bytes : SECTOR,
                                         .all = all,
                                         .bins = BINS,
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

static struct slot *slot_of(const struct fw_granule_counts *counts, uint64_t granule, uint32_t bin,
                            uint64_t hash)
{
    uint64_t at = (hash >> 32) + hash_of(bin);
    while (counts->slots[at % SLOTS].seen &&
           (counts->slots[at % SLOTS].granule != granule || counts->slots[at % SLOTS].bin != bin))
        at++;
    return &counts->slots[at % SLOTS];
}

/* Adds what a slot has.  A block that goes on stays the last one. */
static void join(struct slot *to, const struct slot *one, uint32_t goes_on)
{
    struct slot both = to->seen && to->last == goes_on ? *to : *one;
    const struct slot *other = both.last == one->last ? to : one;
    if (to->seen) {
        both.squares += other->squares + other->own * other->own;
        both.sum += other->sum;
        both.seen = both.seen + other->seen < MANY ? both.seen + other->seen : MANY;
    }
    *to = both;
}

/* Makes room: two bins become one, or, where they are few, half of the granules go. */
static void thin(struct fw_granule_counts *counts)
{
    struct fw_arena_mark mark = fw_arena_mark(counts->arena);
    struct slot *old = FW_ARRAY(counts->arena, struct slot, SLOTS);
    const bool fewer_bins = counts->bins > LEAST_BINS;
    memcpy(old, counts->slots, SLOTS * sizeof(*old));
    memset(counts->slots, 0, SLOTS * sizeof(*old));
    counts->bins /= fewer_bins ? 2 : 1;
    counts->level += !fewer_bins;
    counts->kept = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        const uint64_t hash = hash_of(old[i].granule);
        if (!old[i].seen || !is_kept(counts, hash))
            continue;
        old[i].bin /= fewer_bins ? 2 : 1;
        struct slot *slot = slot_of(counts, old[i].granule, old[i].bin, hash);
        counts->kept += !slot->seen;
        join(slot, &old[i], counts->last);
    }
    fw_arena_release(counts->arena, mark);
}

static void add(struct fw_granule_counts *counts, uint32_t block, uint64_t granule, double passes)
{
    const uint64_t hash = hash_of(granule);
    const uint32_t bin =
        (uint32_t)fmin(counts->bins - 1, block * (double)counts->bins / counts->all);
    if (!is_kept(counts, hash))
        return;
    struct slot *slot = slot_of(counts, granule, bin, hash);
    if (!slot->seen) {
        *slot = (struct slot){.granule = granule, .bin = bin, .last = block, .seen = 1};
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
    counts->ran += !counts->ran || counts->last != block;
    counts->last = block;
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

/* ---- what the launch has ---- */

/* What the blocks of one part of the launch have in a granule. */
struct cell {
    uint64_t granule;
    uint32_t part, seen;
    double sum, squares; /* of single blocks */
};

/* A part of the launch. */
struct part {
    double sum;  /* passes */
    double bins; /* the share of the launch's blocks that lie in it */
    double kept, once,
        twice;             /* granules: all that are kept, and those that so many blocks came to */
    double granules, mean; /* by estimate, and the passes of one */
    uint64_t low, high;    /* the first and the last granule that was seen */
};

static int by_granule(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    if (x->granule != y->granule)
        return x->granule < y->granule ? -1 : 1;
    return (x->bin > y->bin) - (x->bin < y->bin);
}

/* The slots in use, by granule and then by bin. */
static const struct slot *sorted(const struct fw_granule_counts *counts, struct fw_arena *arena)
{
    struct slot *all = FW_ARRAY(arena, struct slot, counts->kept + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (counts->slots[i].seen)
            all[count++] = counts->slots[i];
    qsort(all, count, sizeof(*all), by_granule);
    return all;
}

/* Cuts the bins into parts with as many passes each, and tells how many bins each has. */
static void cut(uint32_t *part_of, struct part *parts, uint32_t count, const double *bins,
                uint32_t bin_count)
{
    double all = 0, before = 0;
    for (uint32_t b = 0; b < bin_count; b++)
        all += bins[b];
    for (uint32_t b = 0; b < bin_count; b++) {
        const double middle = (before + bins[b] / 2) / all * count;
        part_of[b] = middle < count - 1 ? (uint32_t)middle : count - 1;
        parts[part_of[b]].bins += 1.0 / bin_count;
        before += bins[b];
    }
}

static uint32_t merge(struct cell *cells, struct part *parts, const struct slot *slots,
                      uint32_t slot_count, const uint32_t *part_of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < slot_count; i++) {
        const struct slot *slot = &slots[i];
        const uint32_t part = part_of[slot->bin];
        if (i == 0 || slots[i - 1].granule != slot->granule || cells[count - 1].part != part)
            cells[count++] = (struct cell){.granule = slot->granule, .part = part};
        struct cell *cell = &cells[count - 1];
        cell->sum += slot->sum;
        cell->squares += slot->squares + slot->own * slot->own;
        cell->seen += slot->seen;
    }
    for (uint32_t c = 0; c < count; c++) {
        struct part *part = &parts[cells[c].part];
        part->low = part->kept > 0 ? part->low : cells[c].granule; /* they are in order */
        part->high = cells[c].granule;
        part->sum += cells[c].sum;
        part->kept++;
        part->once += cells[c].seen == 1;
        part->twice += cells[c].seen == 2;
    }
    return count;
}

/* The sum of squares of what all blocks of each part have in granules, over all parts, since each
 * has few blocks: of a granule's passes x in single blocks, the pairs of different blocks and the
 * blocks by themselves each stand for as many of the launch's.  In passes of the sample. */
static double squares_of(const struct cell *cells, uint32_t count, const struct part *parts,
                         double blocks, double all)
{
    const double each = blocks / all;
    double squares = 0;
    for (uint32_t c = 0; c < count; c++) {
        const struct cell *cell = &cells[c];
        const double bins = parts[cell->part].bins;
        const double pairs = (1 - 1 / fmax(1, bins * all)) / (1 - 1 / fmax(2, bins * blocks));
        squares += each * cell->squares + pairs * (cell->sum * cell->sum - cell->squares);
    }
    return squares;
}

/* Granules that all blocks of a part come to, of those that are kept (a share): Chao's estimate
 * (working_set.h), and no fewer than `least`, which where all have as much the sum of squares
 * tells: no two blocks of a few may have come to the same one.  No more than lie between the first
 * and the last one, by the range of so many blocks that come evenly: blocks side by side may share
 * granules, and those of a sample are not side by side. */
static void estimate(struct part *part, double blocks, double least, double share)
{
    const double range = blocks > 1 ? (blocks + 1) / (blocks - 1) : HUGE_VAL;
    const double room = share * range * (double)(part->high - part->low + 1);
    const double unseen = part->twice > 0 ? part->once * part->once / (2 * part->twice)
                                          : part->once * (part->once - 1) / 2;
    const double chao = part->kept + unseen * fmax(0, blocks - 1) / fmax(1, blocks);
    part->granules = fmax(part->kept, fmin(fmax(least, chao), room));
}

/* By how much deviations from the mean of a granule are to be taken smaller, for the sum of squares
 * to be the right one. */
static double drawn_to_mean(const struct cell *cells, uint32_t count, const struct part *parts,
                            uint32_t part_count, double squares)
{
    double seen = 0;
    for (uint32_t p = 0; p < part_count; p++)
        seen -= parts[p].mean * parts[p].mean * parts[p].granules;
    const double right = squares + seen;
    for (uint32_t c = 0; c < count; c++)
        seen += cells[c].sum * cells[c].sum;
    return seen > 0 ? sqrt(fmin(1, fmax(0, right / seen))) : 1;
}

struct asked {
    const struct fw_granule_counts *counts;
    struct fw_arena *arena;
    const struct slot *slots;
    double bins[BINS]; /* passes of the launch's blocks, by bin */
    double blocks;     /* that ran */
};

/* The shares in each of `count` parts of the launch. */
static void find_parts(struct fw_granule_part *out, const struct asked *asked, uint32_t count)
{
    const struct fw_granule_counts *counts = asked->counts;
    const double kept = ldexp(1, -(int)counts->level);
    struct part parts[1 << MOST_LEVELS] = {{0}};
    uint32_t part_of[BINS];
    struct cell *cells = FW_ARRAY(asked->arena, struct cell, counts->kept + 1);
    double all = 0, drawn = 1, own = 0, least = 0;
    cut(part_of, parts, count, asked->bins, counts->bins);
    const uint32_t cell_count = merge(cells, parts, asked->slots, counts->kept, part_of);
    const bool every = asked->blocks >= counts->all;
    const double squares = squares_of(cells, cell_count, parts, asked->blocks, counts->all);
    for (uint32_t p = 0; p < count; p++) {
        all += parts[p].sum;
        own += parts[p].sum * parts[p].sum;
    }
    if (!every && squares > 0)
        least = own / squares;
    for (uint32_t p = 0; p < count; p++) {
        if (every)
            parts[p].granules = parts[p].kept;
        else
            estimate(&parts[p], parts[p].bins * asked->blocks, least, kept);
        parts[p].mean = parts[p].sum / fmax(1, parts[p].granules);
        out[p] = (struct fw_granule_part){
            .shares = FW_ARRAY(asked->arena, double, (size_t)parts[p].kept + 1),
            .others = fmax(0, parts[p].granules / kept - parts[p].kept)};
    }
    if (!every)
        drawn = drawn_to_mean(cells, cell_count, parts, count, squares);
    for (uint32_t c = 0; c < cell_count; c++) {
        const struct part *part = &parts[cells[c].part];
        struct fw_granule_part *to = &out[cells[c].part];
        to->passes = part->sum / all;
        to->shares[to->count++] =
            kept * fmax(0, part->mean + drawn * (cells[c].sum - part->mean)) / part->sum;
    }
}

struct fw_granule_loads fw_granule_counts_loads(const struct fw_granule_counts *counts,
                                                struct fw_arena *arena, uint32_t blocks)
{
    struct fw_granule_loads loads = {.levels = 0};
    struct asked asked = {.counts = counts, .arena = arena, .blocks = blocks};
    if (!counts->kept || (blocks < 2 && blocks < counts->all))
        return loads;
    asked.slots = sorted(counts, arena);
    for (uint32_t i = 0; i < counts->kept; i++)
        asked.bins[asked.slots[i].bin] += asked.slots[i].sum;
    struct fw_granule_part *parts = FW_ARRAY(arena, struct fw_granule_part, 2 << MOST_LEVELS);
    uint32_t count = 0;
    for (uint32_t own = 1; own <= counts->bins; own *= 2) {
        find_parts(&parts[count], &asked, own);
        count += own;
        loads.levels++;
    }
    loads.parts = parts;
    loads.blocks = fmin(1, counts->ran / (double)blocks) * counts->all;
    return loads;
}
