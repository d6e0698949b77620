#include "requests_internal.h"

#include <math.h>
#include <string.h>

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
static double as_much_each(const struct fw_requests *asked, double loaded, double stored)
{
    return loaded / asked->load_instructions / (stored / asked->store_instructions);
}

/* Stores that wait for memory are tried again: the counters show it in kernels that load as well,
 * of stores in loops (copies in data/h200/lanes: 0.36 of 4, 8 and 16 bytes alike), of the first of
 * a warp's stores elsewhere, and by a quarter of those that follow it (sheet_float_R_R). */
static void retry(struct fw_requests *asked, const struct fw_device *device, double warps)
{
    static const double following = 0.25;
    double share, stored = asked->store_sectors + asked->local_store_sectors;
    double loaded = asked->load_sectors + asked->local_load_sectors;
    double others = asked->store_instructions - asked->loop_store_instructions;
    double wavefronts = asked->store_wavefronts - asked->loop_store_wavefronts;
    if (!(stored > 0) || !fw_device_figure(device, FW_FIGURE_STORE_RETRIES, &share))
        return;
    double first = others > 0 ? fmin(1, warps / others) : 0, as_much = fmin(1, loaded / stored);
    double before = fmax(asked->load_instructions - asked->loop_load_instructions,
                         fmin(warps, asked->load_instructions)) /
                    warps;
    double alike = asked->load_instructions > 0 ? fmin(1, as_much_each(asked, loaded, stored)) : 0;
    double tried = asked->loop_store_wavefronts * as_much;
    tried += wavefronts * (first * alike * behind(before) + (1 - first) * following * as_much);
    double more = tried * share;
    asked->store_wavefronts += more;
    asked->global_wavefronts += more;
}

void requests_add_others(struct fw_requests *asked, const struct fw_sampling *sampling,
                         const struct fw_device *device)
{
    retry(asked, device, warps_of(sampling));
    asked->shared_wavefronts += index_reads(sampling) + shuffles(sampling);
}
