#include "requests_internal.h"

#include "local_memory.h"
#include "predication.h"
#include "wmma_fragment.h"

enum { USUAL_WARP = 32 };

static bool in_loop(const struct fw_kernel *kernel, const struct fw_access *access)
{
    return kernel->domains[access->domain].innermost != FW_NONE;
}

static void add_stores(struct fw_requests *asked, const struct fw_kernel *kernel,
                       const struct fw_access *access, double instructions, double wavefronts)
{
    bool looped = in_loop(kernel, access);
    asked->store_instructions += instructions;
    asked->store_wavefronts += wavefronts;
    asked->loop_store_instructions += looped ? instructions : 0;
    asked->loop_store_wavefronts += looped ? wavefronts : 0;
}

void requests_add_words(struct fw_requests *asked, const struct fw_sampling *sampling,
                        const struct fw_access *access, double warps)
{
    struct fw_sampled_warps means;
    fw_sample_warps(&means, sampling, access, 0);
    double each = means.known ? warps / means.warps : 0;
    asked->unknown_requests += means.known ? 0 : warps;
    if (access->space == FW_SPACE_CONST) {
        asked->constant_requests += each * means.sectors;
        return;
    }
    if (access->direction == FW_LOAD) {
        asked->local_load_sectors += each * means.sectors;
        asked->global_wavefronts += each * means.hit_wavefronts;
        asked->hit_wavefronts += each * means.hit_wavefronts;
        return;
    }
    asked->local_store_sectors += each * means.sectors;
    asked->global_wavefronts += each * means.wavefronts;
    add_stores(asked, sampling->kernel, access, warps * fw_local_words(access),
               each * means.wavefronts);
}

void requests_add_sampled(struct fw_requests *asked, const struct fw_sampling *sampling,
                          const struct fw_access *access, uint32_t shift, double threads,
                          double warps)
{
    struct fw_sampled_warps means;
    fw_sample_warps(&means, sampling, access, shift);
    double seen = means.warps > 0 ? means.warps : 1;
    bool at_most = !fw_bound_count_warps(sampling->bound, access->domain)->exact;
    if (at_most && means.known && threads * seen / means.lanes < warps)
        warps = threads * seen / means.lanes; /* parts that share warps were counted each */
    if (sampling->warp !=
        USUAL_WARP) /* warps are counted as those of 32: by their mean lanes, then */
        warps = means.known ? threads * seen / means.lanes : threads / sampling->warp;
    uint32_t instructions = 1;
    if (access->tile) {
        struct fw_fragment_requests pieces = fw_fragment_requests(access->tile, access->space);
        instructions = pieces.count;
        asked->shared_wavefronts += warps * pieces.transposes;
    }
    if (access->space == FW_SPACE_SHARED && !access->bulk &&
        fw_access_machine_bytes(sampling->kernel, access) == 0)
        return; /* a neighbour's access does it */
    if (access->space == FW_SPACE_SHARED) {
        asked->shared_wavefronts += warps * (means.known ? means.passes / seen : 1);
        return;
    }
    double sectors = means.known ? warps * means.sectors / seen : threads;
    double wavefronts = means.known ? warps * means.wavefronts / seen : threads / 2.5;
    if (access->direction == FW_LOAD) {
        asked->load_instructions += warps * instructions;
        asked->loop_load_instructions +=
            in_loop(sampling->kernel, access) ? warps * instructions : 0;
        asked->multi_line_passes += means.known ? warps * means.multi_line_passes / seen : 0;
        asked->hit_wavefronts += means.known ? warps * means.hit_wavefronts / seen : wavefronts;
    }
    asked->unknown_requests += means.known && !means.random_address ? 0 : warps;
    if (access->direction != FW_LOAD)
        add_stores(asked, sampling->kernel, access, warps * instructions, wavefronts);
    *(access->direction == FW_LOAD ? &asked->load_sectors : &asked->store_sectors) += sectors;
    double lines = means.known ? warps * means.lines / seen : threads;
    *(access->direction == FW_LOAD ? &asked->load_lines : &asked->store_lines) += lines;
    if (access->direction != FW_LOAD)
        asked->partial_store_sectors +=
            means.known ? warps * means.partial_sectors / seen : threads;
    asked->global_wavefronts += wavefronts;
}

bool requests_add_affine(struct fw_requests *asked, const struct fw_sampling *sampling,
                         const struct fw_access *access, const struct fw_affine_accesses *accesses,
                         struct fw_warp_memo *memory, double warps)
{
    struct fw_warp_totals totals;
    if (accesses->count == 0)
        return false;
    fw_warp_totals_find(&totals, memory, accesses);
    double instructions = totals.load_instructions + totals.store_instructions;
    if (!(instructions > 0) || instructions > 1.05 * warps)
        return false;
    asked->load_sectors += totals.load_sectors;
    asked->store_sectors += totals.store_sectors;
    asked->load_lines += totals.load_lines;
    asked->store_lines += totals.store_lines;
    asked->partial_store_sectors += totals.partial_store_sectors;
    asked->global_wavefronts += totals.load_wavefronts + totals.store_wavefronts;
    asked->load_instructions += totals.load_instructions;
    asked->loop_load_instructions +=
        in_loop(sampling->kernel, access) ? totals.load_instructions : 0;
    asked->multi_line_passes += totals.multi_line_passes;
    asked->hit_wavefronts += totals.hit_wavefronts;
    if (access->direction != FW_LOAD)
        add_stores(asked, sampling->kernel, access, warps, totals.store_wavefronts);
    return true;
}

void requests_add_predicated_off(struct fw_requests *asked, const struct fw_sampling *sampling,
                                 const struct fw_access *access)
{
    double idle = fw_predicated_off_warps(sampling, access);
    bool shared = access->space == FW_SPACE_SHARED;
    *(shared ? &asked->shared_wavefronts : &asked->global_wavefronts) += idle;
    asked->hit_wavefronts += shared ? 0 : idle;
}
