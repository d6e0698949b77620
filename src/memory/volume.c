#include "volume_internal.h"

#include <math.h>
#include <string.h>

enum { MOST_PLACES = 4 };

/* Blocks along one axis that stand for all: the first, some inner ones, the last. */
struct places {
    int64_t at[MOST_PLACES];
    double weight[MOST_PLACES];
    uint32_t count;
};

/* Where along an axis the blocks with work end. */
static int64_t active(const struct fw_forms *forms, uint32_t d)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < forms->count; i++)
        most = forms->at[i].high[d] > most ? forms->at[i].high[d] : most;
    int64_t blocks = (most + forms->block[d] - 1) / forms->block[d];
    return blocks < forms->grid[d] ? blocks : forms->grid[d];
}

static int64_t first_active(const struct fw_forms *forms, uint32_t d)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < forms->count; i++)
        least = forms->at[i].low[d] < least ? forms->at[i].low[d] : least;
    return least > 0 ? least / forms->block[d] : 0;
}

/* Whether some form's blocks along an axis do not begin at whole granules. */
static bool uneven(const struct fw_forms *forms, uint32_t d, int64_t granule)
{
    for (uint32_t i = 0; i < forms->count; i++)
        if (forms->at[i].block[d] % granule)
            return true;
    return false;
}

static void find_places(struct places *places, const struct fw_forms *forms, uint32_t d,
                        int64_t granule)
{
    int64_t first = first_active(forms, d), last = active(forms, d) - 1, count = last - first + 1;
    bool partial = false;
    memset(places, 0, sizeof(*places));
    if (count <= 0)
        return;
    for (uint32_t i = 0; i < forms->count; i++)
        partial |= forms->at[i].low[d] % forms->block[d] || forms->at[i].high[d] % forms->block[d];
    if (!partial && !uneven(forms, d, granule)) {
        places->at[0] = first + count / 2;
        places->weight[places->count++] = (double)count;
        return;
    }
    for (int64_t i = 0; i < (count < MOST_PLACES ? count : MOST_PLACES); i++) {
        bool all = count <= MOST_PLACES;
        int64_t inner = first + 1 + (count - 2) * i / 3 + (i & 1);
        places->at[places->count] = all ? first + i : i == 0 ? first : i == 3 ? last : inner;
        places->weight[places->count++] = all || i == 0 || i == 3 ? 1 : (double)(count - 2) / 2;
    }
}

/* Bytes that a block's warps touch from `begin` to `end` of its life: each warp's sectors once,
 * whichever of its instructions touched them. */
static double touched_by(struct fw_arena *arena, const struct fw_forms *forms,
                         const struct fw_caches *caches, int64_t block, double begin, double end,
                         enum fw_footprint_of of)
{
    enum { MOST_SEEN = 8 };
    int64_t warp_size = caches->warp ? caches->warp : 32;
    struct fw_forms threads;
    double sum = 0;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_forms_of_block(&threads, arena, forms, block);
    struct fw_footprint *sectors = fw_footprint_new(arena, &threads, caches->sector);
    int64_t count = (int64_t)fw_forms_blocks(&threads), warps = (count + warp_size - 1) / warp_size;
    int64_t seen = warps < MOST_SEEN ? warps : MOST_SEEN;
    for (int64_t s = 0; s < seen; s++) {
        int64_t warp = s * warps / seen;
        struct fw_window window = {warp * warp_size, (warp + 1) * warp_size, begin, end, of};
        sum += fw_footprint_count(sectors, &window, 1, FW_NONE);
    }
    fw_arena_release(arena, mark);
    return caches->sector * sum * (double)warps / (double)seen;
}

static int64_t turns_of(const struct fw_form *form)
{
    return form->loops && form->trips[0] > 1 ? form->trips[0] : 1;
}

/* Bytes stored in loops of so many turns (1: outside of loops): a few turns stand for all. */
static double stored_in(struct fw_arena *arena, const struct fw_forms *forms,
                        const struct fw_caches *caches, int64_t block, int64_t turns)
{
    enum { MOST_TURNS = 4 };
    struct fw_forms stores = *forms;
    int64_t seen = turns < MOST_TURNS ? turns : MOST_TURNS;
    double sum = 0, all = (double)turns;
    stores.at = FW_ARRAY(arena, struct fw_form, forms->count + 1);
    stores.count = 0;
    for (uint32_t i = 0; i < forms->count; i++)
        if (forms->at[i].direction != FW_LOAD && turns_of(&forms->at[i]) == turns)
            stores.at[stores.count++] = forms->at[i];
    for (int64_t t = 0; t < seen; t++) {
        double turn = (double)((2 * t + 1) * turns / (2 * seen));
        sum += touched_by(arena, &stores, caches, block, turn / all, (turn + 1) / all,
                          FW_FOOTPRINT_STORES);
    }
    return sum * all / (double)seen;
}

/* Bytes that a block stores: what a warp's instructions store into the same sectors is merged, as
 * counters of an H200 show, but not from one of a loop's turns to the next: warps store more lines
 * meanwhile than are kept (thomas; patterns of eight lines in data/h200/lanes). */
