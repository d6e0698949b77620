#include "asked.h"

#include "local.h"
#include "tile.h"
#include "warps.h"

#include <math.h>
#include <string.h>

enum { USUAL_WARP = 32 };

static bool in_loop(const struct fw_kernel *kernel, const struct fw_access *access)
{
    return kernel->domains[access->domain].innermost != FW_NONE;
}

static void add_stores(struct fw_asked *asked, const struct fw_kernel *kernel,
                       const struct fw_access *access, double instructions, double wavefronts)
{
    bool looped = in_loop(kernel, access);
    asked->stores += instructions;
    asked->store_wavefronts += wavefronts;
    asked->looped_stores += looped ? instructions : 0;
    asked->looped_wavefronts += looped ? wavefronts : 0;
}

void asked_add_words(struct fw_asked *asked, const struct fw_sampling *sampling,
                     const struct fw_access *access, double warps)
{
    struct fw_sampled means;
    fw_access_sample(&means, sampling, access, 0);
    double each = means.known ? warps / means.warps : 0;
    asked->unknown_accesses += means.known ? 0 : warps;
    if (access->space == FW_SPACE_CONST) {
        asked->constant_requests += each * means.sectors;
        return;
    }
    if (access->direction == FW_LOAD) {
        asked->local_load_sectors += each * means.sectors;
        asked->global_wavefronts += each * means.found;
        asked->load_found += each * means.found;
        return;
    }
    asked->local_store_sectors += each * means.sectors;
    asked->global_wavefronts += each * means.wavefronts;
    add_stores(asked, sampling->kernel, access, warps * fw_local_words(access),
               each * means.wavefronts);
}

void asked_add_sampled(struct fw_asked *asked, const struct fw_sampling *sampling,
                       const struct fw_access *access, uint32_t shift, double threads, double warps)
{
    struct fw_sampled means;
    fw_access_sample(&means, sampling, access, shift);
    double seen = means.warps > 0 ? means.warps : 1;
    bool at_most = !fw_bound_count_warps(sampling->bound, access->domain)->exact;
    if (at_most && means.known && threads * seen / means.lanes < warps)
        warps = threads * seen / means.lanes; /* parts that share warps were counted each */
    if (sampling->warp !=
        USUAL_WARP) /* warps are counted as those of 32: by their mean lanes, then */
        warps = means.known ? threads * seen / means.lanes : threads / sampling->warp;
    uint32_t instructions = 1;
    if (access->tile) {
        struct fw_tile_pieces pieces = fw_tile_pieces(access->tile, access->space);
        instructions = pieces.count;
        asked->shared_wavefronts += warps * pieces.exchanges;
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
        asked->loads += warps * instructions;
        asked->looped_loads += in_loop(sampling->kernel, access) ? warps * instructions : 0;
        asked->load_further += means.known ? warps * means.further / seen : 0;
        asked->load_found += means.known ? warps * means.found / seen : wavefronts;
    }
    asked->unknown_accesses += means.known && !means.drawn ? 0 : warps;
    if (access->direction != FW_LOAD)
        add_stores(asked, sampling->kernel, access, warps * instructions, wavefronts);
    *(access->direction == FW_LOAD ? &asked->load_sectors : &asked->store_sectors) += sectors;
    double lines = means.known ? warps * means.lines / seen : threads;
    *(access->direction == FW_LOAD ? &asked->load_lines : &asked->store_lines) += lines;
    if (access->direction != FW_LOAD)
        asked->store_partial += means.known ? warps * means.partial / seen : threads;
    asked->global_wavefronts += wavefronts;
}

bool asked_add_forms(struct fw_asked *asked, const struct fw_sampling *sampling,
                     const struct fw_access *access, const struct fw_forms *forms,
                     struct fw_warp_memory *memory, double warps)
{
    struct fw_warp_totals totals;
    if (forms->count == 0)
        return false;
    fw_warps_find(&totals, memory, forms);
    double instructions = totals.load_instructions + totals.store_instructions;
    if (!(instructions > 0) || instructions > 1.05 * warps)
        return false;
    asked->load_sectors += totals.load_sectors;
    asked->store_sectors += totals.store_sectors;
    asked->load_lines += totals.load_lines;
    asked->store_lines += totals.store_lines;
    asked->store_partial += totals.store_partial;
    asked->global_wavefronts += totals.load_wavefronts + totals.store_wavefronts;
    asked->loads += totals.load_instructions;
    asked->looped_loads += in_loop(sampling->kernel, access) ? totals.load_instructions : 0;
    asked->load_further += totals.load_further;
    asked->load_found += totals.load_found;
    if (access->direction != FW_LOAD)
        add_stores(asked, sampling->kernel, access, warps, totals.store_wavefronts);
    return true;
}

