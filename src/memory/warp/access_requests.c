#include "requests_internal.h"

#include "l1_tags.h"
#include "local_memory.h"
#include "predication.h"
#include "warp.h"
#include "wmma_fragment.h"

#include <math.h>

/* Boxes that count more instructions than the access has, by this factor, share warps. */
static const double shared_warps = 1.05;

static bool in_loop(const struct fw_kernel *kernel, const struct fw_access *access)
{
    return kernel->domains[access->domain].innermost != FW_NONE;
}

/* Whether an access whose address data decide has strides all the same: see data_address.h. */
static bool is_moved(const struct fw_sampling *sampling, const struct fw_access *access)
{
    uint32_t index = (uint32_t)(access - sampling->kernel->accesses);
    return fw_data_access(sampling->data, index)->model == FW_DATA_MOVED;
}

static void add_stores(struct fw_requests *requests, const struct fw_kernel *kernel,
                       const struct fw_access *access, double instructions, double wavefronts)
{
    bool looped = in_loop(kernel, access);
    requests->store_instructions += instructions;
    requests->store_wavefronts += wavefronts;
    requests->loop_store_instructions += looped ? instructions : 0;
    requests->loop_store_wavefronts += looped ? wavefronts : 0;
}

/* What the mean of a full warp is where lanes are left each for itself, in the mean of the warps
 * that have some: of the lanes that share a sector (a line, a wavefront), one that is left asks for
 * it. The least is what one lane asks for. */
static double of_lanes_left(double mean, struct fw_lane_share left)
{
    const double lanes = fmin(FW_WARP_THREADS, FW_WARP_THREADS / mean);
    if (!(left.share > 0) || !(mean > 0))
        return mean;
    return mean * fw_some_lane(left, lanes) / fw_some_lane(left, FW_WARP_THREADS);
}

/* The same of all that sampled warps ask for. */
static void leave_lanes(struct fw_sampled_warps *means, struct fw_lane_share left)
{
    double *const each[] = {
        &means->sectors, &means->wavefronts, &means->hit_wavefronts, &means->multi_line_passes,
        &means->lookups, &means->lines,      &means->passes,         &means->partial_sectors};
    if (!(left.share < 1) || !(means->warps > 0))
        return;
    for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
        *each[i] = means->warps * of_lanes_left(*each[i] / means->warps, left);
}

void requests_add_words(struct fw_requests *requests, const struct fw_sampling *sampling,
                        const struct fw_access *access, double warps)
{
    struct fw_sampled_warps means;
    fw_sample_warps(&means, sampling, access, 0);
    if (!means.seen)
        leave_lanes(&means, fw_bound_lane_share(sampling->bound, access->domain));
    requests->not_sampled += means.skipped;
    double each = means.known ? warps / means.warps : 0;
    requests->unknown_requests += means.known ? 0 : warps;
    if (access->space == FW_SPACE_CONST) {
        requests->constant_requests += each * means.sectors;
        return;
    }
    if (access->direction == FW_LOAD) {
        requests->local_load_sectors += each * means.sectors;
        requests->global_wavefronts += each * means.hit_wavefronts;
        requests->hit_wavefronts += each * means.hit_wavefronts;
        return;
    }
    requests->local_store_sectors += each * means.sectors;
    requests->local_store_lines += each * means.lines;
    requests->local_partial_sectors += each * means.partial_sectors;
    requests->global_wavefronts += each * means.wavefronts;
    add_stores(requests, sampling->kernel, access, warps * fw_local_words(access),
               each * means.wavefronts);
}

/* Adds the bytes of bulk copies whose place is not known: whole sectors, which no load-store unit
 * asks for and nobody gathers.  Which of them are read again is not known. */
static void add_bulk(struct fw_requests *requests, const struct fw_sampling *sampling,
                     const struct fw_access *access, double copies)
{
    double bytes;
    fw_bound_access_bytes(sampling->bound, access, &bytes);
    const bool load = access->direction == FW_LOAD;
    *(load ? &requests->load_sectors : &requests->store_sectors) +=
        copies * bytes / sampling->sector;
    *(load ? &requests->load_lines : &requests->store_lines) += copies * bytes / sampling->line;
}

