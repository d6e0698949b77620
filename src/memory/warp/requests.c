#include "requests.h"

#include "local_memory.h"
#include "memory_sizes.h"
#include "random_address.h"
#include "nested.h"
#include "requests_internal.h"
#include "warp.h"

#include <math.h>
#include <string.h>

static struct fw_sampling sampling_of(const struct fw_kernel *kernel, struct fw_bound *bound,
                                      const struct fw_launch *launch,
                                      const struct fw_device *device)
{
    struct fw_sampling sampling = {.kernel = kernel, .bound = bound, .launch = launch};
    sampling.sector = (uint32_t)fw_device_count(device, FW_FIGURE_SECTOR_BYTES, FW_SECTOR_BYTES);
    sampling.line = (uint32_t)fw_device_count(device, FW_FIGURE_LINE_BYTES, FW_LINE_BYTES);
    sampling.banks = (uint32_t)fw_device_count(device, FW_FIGURE_SHARED_BANKS, FW_SHARED_BANKS);
    sampling.width = (uint32_t)fw_device_count(device, FW_FIGURE_SHARED_BANK_BYTES, FW_WORD_BYTES);
    sampling.warp = (uint32_t)fw_device_count(device, FW_FIGURE_WARP_SIZE, FW_WARP_THREADS);
    if (sampling.warp == 0 || sampling.warp > FW_WARP_MAX_LANES)
        sampling.warp = FW_WARP_THREADS;
    return sampling;
}

static enum fw_address_known known_of(const struct fw_access *access,
                                      const struct fw_access_affine *of)
{
    if (access->data_dependent)
        return FW_ADDRESS_OF_DATA;
    if (access->space != FW_SPACE_SHARED && of->count == 0)
        return FW_ADDRESS_UNKNOWN;
    return of->linearized ? FW_ADDRESS_LINEARIZED : FW_ADDRESS_EXACT;
}

/* Adds what an access has added since `before`. */
static void add_part(struct fw_request_part *part, const struct fw_requests *before,
                     const struct fw_requests *after)
{
    part->sectors +=
        after->load_sectors + after->store_sectors - before->load_sectors - before->store_sectors;
    part->wavefronts += after->global_wavefronts + after->shared_wavefronts -
                        before->global_wavefronts - before->shared_wavefronts;
    part->non_affine_bytes += after->non_affine_load_bytes + after->non_affine_store_bytes -
                              before->non_affine_load_bytes - before->non_affine_store_bytes;
}

/* Adds the lines of an access in a loop that has added them since `before`. */
static void add_loop_lines(struct fw_requests *requests, const struct fw_requests *before)
{
    double stored = requests->store_lines - before->store_lines;
    requests->loop_store_lines += stored;
    requests->loop_lines += stored + requests->load_lines - before->load_lines +
                            requests->shared_wavefronts - before->shared_wavefronts;
}

/* What L2 is asked for beside a tensor copy's own bytes: nothing of it is asked for again. */
static void add_granules(struct fw_requests *requests, const struct fw_sampling *sampling,
                         const struct fw_access *access, double copies)
{
    if (access->asked <= access->bytes || access->direction != FW_LOAD)
        return;
    const double bytes = copies * (access->asked - access->bytes);
    requests->load_sectors += bytes / sampling->sector;
    requests->load_lines += bytes / sampling->line;
    requests->non_affine_load_bytes += bytes;
}

/* Adds what the load-store unit takes beyond its wavefronts for `warps` instructions of an access
 * that has added those since `before`: an instruction takes `least` cycles or more.  Source:
 * `lsu_request`, data/h200/isolated, which the trace model holds each request to, too. */
static void add_single_waits(struct fw_requests *requests, const struct fw_requests *before,
                             double warps, double least)
{
    double wavefronts = requests->global_wavefronts + requests->shared_wavefronts -
                        before->global_wavefronts - before->shared_wavefronts;
    if (wavefronts > 0)
        requests->single_waits += fmax(0, least * fmin(warps, wavefronts) - wavefronts);
}

