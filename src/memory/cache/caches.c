#include "caches.h"

#include "memory_sizes.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How sharply merging in L1 ends as a store touches more lines.  Source: share_fields and
 * share_move in data/h200/traffic: fields of structures of 2 to 4 elements merge, of 7 and 8 by
 * about half, of 16 not at all. */
static const double store_merge_sharpness = 5;

enum { SCHEDULERS = 4 };

/* Sets a value that the profile states, and leaves it otherwise. */
static void take_figure(double *value, const struct fw_device *device, enum fw_figure figure)
{
    double known;
    if (fw_device_figure(device, figure, &known))
        *value = known;
}

static void set_l2(struct fw_caches *caches, const struct fw_device *device)
{
    double bytes = (double)fw_device_count(device, FW_FIGURE_L2_BYTES, 0), share;
    double effective = 1 / (double)fw_device_count(device, FW_FIGURE_L2_PARTITIONS, 1);
    caches->l2_partition_bytes = effective * bytes;
    take_figure(&effective, device, FW_FIGURE_L2_EFFECTIVE);
    caches->l2_bytes = effective * bytes;
    if (fw_device_figure(device, FW_FIGURE_L2_EFFECTIVE_LOADS, &share))
        caches->l2_loads_bytes = share * bytes;
    if (fw_device_figure(device, FW_FIGURE_L2_COLLECTS, &share))
        caches->eviction_bytes = share * bytes;
    take_figure(&caches->l2_sharpness, device, FW_FIGURE_L2_FORGETTING);
    caches->l2_own_sharpness = caches->retained_sharpness = caches->l2_sharpness;
    share = effective;
    take_figure(&share, device, FW_FIGURE_L2_RETAINED);
    caches->whole_l2_bytes = bytes;
    caches->retained_bytes = share * bytes;
    take_figure(&share, device, FW_FIGURE_L2_RETAINED_WAVE);
    caches->retained_wave_bytes = share * bytes;
    share = bytes > 0 ? caches->retained_bytes / bytes : 0;
    take_figure(&share, device, FW_FIGURE_L2_RETAINED_DIRTY);
    caches->retained_dirty_bytes = share * bytes;
    take_figure(&caches->retained_sharpness, device, FW_FIGURE_L2_RETAINED_FORGETTING);
    take_figure(&caches->dirty_sharpness, device, FW_FIGURE_L2_RETAINED_DIRTY_FORGETTING);
    take_figure(&caches->several, device, FW_FIGURE_L2_RETAINED_SEVERAL);
    caches->local_sharpness = caches->retained_sharpness;
    take_figure(&caches->local_sharpness, device, FW_FIGURE_L2_LOCAL_FORGETTING);
    caches->local_ahead = 1;
    take_figure(&caches->local_ahead, device, FW_FIGURE_L2_LOCAL_AHEAD);
    if (fw_device_figure(device, FW_FIGURE_L2_LOCAL_LOADS, &share))
        caches->local_loads_bytes = share * bytes;
    take_figure(&caches->local_loads_sharpness, device, FW_FIGURE_L2_LOCAL_LOADS_FORGETTING);
    take_figure(&caches->l2_own_sharpness, device, FW_FIGURE_L2_FORGETTING_OWN);
    take_figure(&caches->eviction_sharpness, device, FW_FIGURE_L2_COLLECTS_FORGETTING);
    take_figure(&caches->block_skew, device, FW_FIGURE_BLOCKS_APART);
    take_figure(&caches->block_drift, device, FW_FIGURE_BLOCKS_DRIFT);
}

static void set_coalescing(struct fw_caches *caches, const struct fw_device *device)
{
    take_figure(&caches->coalesced_waves, device, FW_FIGURE_LOADS_MERGED_WAVES);
    for (uint32_t i = 0; i < FW_COALESCING_POINTS; i++) {
        fw_device_curve(device, FW_FIGURE_LOADS_MERGED, 1u << i, &caches->coalesced[0][i]);
        fw_device_curve(device, FW_FIGURE_LOADS_MERGED_STEP, 1u << i, &caches->coalesced[1][i]);
        fw_device_curve(device, FW_FIGURE_LOADS_MERGED_ONCE, 1u << i, &caches->coalesced_once[i]);
    }
}

