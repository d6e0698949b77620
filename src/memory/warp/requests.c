#include "requests.h"

#include "local_memory.h"
#include "random_address.h"
#include "requests_internal.h"

#include <math.h>
#include <string.h>

enum { USUAL_WARP = 32 };

static struct fw_sampling sampling_of(const struct fw_kernel *kernel, struct fw_bound *bound,
                                      const struct fw_launch *launch,
                                      const struct fw_device *device)
{
    struct fw_sampling sampling = {.kernel = kernel, .bound = bound, .launch = launch};
    sampling.sector = (uint32_t)fw_device_count(device, FW_FIGURE_SECTOR_BYTES, 32);
    sampling.line = (uint32_t)fw_device_count(device, FW_FIGURE_LINE_BYTES, 128);
    sampling.banks = (uint32_t)fw_device_count(device, FW_FIGURE_SHARED_BANKS, 32);
    sampling.width = (uint32_t)fw_device_count(device, FW_FIGURE_SHARED_BANK_BYTES, 4);
    sampling.warp = (uint32_t)fw_device_count(device, FW_FIGURE_WARP_SIZE, USUAL_WARP);
    if (sampling.warp == 0 || sampling.warp > FW_WARP_MAX_LANES)
        sampling.warp = USUAL_WARP;
    return sampling;
}

static void add_access(struct fw_requests *asked, const struct fw_sampling *sampling,
                       struct fw_warp_memo *memory, const struct fw_kernel_accesses *traffic,
                       uint32_t index, const uint32_t *alignments)
{
    const struct fw_kernel *kernel = sampling->kernel;
    const struct fw_access *access = &kernel->accesses[index];
    const struct fw_access_affine *of = &traffic->by_access[index];
    double threads = fw_bound_count(sampling->bound, access->domain)->estimate;
    double warps = fw_bound_count_warps(sampling->bound, access->domain)->estimate;
    struct fw_requests before = *asked;
    if (threads > 0 && fw_local_is_modelled(kernel, access))
        requests_add_words(asked, sampling, access, warps);
    if (!of->analyzed)
        return;
    struct fw_affine_accesses own = traffic->affine;
    own.at = own.at ? own.at + of->first : NULL;
    own.count = of->count;
    if (access->tile || !of->complete ||
        !requests_add_affine(asked, sampling, access, &own, memory, warps))
        requests_add_sampled(asked, sampling, access, fw_access_shift(kernel, access, alignments),
                             threads, warps);
    requests_add_predicated_off(asked, sampling, access);
    if (access->space == FW_SPACE_SHARED || of->count > 0)
        return;
    asked->non_affine_load_bytes += sampling->sector * (asked->load_sectors - before.load_sectors);
    asked->non_affine_store_bytes +=
        sampling->sector * (asked->store_sectors - before.store_sectors);
}

void fw_requests_find(struct fw_requests *asked, struct fw_arena *arena,
                      const struct fw_kernel *kernel, struct fw_bound *bound,
                      const struct fw_launch *launch, const struct fw_device *device,
                      const struct fw_kernel_accesses *traffic, const uint32_t *alignments)
{
    struct fw_sampling sampling = sampling_of(kernel, bound, launch, device);
    struct fw_warp_memo *memory =
        fw_warp_memo_new(arena, sampling.warp, sampling.sector, sampling.line);
    memset(asked, 0, sizeof(*asked));
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (!fw_random_access_stated(kernel, launch, a)) /* those are random_access.h's */
            add_access(asked, &sampling, memory, traffic, a, alignments);
    requests_add_others(asked, &sampling, device);
}

static double share_found(double asked, double loaded)
{
    return asked > 0 && loaded < asked ? 1 - loaded / asked : 0;
}

void fw_requests_apply_l1_hits(struct fw_requests *asked, double asked_bytes, double touched_bytes,
                               double loaded_bytes)
{
    double loads = asked->global_wavefronts - asked->store_wavefronts;
    double found = share_found(asked_bytes, loaded_bytes);
    double before = share_found(touched_bytes, loaded_bytes);
    if (asked->hit_wavefronts < loads)
        asked->global_wavefronts -= before * (loads - asked->hit_wavefronts);
    asked->global_wavefronts += asked->multi_line_passes * found * (1 - found);
    asked->multi_line_passes = 0;
    asked->hit_wavefronts = HUGE_VAL; /* settled */
}