static void add_access(struct fw_requests *requests, const struct fw_sampling *sampling,
                       struct fw_warp_memo *memo, const struct fw_kernel_accesses *accesses_of,
                       uint32_t index, const uint32_t *alignments, double least)
{
    const struct fw_kernel *kernel = sampling->kernel;
    const struct fw_access *access = &kernel->accesses[index];
    const struct fw_access_affine *of = &accesses_of->by_access[index];
    double threads = fw_bound_count(sampling->bound, access->domain)->estimate;
    double warps = fw_bound_count_warps(sampling->bound, access->domain)->estimate;
    struct fw_requests before = *requests;
    if (threads > 0 && fw_local_is_modelled(kernel, access))
        requests_add_words(requests, sampling, access, warps);
    if (!of->analyzed)
        return;
    struct fw_affine_accesses own = accesses_of->affine;
    own.at = own.at ? own.at + of->first : NULL;
    own.count = of->count;
    if (access->tile || !of->complete ||
        !requests_add_affine(requests, sampling, access, &own, memo, warps))
        requests_add_sampled(requests, sampling, access,
                             fw_access_shift(kernel, access, alignments), threads, warps);
    if (of->count > 0) /* affine accesses stand for it, of which rounds know what they wait for */
        requests->unknown_requests = before.unknown_requests;
    requests_add_predicated_off(requests, sampling, access);
    if (access->space != FW_SPACE_SHARED && of->count == 0) {
        requests->unknown_stores += requests->store_instructions - before.store_instructions;
        requests->unknown_loop_stores +=
            requests->loop_store_instructions - before.loop_store_instructions;
        requests->non_affine_load_bytes +=
            sampling->sector * (requests->load_sectors - before.load_sectors);
        requests->non_affine_store_bytes +=
            sampling->sector * (requests->store_sectors - before.store_sectors);
    }
    add_granules(requests, sampling, access, threads);
    add_part(&requests->parts[known_of(access, of)], &before, requests);
    add_single_waits(requests, &before, warps, least);
    if (kernel->domains[access->domain].innermost != FW_NONE)
        add_loop_lines(requests, &before);
}

void fw_requests_find(struct fw_requests *requests, struct fw_arena *arena,
                      const struct fw_kernel *kernel, struct fw_bound *bound,
                      const struct fw_launch *launch, const struct fw_device *device,
                      const struct fw_kernel_accesses *accesses_of, const uint32_t *alignments)
{
    struct fw_sampling sampling = sampling_of(kernel, bound, launch, device);
    struct fw_warp_memo *memo =
        fw_warp_memo_new(arena, sampling.warp, sampling.sector, sampling.line);
    sampling.data = accesses_of->data;
    sampling.memo = fw_sample_memo_new(arena, NULL);
    sampling.nested = fw_find_nested(arena, kernel);
    memset(requests, 0, sizeof(*requests));
    double least;
    if (!fw_device_figure(device, FW_FIGURE_LSU_REQUEST, &least))
        least = 1;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (!(fw_random_access_extent(kernel, launch, sampling.data, a) >
              0)) /* cache/random_access.h models those */
            add_access(requests, &sampling, memo, accesses_of, a, alignments, least);
    requests_add_spills(requests, kernel, bound, sampling.sector);
    requests_add_others(requests, &sampling, device);
    requests->samples = sampling.memo;
    requests->sizes = (struct fw_request_sizes){sampling.sector, sampling.line, sampling.banks,
                                                sampling.width, sampling.warp};
}

static double hit_share(double requests, double loaded)
{
    return requests > 0 && loaded < requests ? 1 - loaded / requests : 0;
}

struct fw_sample_memo *fw_requests_samples(const struct fw_requests *requests,
                                           const struct fw_request_sizes *sizes)
{
    const bool same = requests && memcmp(&requests->sizes, sizes, sizeof(*sizes)) == 0;
    return same ? requests->samples : NULL;
}

void fw_requests_apply_l1_hits(struct fw_requests *requests, double requested_bytes,
                               double distinct_bytes, double loaded_bytes)
{
    double loads = requests->global_wavefronts - requests->store_wavefronts;
    double found = hit_share(requested_bytes, loaded_bytes);
    double before = hit_share(distinct_bytes, loaded_bytes);
    if (requests->hit_wavefronts < loads)
        requests->global_wavefronts -= before * (loads - requests->hit_wavefronts);
    requests->global_wavefronts += requests->multi_line_passes * found * (1 - found);
    requests->multi_line_passes = 0;
    requests->hit_wavefronts = HUGE_VAL; /* further calls change nothing */
}

double fw_requests_lookups(const struct fw_requests *requests)
{
    return requests->load_lookups + requests->store_lookups;
}