bool fw_caches_of(struct fw_caches *caches, const struct fw_device *device, uint64_t shared_bytes,
                  uint32_t resident_blocks, enum fw_figure *missing)
{
    static const enum fw_figure needed[] = {FW_FIGURE_L1_SHARED_BYTES, FW_FIGURE_L2_BYTES,
                                            FW_FIGURE_MULTIPROCESSORS, FW_FIGURE_SECTOR_BYTES,
                                            FW_FIGURE_LINE_BYTES};
    /* L1 is separate from shared memory (AMD). */
    bool separate_l1 = !fw_device_figure(device, FW_FIGURE_L1_SHARED_BYTES, NULL) &&
                       fw_device_figure(device, FW_FIGURE_L1_BYTES, NULL);
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
        if (!fw_device_figure(device, needed[i], NULL) && !(separate_l1 && i == 0)) {
            *missing = needed[i];
            return false;
        }
    memset(caches, 0, sizeof(*caches));
    caches->sector = (uint32_t)fw_device_count(device, FW_FIGURE_SECTOR_BYTES, FW_SECTOR_BYTES);
    caches->line = (uint32_t)fw_device_count(device, FW_FIGURE_LINE_BYTES, FW_LINE_BYTES);
    caches->fetch = (uint32_t)fw_device_count(device, FW_FIGURE_DRAM_FETCH_BYTES, caches->sector);
    caches->warp = (uint32_t)fw_device_count(device, FW_FIGURE_WARP_SIZE, FW_WARP_THREADS);
    caches->multiprocessors = (uint32_t)fw_device_count(device, FW_FIGURE_MULTIPROCESSORS, 1);
    double l1 = 1;
    take_figure(&l1, device, FW_FIGURE_L1_EFFECTIVE);
    caches->l1_bytes =
        l1 * ((double)fw_device_count(device, FW_FIGURE_L1_SHARED_BYTES, 0) - (double)shared_bytes);
    if (separate_l1)
        caches->l1_bytes = l1 * (double)fw_device_count(device, FW_FIGURE_L1_BYTES, 0);
    take_figure(&caches->l1_sharpness, device, FW_FIGURE_L1_FORGETTING);
    if (fw_device_figure(device, FW_FIGURE_L1_SPILLED, &l1))
        caches->l1_spilled_bytes = l1 * caches->l1_bytes;
    take_figure(&caches->l1_spilled_sharpness, device, FW_FIGURE_L1_SPILLED_FORGETTING);
    take_figure(&caches->store_merge_lines, device, FW_FIGURE_STORE_MERGE_LINES);
    take_figure(&caches->tlb_reach, device, FW_FIGURE_TLB_REACH);
    set_l2(caches, device);
    set_coalescing(caches, device);
    caches->resident_blocks = resident_blocks;
    caches->most_warps = (double)fw_device_count(device, FW_FIGURE_WARPS_PER_SM, 0);
    return true;
}

/* Whether a launch stores to what it loads. */
static bool stores_in_place(const struct fw_affine_accesses *accesses)
{
    for (uint32_t i = 0; i < accesses->count; i++)
        for (uint32_t j = 0; j < accesses->count && !fw_affine_is_load(&accesses->at[i]); j++)
            if (fw_affine_is_load(&accesses->at[j]) &&
                accesses->at[j].array == accesses->at[i].array)
                return true;
    return false;
}

/* Whether two stores go to neighbouring bytes of their threads. */
static bool lie_within(const struct fw_affine_access *a, const struct fw_affine_access *b,
                       int64_t bytes)
{
    return a->array == b->array && fw_affine_same_strides(a, b) && llabs(a->base - b->base) < bytes;
}

/* Of the stores that go to a sector which one before them has stored to, how many stores on, in the
 * mean, they follow that one, others of the same lines left out: 1 where one sector is stored to
 * after the other, 2 where those of two rows are by turns. */
