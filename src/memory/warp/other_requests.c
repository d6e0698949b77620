#include "requests_internal.h"

#include <math.h>
#include <string.h>

static double warps_of(const struct fw_sampling *sampling)
{
    const uint32_t *size = sampling->launch->block, *grid = sampling->launch->grid;
    double warps = ceil((double)size[0] * size[1] * size[2] / sampling->warp);
    return warps * grid[0] * grid[1] * grid[2];
}

/* The retries of a first store behind n loads grow as 1 - exp(-n / loads_in_flight), as a
 * multiprocessor has more loads in flight.  Source: sheet_float_R_1 in
 * data/h200/traffic/streams.jsonl: 0.54, 0.93, 1.18, 1.30, 1.48 wavefronts behind 1, 2, 3, 4 and 8
 * loads. */
static const double loads_in_flight = 2.1;

/* Retries of a warp's later stores, relative to its first one (sheet_float_R_R, ibid.). */
static const double following_store = 0.25;

/* Reads of the thread index go through the shared memory pipe: one per axis and warp, as the
 * counters of copy kernels on an H200 show. */
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

/* The relative rate at which the first store behind `loads` loads is retried; 1 behind one load. */
static double retry_growth(double loads)
{
    return (1 - exp(-loads / loads_in_flight)) / (1 - exp(-1 / loads_in_flight));
}

/* Sectors per load over sectors per store. */
static double sector_ratio(const struct fw_requests *requests, double loaded, double stored)
{
    return loaded / requests->load_instructions / (stored / requests->store_instructions);
}

/* Adds the store wavefronts that L1 retries while it waits for memory.  The profile states the
 * share for stores in loops.  Outside loops, a warp's first store retries more often behind more
 * loads, and later stores retry less. */
static void add_store_retries(struct fw_requests *requests, const struct fw_device *device,
                              double warps)
{
    double share, stored = requests->store_sectors + requests->local_store_sectors;
    double loaded = requests->load_sectors + requests->local_load_sectors;
    double others = requests->store_instructions - requests->loop_store_instructions;
    double wavefronts = requests->store_wavefronts - requests->loop_store_wavefronts;
    if (!(stored > 0) || !fw_device_figure(device, FW_FIGURE_STORE_RETRIES, &share))
        return;
    double first = others > 0 ? fmin(1, warps / others) : 0, as_much = fmin(1, loaded / stored);
    double before = fmax(requests->load_instructions - requests->loop_load_instructions,
                         fmin(warps, requests->load_instructions)) /
                    warps;
    double alike =
        requests->load_instructions > 0 ? fmin(1, sector_ratio(requests, loaded, stored)) : 0;
    double tried = requests->loop_store_wavefronts * as_much;
    tried += wavefronts *
             (first * alike * retry_growth(before) + (1 - first) * following_store * as_much);
    double more = tried * share;
    requests->store_wavefronts += more;
    requests->global_wavefronts += more;
}

void requests_add_others(struct fw_requests *requests, const struct fw_sampling *sampling,
                         const struct fw_device *device)
{
    add_store_retries(requests, device, warps_of(sampling));
    requests->shared_wavefronts += index_reads(sampling) + shuffles(sampling);
}