void requests_add_sampled(struct fw_requests *requests, const struct fw_sampling *sampling,
                          const struct fw_access *access, uint32_t shift, double threads,
                          double warps)
{
    struct fw_sampled_warps means;
    if (access->bulk && access->data_dependent && access->space == FW_SPACE_GLOBAL) {
        add_bulk(requests, sampling, access, threads);
        return;
    }
    fw_sample_warps(&means, sampling, access, shift);
    requests->not_sampled += means.skipped;
    double sampled = means.warps > 0 ? means.warps : 1;
    bool at_most = !fw_bound_count_warps(sampling->bound, access->domain)->exact;
    const struct fw_lane_share left = fw_bound_lane_share(sampling->bound, access->domain);
    const bool measured =
        left.share < 1 || fw_bound_warps_measured(sampling->bound, access->domain);
    double apart = fw_bound_count_warps_apart(sampling->bound, access->domain);
    /* Pieces that share warps count these warps once each; where it is known how many share them,
     * the mean of the lanes says more of what a request moves than the mean of the warps. */
    if (!measured && (at_most || apart > warps) && means.known &&
        threads * sampled / means.lanes < apart)
        warps = threads * sampled / means.lanes;
    if (!means.seen)
        leave_lanes(&means, left);
    /* fw_bound_count_warps counts warps of 32: use the mean lanes per warp instead. */
    if (sampling->warp != FW_WARP_THREADS)
        warps = means.known ? threads * sampled / means.lanes : threads / sampling->warp;
    uint32_t instructions = 1;
    if (access->tile) {
        struct fw_fragment_requests fragment = fw_fragment_requests(access->tile, access->space);
        instructions = fragment.count;
        requests->shared_wavefronts += warps * fragment.transposes;
    }
    if (access->space == FW_SPACE_SHARED && !access->bulk &&
        fw_access_machine_bytes(sampling->kernel, access) == 0)
        return; /* the assembler merges it into the wide access of a neighbour */
    if (access->space == FW_SPACE_SHARED) {
        requests->shared_wavefronts += warps * (means.known ? means.passes / sampled : 1) /
                                       fw_access_issued_every(sampling->kernel, access);
        return;
    }
    double sectors = means.known ? warps * means.sectors / sampled : threads;
    double wavefronts =
        means.known ? warps * means.wavefronts / sampled : threads / fw_random_lines_per_wavefront;
    if (access->direction == FW_LOAD) {
        requests->load_instructions += warps * instructions;
        requests->loop_load_instructions +=
            in_loop(sampling->kernel, access) ? warps * instructions : 0;
        requests->multi_line_passes += means.known ? warps * means.multi_line_passes / sampled : 0;
        requests->hit_wavefronts +=
            means.known ? warps * means.hit_wavefronts / sampled : wavefronts;
    }
    bool modelled = means.known && (!means.random_address || is_moved(sampling, access));
    const bool waits = access->direction == FW_LOAD || access->returns;
    requests->unknown_requests += modelled || !waits ? 0 : warps;
    if (access->direction != FW_LOAD)
        add_stores(requests, sampling->kernel, access, warps * instructions, wavefronts);
    *(access->direction == FW_LOAD ? &requests->load_sectors : &requests->store_sectors) += sectors;
    double lines = means.known ? warps * means.lines / sampled : threads;
    *(access->direction == FW_LOAD ? &requests->load_lines : &requests->store_lines) += lines;
    if (access->direction != FW_LOAD)
        requests->partial_store_sectors +=
            means.known ? warps * means.partial_sectors / sampled : threads;
    requests->global_wavefronts += wavefronts;
    *(access->direction == FW_LOAD ? &requests->load_lookups : &requests->store_lookups) +=
        means.known ? warps * means.lookups / sampled : 0;
}

bool requests_add_affine(struct fw_requests *requests, const struct fw_sampling *sampling,
                         const struct fw_access *access, const struct fw_affine_accesses *accesses,
                         struct fw_warp_memo *memo, double warps)
{
    struct fw_warp_totals totals;
    if (accesses->count == 0)
        return false;
    fw_warp_totals_find(&totals, memo, accesses);
    double instructions = totals.load_instructions + totals.store_instructions;
    double apart = fw_bound_count_warps_apart(sampling->bound, access->domain);
    if (!(instructions > 0) || instructions > shared_warps * apart)
        return false;
    double once = instructions > warps ? warps / instructions : 1;
    requests->load_sectors += totals.load_sectors;
    requests->store_sectors += totals.store_sectors;
    requests->load_lines += totals.load_lines;
    requests->store_lines += totals.store_lines;
    requests->partial_store_sectors += totals.partial_store_sectors;
    requests->global_wavefronts += totals.load_wavefronts + totals.store_wavefronts;
    requests->load_instructions += once * totals.load_instructions;
    requests->loop_load_instructions +=
        in_loop(sampling->kernel, access) ? once * totals.load_instructions : 0;
    requests->multi_line_passes += totals.multi_line_passes;
    requests->hit_wavefronts += totals.hit_wavefronts;
    requests->load_lookups += totals.load_lookups;
    requests->store_lookups += totals.store_lookups;
    if (access->direction != FW_LOAD)
        add_stores(requests, sampling->kernel, access, warps, totals.store_wavefronts);
    return true;
}

void requests_add_predicated_off(struct fw_requests *requests, const struct fw_sampling *sampling,
                                 const struct fw_access *access)
{
    double idle = fw_predicated_off_warps(sampling, access);
    bool shared = access->space == FW_SPACE_SHARED;
    *(shared ? &requests->shared_wavefronts : &requests->global_wavefronts) += idle;
    requests->hit_wavefronts += shared ? 0 : idle;
}