static double stores_between(const struct fw_affine_accesses *accesses)
{
    enum { LOOK_BACK = 16 };
    double sum = 0;
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *at = &accesses->at[i];
        uint32_t stores = 1, last = at->kernel_access;
        for (uint32_t j = i; j-- > 0 && stores < LOOK_BACK && !fw_affine_is_load(at);) {
            const struct fw_affine_access *before = &accesses->at[j];
            if (fw_affine_is_load(before) || before->kernel_access == last)
                continue;
            last = before->kernel_access;
            if (lie_within(before, at, FW_SECTOR_BYTES) && before->base != at->base) {
                sum += stores;
                pairs++;
                break;
            }
            stores += !lie_within(before, at, FW_LINE_BYTES);
        }
    }
    return pairs ? sum / pairs : 1;
}

void fw_caches_set_requests(struct fw_caches *caches, const struct fw_requests *requests,
                            const struct fw_kernel_accesses *accesses)
{
    caches->requested_load_bytes =
        caches->sector * requests->load_sectors - requests->non_affine_load_bytes;
    caches->requested_store_bytes =
        caches->sector * requests->store_sectors - requests->non_affine_store_bytes;
    caches->barrier_in_loop = accesses->barrier_in_loop;
    caches->lines_per_store =
        requests->store_instructions > 0 ? requests->store_lines / requests->store_instructions : 0;
    double all = requests->load_lines + requests->store_lines + requests->shared_wavefronts;
    double stored = requests->store_lines;
    caches->storing_warps = SCHEDULERS;
    if (accesses->barrier_in_loop && requests->loop_store_lines < stored / 2) {
        const uint32_t *block = accesses->affine.block;
        all -= requests->loop_lines; /* warps of a block leave such a loop together */
        stored -= requests->loop_store_lines;
        caches->storing_warps =
            fmin(SCHEDULERS, ceil((double)block[0] * block[1] * block[2] / FW_WARP_THREADS));
    }
    caches->store_share = all > 0 && !stores_in_place(&accesses->affine) ? stored / all : 1;
    caches->lines_per_store *= stores_between(&accesses->affine);
}

/* The probability that L1 merges the parts of a sector that a warp stores while so many warps, it
 * among them, store once. */
static double merged_beside(const struct fw_caches *caches, double warps)
{
    double lines = warps * caches->lines_per_store / (SCHEDULERS * caches->store_merge_lines);
    return exp(-pow(lines, store_merge_sharpness));
}

/* Between two stores of a warp, each of the other schedulers issues a store or none.  L1 has as
 * many lines for them as all schedulers store where a kernel does nothing else (share_fields,
 * pieces in data/h100/narrow); of other kernels, a scheduler stores meanwhile unless its next two
 * requests of the load-store unit are none.  share_move and moved (half of it stores) merge 0.3 to
 * 0.9 of 8 lines, share_fields and pieces 0.1 to 0.4.  Lines that a launch has loaded are merged no
 * more often than by stores alone (advance_structs of the examples: 0.6 of 7 lines). */
double fw_caches_scattered_stores(const struct fw_caches *caches)
{
    enum { OTHERS = SCHEDULERS - 1 };
    static const double of[OTHERS + 1] = {1, 3, 3, 1}; /* ways to choose m of them */
    if (!(caches->store_merge_lines > 0))
        return 0;
    double none = pow(1 - caches->store_share, 2), merged = 0;
    double most = caches->storing_warps > 0 ? caches->storing_warps : SCHEDULERS;
    for (int m = 0; m <= OTHERS; m++)
        merged += of[m] * pow(1 - none, m) * pow(none, OTHERS - m) *
                  merged_beside(caches, fmin(1 + m, most));
    return 1 - merged;
}

double fw_caches_stores_in_turns(const struct fw_caches *caches, double warps)
{
    if (!(caches->store_merge_lines > 0))
        return 0;
    return fmax(fw_caches_scattered_stores(caches), 1 - merged_beside(caches, fmax(1, warps)));
}