static double stored_by(struct fw_arena *arena, const struct fw_forms *forms,
                        const struct fw_caches *caches, int64_t block)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double sum = 0;
    for (uint32_t i = 0; i < forms->count; i++) {
        bool first = forms->at[i].direction != FW_LOAD;
        for (uint32_t j = 0; j < i && first; j++)
            first = forms->at[j].direction == FW_LOAD ||
                    turns_of(&forms->at[j]) != turns_of(&forms->at[i]);
        if (first)
            sum += stored_in(arena, forms, caches, block, turns_of(&forms->at[i]));
    }
    fw_arena_release(arena, mark);
    return sum;
}

/* Whether all blocks touch the same by a form: then L1 has it from the blocks before. */
static bool is_common(const struct fw_form *form, const struct fw_forms *forms)
{
    for (uint32_t d = 0; d < 3; d++)
        if (forms->grid[d] > 1 && form->block[d] != 0)
            return false;
    return form->direction == FW_LOAD;
}

/* Bytes that a block loads and that the blocks before it on its multiprocessor have left in L1. */
static double left_by_others(struct fw_arena *arena, const struct fw_forms *forms,
                             const struct fw_caches *caches, int64_t block)
{
    struct fw_forms common = *forms;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double blocks = (double)fw_forms_blocks(forms), bytes = 0;
    common.at = fw_arena_copy(arena, forms->at, forms->count * sizeof(*forms->at));
    common.count = 0;
    for (uint32_t i = 0; i < forms->count; i++)
        if (is_common(&forms->at[i], forms))
            common.at[common.count++] = forms->at[i];
    if (common.count && blocks > caches->multiprocessors) {
        struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
        struct fw_footprint *lines = fw_footprint_new(arena, forms, caches->line);
        struct fw_footprint *sectors = fw_footprint_new(arena, &common, caches->sector);
        bytes = caches->sector * fw_footprint_count(sectors, &one, 1, FW_NONE);
        one.of = FW_FOOTPRINT_LOADS;
        double between =
            caches->resident_blocks * caches->line * fw_footprint_count(lines, &one, 1, FW_NONE);
        struct pasts pasts = {.count = 2};
        pasts.at[0] = (struct past){between, bytes};
        pasts.at[1] = (struct past){between * 1.001, 0};
        bytes -= forgetting_missing(&pasts, caches->l1_bytes, caches->l1_forgetting);
        bytes *= 1 - fmin(1, caches->multiprocessors / blocks);
    }
    fw_arena_release(arena, mark);
    return bytes;
}

/* Of what the blocks resident on one multiprocessor load, the share that they load for each other:
 * blocks are dealt out to multiprocessors in turn, and those that go round a loop do so together,
 * as in device memory's rule.  0 without a loop. */
static double shared_by_residents(struct fw_footprint *sectors, const struct fw_forms *forms,
                                  const struct fw_caches *caches, int64_t block)
{
    enum { MOST = 32 };
    struct fw_window windows[MOST];
    int64_t blocks = (int64_t)fw_forms_blocks(forms), apart = caches->multiprocessors;
    int64_t wave = apart * caches->resident_blocks, first = block - block % wave + block % apart;
    uint32_t count = 0;
    double sum = 0;
    bool loop = false;
    for (uint32_t i = 0; i < forms->count; i++)
        loop |= forms->at[i].loops && forms->at[i].trips[0] > 1;
    for (; loop && count < caches->resident_blocks && count < MOST && first < blocks;
         first += apart) {
        windows[count] = (struct fw_window){first, first + 1, 0, 1, FW_FOOTPRINT_LOADS};
        sum += fw_footprint_count(sectors, &windows[count++], 1, FW_NONE);
    }
    return sum > 0 ? 1 - fw_footprint_count(sectors, windows, count, FW_NONE) / sum : 0;
}

