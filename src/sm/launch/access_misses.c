/* How often accesses miss in L1 and in L2, so that the volumes of src/memory come out. */
#include "access_costs_internal.h"

#include "brought_sectors.h"
#include "new_sectors.h"
#include "warp.h"

#include <math.h>

double costing_miss_weight(const struct costing *c, uint32_t access)
{
    const struct fw_trace_work *work = c->work;
    const struct fw_access_affine *of = &work->volumes.accesses.by_access[access];
    double sum = 0;
    for (uint32_t a = 0; a < of->count; a++)
        sum += work->volumes.volumes.l2_miss_share[of->first + a];
    return of->count ? c->l1[access].fetched * sum / of->count : 1;
}

/* What fits into one partition of L2, each multiprocessor finds in the near one; of more data, some
 * lie in the far one. */
void costing_find_far_share(struct fw_trace_work *work)
{
    const struct fw_volumes *volumes = &work->volumes.volumes;
    double bytes = volumes->read_footprint + volumes->write_footprint;
    double whole = fmax(1, (double)fw_device_count(work->question->device, FW_FIGURE_L2_BYTES, 0));
    double holds = fmin(1, work->volumes.caches.l2_bytes / whole); /* its effective size */
    double near = costing_ratio(holds * work->volumes.caches.l2_partition_bytes, bytes);
    work->far_share = bytes > 0 ? COSTING_FAR_SHARE * (1 - near) : 0;
}

/* Bytes that one execution of a load asks L2 for, in the mean. */
static double missed_bytes(const struct costing *c, uint32_t access)
{
    const struct l1_misses *misses = &c->l1[access];
    return misses->share * misses->part * c->requests[access].sectors * c->sector;
}

bool costing_is_affine_load(const struct costing *c, uint32_t access)
{
    const struct fw_kernel *kernel = c->work->question->kernel;
    const struct fw_random_hits *hits = c->work->volumes.random.hits;
    return kernel->accesses[access].direction == FW_LOAD &&
           costing_is_global(&kernel->accesses[access]) && c->warps[access] > 0 &&
           c->work->volumes.accesses.by_access[access].count > 0 && !(hits && hits[access].drawn);
}

/* How often a warp's load comes to sectors that its block has not just touched (new_sectors.h), in
 * the mean over what the access has become; what has no affine form comes from L2. */
static void find_new_sectors(struct costing *c)
{
    const struct fw_launch_volumes *found = &c->work->volumes;
    const struct fw_affine_accesses *accesses = &found->accesses.affine;
    struct fw_new_share *news = FW_ARRAY(c->work->arena, struct fw_new_share, accesses->count + 1);
    const struct fw_volume *loads = &found->volumes.l2_to_l1;
    double again = found->caches.requested_load_bytes - loads->compulsory;
    double lost = again > 0 ? costing_ratio(loads->capacity, again) : 0;
    fw_new_sectors_find(news, accesses, c->work->volumes.caches.sector, lost);
    fw_leave_out_brought(news, c->work->arena, accesses, c->order, &found->caches, lost);
    for (uint32_t a = 0; a < c->work->question->kernel->access_count; a++) {
        const struct fw_access_affine *of = &found->accesses.by_access[a];
        double bytes = 0, waits = 0, fetched = 0;
        c->l1[a] = (struct l1_misses){.share = 1, .part = 1, .fetched = 1};
        if (!costing_is_affine_load(c, a))
            continue;
        for (uint32_t i = of->first; i < of->first + of->count; i++) {
            bytes += news[i].split ? 1 : news[i].moved * news[i].misses;
            waits += news[i].split ? 1 : news[i].waited * news[i].misses;
            fetched += news[i].fetched;
        }
        c->l1[a].fetched = fetched / of->count;
        c->l1[a].comes = fmin(1, waits / of->count);
        c->l1[a].part = costing_ratio(bytes, waits);
        c->l1[a].leader =
            fw_trace_line_leaders(c->work->arena, &accesses->at[of->first],
                                  c->work->question->launch->block, &c->l1[a].sharers);
        c->l1[a].share = c->l1[a].comes / c->l1[a].sharers;
    }
}

/* Makes a load miss so many times as much.  Of a request whose lanes lie on lines of their own,
 * some are found before all of them are: a warp waits for one as for all. */
static void scale_misses(struct l1_misses *misses, double factor, double lines)
{
    double part = misses->part * factor;
    if (factor < 1)
        part = lines < FW_WARP_THREADS / 2.0 ? misses->part
                                             : fmin(misses->part, fmax(part, 1 / lines));
    else
        part = fmin(1, part);
    if (!(misses->part > 0))
        return;
    misses->share = fmin(1, misses->share * factor * misses->part / part);
    misses->part = part;
}

/* The shares of loads that miss in L1: in these proportions, so that the volume comes out. */
static void find_l1_misses(struct costing *c)
{
    enum { ROUNDS = 4 };
    const struct fw_kernel *kernel = c->work->question->kernel;
    const struct fw_volumes *volumes = &c->work->volumes.volumes;
    const double loaded = volumes->l2_to_l1.bytes + volumes->coalesced_bytes;
    c->asked = loaded > 0 ? volumes->l2_to_l1.bytes / loaded : 1;
    c->l1 = FW_ARRAY(c->work->arena, struct l1_misses, kernel->access_count + 1);
    find_new_sectors(c);
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0;
        for (uint32_t a = 0; a < kernel->access_count; a++)
            sum += costing_is_affine_load(c, a) ? c->warps[a] * missed_bytes(c, a) : 0;
        for (uint32_t a = 0; a < kernel->access_count && sum > 0; a++)
            if (costing_is_affine_load(c, a))
                scale_misses(&c->l1[a], loaded / sum, c->requests[a].lines);
    }
}

void costing_find_misses(struct costing *c)
{
    const struct fw_trace_work *work = c->work;
    const struct fw_kernel *kernel = work->question->kernel;
    const struct fw_launch_volumes *found = &work->volumes;
    double weighted = 0, loaded = found->volumes.l2_to_l1.bytes;
    const uint32_t *block = work->question->launch->block;
    fw_local_volumes_find(&c->local, kernel, &found->requests, &found->caches, work->grid,
                          (double)block[0] * block[1] * block[2],
                          loaded + found->requests.non_affine_load_bytes, &found->volumes);
    c->local_miss =
        costing_ratio(c->local.l2_to_l1, found->requests.local_load_sectors * c->sector);
    find_l1_misses(c);
    const double own = found->volumes.dram_write.bytes - found->volumes.carried_write;
    c->filled = own > 0 ? found->volumes.fill_read / own : 0;
    c->written = costing_ratio(own, found->l1_to_l2);
    for (uint32_t a = 0; a < kernel->access_count; a++) /* random ones have shares of their own */
        if (costing_is_affine_load(c, a))
            weighted += c->warps[a] * missed_bytes(c, a) * c->asked * costing_miss_weight(c, a);
    const struct fw_volumes *volumes = &found->volumes;
    double read = fmax(0, volumes->dram_read.bytes - volumes->fill_read - c->local.dram_read -
                              (found->random.dram_read - found->random.fill_read));
    c->l2_miss = weighted > 0 ? read / weighted : costing_ratio(read, loaded);
}
