#include "warp_totals.h"

#include "warp_memo.h"

#include <math.h>
#include <string.h>

enum { MOST_PLACES = 5, FEW_FORMS = 128 };

/* Blocks along an axis that stand for all, with how many each stands for. */
struct places {
    int64_t at[MOST_PLACES];
    double weight[MOST_PLACES];
    uint32_t count;
};

static void add_place(struct places *places, int64_t at, double weight)
{
    places->at[places->count] = at;
    places->weight[places->count++] = weight;
}

static void find_places(struct places *places, const struct fw_affine_accesses *accesses, uint32_t d,
                        int64_t line, bool *exact)
{
    int64_t size = accesses->block[d], first = INT64_MAX, last = -1;
    bool low_cut = false, high_cut = false, even = true;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        int64_t low = access->low[d] > 0 ? access->low[d] : 0, high = access->high[d];
        int64_t end = (int64_t)accesses->grid[d] * size;
        high = high < end ? high : end;
        low_cut |= low % size != 0;
        high_cut |= high % size != 0;
        even &= access->block_stride[d] % line == 0;
        first = low / size < first ? low / size : first;
        last = (high - 1) / size > last ? (high - 1) / size : last;
    }
    places->count = 0;
    if (first > last)
        return;
    if (low_cut && first < last)
        add_place(places, first++, 1);
    if (high_cut)
        add_place(places, last--, 1);
    int64_t count = last - first + 1, seen = even ? 1 : MOST_PLACES - 2;
    *exact &= even || count <= seen;
    seen = seen < count ? seen : count;
    for (int64_t i = 0; i < seen; i++) /* odd steps: no period of the rows is met in step */
        add_place(places, seen == count ? first + i : first + count * i / seen + (i & 1),
                  (double)count / (double)seen);
}

/* Executions of a form by a thread. */
static double times_of(const struct fw_affine_access *access)
{
    double times = access->repeats * access->active_share;
    for (uint32_t l = 0; l < access->loops; l++)
        times *= (double)access->trips[l];
    return times;
}

/* Loops that move a warp by no whole line are seen at a few of their iterations. */
static uint32_t turns_of(const struct fw_affine_access *access, int64_t line)
{
    for (uint32_t l = 0; l < access->loops; l++)
        if (access->loop_stride[l] % line && access->trips[l] > 1)
            return access->trips[l] < 4 ? (uint32_t)access->trips[l] : 4;
    return 1;
}

static void add_form(struct fw_warp_totals *totals, struct fw_warp_memo *memory,
                     const struct fw_affine_accesses *accesses, const struct fw_affine_access *access,
                     const int64_t block[3], double weight)
{
    uint32_t size = accesses->block[0] * accesses->block[1] * accesses->block[2];
    uint32_t turns = turns_of(access, memory->line), from = 0;
    double times = weight * times_of(access) / turns;
    bool load = access->direction == FW_LOAD;
    int64_t address = access->base;
    for (uint32_t d = 0; d < 3; d++)
        address += access->block_stride[d] * block[d];
    for (; from < (size + memory->warp - 1) / memory->warp; from += MEMO_WARPS) {
        const struct lane_layout *pattern = lane_layout_find(memory, accesses, access, block, from);
        for (uint32_t w = 0; pattern && w < pattern->count; w++)
            for (uint32_t t = 0; t < turns && pattern->at[w].lanes; t++) {
                int64_t at = address;
                for (uint32_t n = 0; n < access->loops && t; n++)
                    at += access->loop_stride[n] * (access->trips[n] * t / turns);
                const struct memo_cost *asked =
                    lane_layout_cost(memory, pattern, w, access->bytes, at);
                *(load ? &totals->load_instructions : &totals->store_instructions) += times;
                *(load ? &totals->load_sectors : &totals->store_sectors) += times * asked->sectors;
                *(load ? &totals->load_lines : &totals->store_lines) += times * asked->lines;
                totals->partial_store_sectors += load ? 0 : times * asked->partial_sectors;
                totals->multi_line_passes += load ? times * asked->multi_line_passes : 0;
                totals->hit_wavefronts += load ? times * asked->hit_wavefronts : 0;
                *(load ? &totals->load_wavefronts : &totals->store_wavefronts) +=
                    times * asked->wavefronts;
            }
    }
}

/* Whether warps ask alike by two forms: they differ by whole lines. */
static bool same_requests(const struct fw_affine_access *a, const struct fw_affine_access *b,
                          int64_t line)
{
    return (a->base - b->base) % line == 0 && a->direction == b->direction &&
           fw_affine_same_strides(a, b) &&
           memcmp(&a->active_share, &b->active_share, sizeof(a->active_share)) == 0 &&
           memcmp(&a->repeats, &b->repeats, sizeof(a->repeats)) == 0;
}

/* Like how many forms each one is counted for; 0: for none, one before it is alike. */
static void find_alike(double *times, const struct fw_affine_accesses *accesses, int64_t line)
{
    for (uint32_t i = 0; i < accesses->count; i++) {
        uint32_t j = 0;
        while (j < i && !(times[j] > 0 && same_requests(&accesses->at[i], &accesses->at[j], line)))
            j++;
        times[i] = j == i;
        times[j] += j < i;
    }
}

struct fw_warp_memo *fw_warp_memo_new(struct fw_arena *arena, uint32_t warp, uint32_t sector,
                                      uint32_t line)
{
    struct fw_warp_memo *memory = FW_NEW(arena, struct fw_warp_memo);
    memory->warp = warp && warp <= FW_WARP_MAX_LANES ? warp : 32;
    memory->sector = sector;
    memory->line = line;
    return memory;
}

void fw_warp_totals_find(struct fw_warp_totals *totals, struct fw_warp_memo *memory,
                         const struct fw_affine_accesses *accesses)
{
    struct places places[3];
    double few[FEW_FORMS], *alike_of = NULL;
    memset(totals, 0, sizeof(*totals));
    totals->exact = true;
    if (accesses->count <= FEW_FORMS) {
        alike_of = few;
        find_alike(few, accesses, memory->line);
    }
    for (uint32_t d = 0; d < 3; d++)
        find_places(&places[d], accesses, d, memory->line, &totals->exact);
    for (uint32_t z = 0; z < places[2].count; z++)
        for (uint32_t y = 0; y < places[1].count; y++)
            for (uint32_t x = 0; x < places[0].count; x++) {
                int64_t block[3] = {places[0].at[x], places[1].at[y], places[2].at[z]};
                double weight = places[0].weight[x] * places[1].weight[y] * places[2].weight[z];
                totals->sampled_blocks++;
                for (uint32_t i = 0; i < accesses->count; i++)
                    if (!alike_of || alike_of[i] > 0)
                        add_form(totals, memory, accesses, &accesses->at[i], block,
                                 alike_of ? weight * alike_of[i] : weight);
            }
}