static void find_l1(struct fw_volumes *volumes, struct fw_arena *arena,
                    const struct fw_forms *forms, const struct fw_caches *caches)
{
    struct places places[3];
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct fw_footprint *sectors = fw_footprint_new(arena, forms, caches->sector);
    double heaviest = 0, stores = 0, merged = 0;
    int64_t usual = 0;
    for (uint32_t d = 0; d < 3; d++)
        find_places(&places[d], forms, d, caches->sector);
    for (uint32_t z = 0; z < places[2].count; z++)
        for (uint32_t y = 0; y < places[1].count; y++)
            for (uint32_t x = 0; x < places[0].count; x++) {
                int64_t block =
                    (places[2].at[z] * forms->grid[1] + places[1].at[y]) * (int64_t)forms->grid[0] +
                    places[0].at[x];
                double weight = places[0].weight[x] * places[1].weight[y] * places[2].weight[z];
                struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
                double bytes = caches->sector * fw_footprint_count(sectors, &one, 1, FW_NONE);
                volumes->l2_to_l1.compulsory += weight * bytes;
                one.of = FW_FOOTPRINT_STORES;
                stores += weight * caches->sector * fw_footprint_count(sectors, &one, 1, FW_NONE);
                if (weight * bytes >= heaviest) {
                    heaviest = weight * bytes;
                    usual = block;
                }
            }
    struct fw_window window = {usual, usual + 1, 0, 1, FW_FOOTPRINT_STORES};
    merged = caches->sector * fw_footprint_count(sectors, &window, 1, FW_NONE);
    if (merged > 0) {
        double sent = stored_by(arena, forms, caches, usual);
        double once = touched_by(arena, forms, caches, usual, 0, 1, FW_FOOTPRINT_STORES);
        volumes->l1_to_l2 = stores * sent / merged;
        volumes->stored_again = sent > once ? stores * (sent - once) / merged : 0;
    }
    struct fw_volume one;
    l1_of_block(&one, arena, forms, caches, usual);
    if (one.compulsory > 0)
        volumes->touched = volumes->l2_to_l1.compulsory / one.compulsory *
                           touched_by(arena, forms, caches, usual, 0, 1, FW_FOOTPRINT_LOADS);
    double ratio = one.compulsory > 0 ? one.bytes / one.compulsory : 1;
    if (one.compulsory > 0 && ratio < 1.01)
        ratio -= fmax(left_by_others(arena, forms, caches, usual) / one.compulsory,
                      shared_by_residents(sectors, forms, caches, usual));
    volumes->l2_to_l1.bytes = volumes->l2_to_l1.compulsory * ratio;
    if (caches->asked_bytes > 0 && volumes->l2_to_l1.bytes > caches->asked_bytes)
        volumes->l2_to_l1.bytes = caches->asked_bytes;
    if (volumes->l2_to_l1.compulsory > volumes->l2_to_l1.bytes)
        volumes->l2_to_l1.compulsory = volumes->l2_to_l1.bytes;
    volumes->l2_to_l1.capacity = volumes->l2_to_l1.bytes - volumes->l2_to_l1.compulsory;
    fw_arena_release(arena, mark);
}

void fw_volumes_find(struct fw_volumes *volumes, struct fw_arena *arena,
                     const struct fw_forms *forms, const struct fw_caches *caches)
{
    memset(volumes, 0, sizeof(*volumes));
    volumes->fresh = FW_ARRAY(arena, double, forms->count + 1);
    if (forms->count == 0)
        return;
    find_l1(volumes, arena, forms, caches);
    dram_of_launch(volumes, arena, forms, caches);
}

bool fw_caches_of(struct fw_caches *caches, const struct fw_device *device, uint64_t shared_bytes,
                  uint32_t resident_blocks, enum fw_figure *missing)
{
    static const enum fw_figure needed[] = {FW_FIGURE_L1_SHARED_BYTES, FW_FIGURE_L2_BYTES,
                                            FW_FIGURE_MULTIPROCESSORS, FW_FIGURE_SECTOR_BYTES,
                                            FW_FIGURE_LINE_BYTES};
    /* L1 of its own, apart from shared memory. */
    bool apart = !fw_device_figure(device, FW_FIGURE_L1_SHARED_BYTES, NULL) &&
                 fw_device_figure(device, FW_FIGURE_L1_BYTES, NULL);
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
        if (!fw_device_figure(device, needed[i], NULL) && !(apart && i == 0)) {
            *missing = needed[i];
            return false;
        }
    memset(caches, 0, sizeof(*caches));
    caches->sector = (uint32_t)fw_device_count(device, FW_FIGURE_SECTOR_BYTES, 32);
    caches->line = (uint32_t)fw_device_count(device, FW_FIGURE_LINE_BYTES, 128);
    caches->fetch = (uint32_t)fw_device_count(device, FW_FIGURE_DRAM_FETCH_BYTES, caches->sector);
    caches->warp = (uint32_t)fw_device_count(device, FW_FIGURE_WARP_SIZE, 32);
    caches->multiprocessors = (uint32_t)fw_device_count(device, FW_FIGURE_MULTIPROCESSORS, 1);
    double l1 = 1, l2 = 1 / (double)fw_device_count(device, FW_FIGURE_L2_PARTITIONS, 1), share;
    if (fw_device_figure(device, FW_FIGURE_L1_EFFECTIVE, &share))
        l1 = share;
    if (fw_device_figure(device, FW_FIGURE_L2_EFFECTIVE, &share))
        l2 = share;
    caches->l1_bytes =
        l1 * ((double)fw_device_count(device, FW_FIGURE_L1_SHARED_BYTES, 0) - (double)shared_bytes);
    if (apart)
        caches->l1_bytes = l1 * (double)fw_device_count(device, FW_FIGURE_L1_BYTES, 0);
    caches->l2_bytes = l2 * (double)fw_device_count(device, FW_FIGURE_L2_BYTES, 0);
    if (fw_device_figure(device, FW_FIGURE_L1_FORGETTING, &share))
        caches->l1_forgetting = share;
    if (fw_device_figure(device, FW_FIGURE_L2_FORGETTING, &share))
        caches->l2_forgetting = share;
    if (fw_device_figure(device, FW_FIGURE_TLB_REACH, &share))
        caches->tlb_reach = share;
    caches->resident_blocks = resident_blocks;
    return true;
}