void asked_add_idle(struct fw_asked *asked, const struct fw_sampling *sampling,
                    const struct fw_access *access)
{
    double idle = fw_access_idle(sampling, access);
    bool shared = access->space == FW_SPACE_SHARED;
    *(shared ? &asked->shared_wavefronts : &asked->global_wavefronts) += idle;
    asked->load_found += shared ? 0 : idle;
}

static double warps_of(const struct fw_sampling *sampling)
{
    const uint32_t *size = sampling->launch->block, *grid = sampling->launch->grid;
    double warps = ceil((double)size[0] * size[1] * size[2] / sampling->warp);
    return warps * grid[0] * grid[1] * grid[2];
}

/* Reads of the thread's index go through shared memory's pipe: one an axis and warp, as counters
 * show. */
static double index_reads(const struct fw_sampling *sampling)
{
    bool used[3] = {false}, lane = false;
    const struct fw_pool *pool = &sampling->kernel->pool;
    for (uint32_t a = 0; a < pool->atoms.count; a++) {
        const struct fw_atom_node *node = &pool->atoms.at[a];
        if (node->kind == FW_ATOM_LAUNCH && node->a >= FW_THREAD_X && node->a <= FW_THREAD_Z)
            used[node->a - FW_THREAD_X] = true;
        lane |= node->kind == FW_ATOM_LAUNCH && node->a == FW_LANE;
    }
    return warps_of(sampling) * (used[0] + used[1] + used[2] + lane);
}

static double shuffles(const struct fw_sampling *sampling)
{
    double sum = 0;
    for (uint32_t i = 0; i < sampling->kernel->schedule_count; i++)
        if (strncmp(sampling->kernel->schedule[i].operation, "shfl", 4) == 0)
            sum += fw_bound_count_warps(sampling->bound, sampling->kernel->schedule[i].domain)
                       ->estimate;
    return sum;
}

/* How often the first store behind so many loads is tried again, in that of one load: grows as the
 * multiprocessor has more loads under way (sheet_float_R_1 in data/h200/traffic/streams.jsonl:
 * 0.54, 0.93, 1.18, 1.30, 1.48 wavefronts behind 1, 2, 3, 4 and 8). */
static double behind(double loads)
{
    static const double together = 2.1;
    return (1 - exp(-loads / together)) / (1 - exp(-1 / together));
}

/* Sectors of a load, in those of a store. */
static double as_much_each(const struct fw_asked *asked, double loaded, double stored)
{
    return loaded / asked->loads / (stored / asked->stores);
}

/* Stores that wait for memory are tried again: the counters show it in kernels that load as well,
 * of stores in loops (copies in data/h200/lanes: 0.36 of 4, 8 and 16 bytes alike), of the first of
 * a warp's stores elsewhere, and by a quarter of those that follow it (sheet_float_R_R). */
static void retry(struct fw_asked *asked, const struct fw_device *device, double warps)
{
    static const double following = 0.25;
    double share, stored = asked->store_sectors + asked->local_store_sectors;
    double loaded = asked->load_sectors + asked->local_load_sectors;
    double others = asked->stores - asked->looped_stores;
    double wavefronts = asked->store_wavefronts - asked->looped_wavefronts;
    if (!(stored > 0) || !fw_device_figure(device, FW_FIGURE_STORE_RETRIES, &share))
        return;
    double first = others > 0 ? fmin(1, warps / others) : 0, as_much = fmin(1, loaded / stored);
    double before = fmax(asked->loads - asked->looped_loads, fmin(warps, asked->loads)) / warps;
    double alike = asked->loads > 0 ? fmin(1, as_much_each(asked, loaded, stored)) : 0;
    double tried = asked->looped_wavefronts * as_much;
    tried += wavefronts * (first * alike * behind(before) + (1 - first) * following * as_much);
    double more = tried * share;
    asked->store_wavefronts += more;
    asked->global_wavefronts += more;
}

void asked_add_rest(struct fw_asked *asked, const struct fw_sampling *sampling,
                    const struct fw_device *device)
{
    retry(asked, device, warps_of(sampling));
    asked->shared_wavefronts += index_reads(sampling) + shuffles(sampling);
}

static double share_found(double asked, double loaded)
{
    return asked > 0 && loaded < asked ? 1 - loaded / asked : 0;
}

void fw_asked_settle(struct fw_asked *asked, double asked_bytes, double touched_bytes,
                     double loaded_bytes)
{
    double loads = asked->global_wavefronts - asked->store_wavefronts;
    double found = share_found(asked_bytes, loaded_bytes);
    double before = share_found(touched_bytes, loaded_bytes);
    if (asked->load_found < loads)
        asked->global_wavefronts -= before * (loads - asked->load_found);
    asked->global_wavefronts += asked->load_further * found * (1 - found);
    asked->load_further = 0;
    asked->load_found = HUGE_VAL; /* settled */
}
