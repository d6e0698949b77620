/* Hit rates from volumes: what is looked up, and what of it is fetched from the level below. */
#include "hit_rates.h"

#include <math.h>

/* Sectors that atomic operations look up: one a pass. */
static double atomic_sectors(const struct fw_atomics *atomics)
{
    double sum = 0;
    for (uint32_t a = 0; a < atomics->count; a++)
        for (int k = 0; k < FW_ATOMIC_KIND_COUNT; k++)
            sum += atomics->at[a].passes[k] + atomics->at[a].whole[k];
    return sum;
}

static double share(double hits, double lookups)
{
    return lookups > 0 ? fmin(1, fmax(0, hits / lookups)) : (double)NAN;
}

/* L1 writes through, and looks stores up nevertheless: one hits where its sector is there, from a
 * load or a store before.  Source: counters of an H200 of copies within one array (half of their
 * lookups hit), of z = a * x + y (none), of y = a * x + y (a third).  Of requests that neighbouring
 * multiprocessors make together each misses in its own L1. */
static double l1_share(const struct fw_launch_volumes *found, double l2_to_l1)
{
    const struct fw_requests *requests = &found->requests;
    const double sector = found->caches.sector;
    const double loads = requests->load_sectors + requests->local_load_sectors;
    const double stores = requests->store_sectors, local = requests->local_store_sectors;
    const double merged = found->volumes.merged_bytes - found->volumes.left_bytes;
    double misses = fmin(loads, (l2_to_l1 + merged) / sector);
    double first = found->volumes.stored_first + requests->non_affine_store_bytes;
    misses += fmin(stores, first / sector + found->random.store_sectors);
    if (requests->local_load_sectors > 0) /* stores of local memory find as much as loads */
        misses += local * fmin(1, found->local_l2_to_l1 / sector / requests->local_load_sectors);
    return share(loads + stores + local - misses, loads + stores + local);
}

/* The share of sectors from device memory that come with the one that was asked for: a miss fetches
 * pairs of sectors.  Lanes that ask for single sectors of lines find every other one; those that
 * ask for whole pairs miss both.  Source: counters of an H200 of rows that each thread goes through
 * by itself. */
static double fetched_along(const struct fw_launch_volumes *found)
{
    const struct fw_requests *requests = &found->requests;
    const double pair = (double)found->caches.fetch / found->caches.sector;
    if (!(requests->load_lines > 0) || !(pair > 1))
        return 0;
    const double together = fmax(1, requests->load_sectors / requests->load_lines);
    const double used = fmax(0, pair - found->volumes.fetch_density) / (pair - 1);
    return fmax(0, 1 - together / pair) * fmin(1, used);
}

/* A lookup in the part of L2 that is near to a multiprocessor is followed by one in the part that a
 * line belongs to, where that is another one: of stores, and of the first load of a line, which
 * misses in the near part even if L2 holds it; later loads find it there.  Source: lts__t_sectors
 * of `in_place` in data/h200/isolated, 1.5 a stored sector and 1 for one that is loaded again; two
 * thirds of the lookups of data hit that L2 holds and a launch reads once (data/h200/stalls,
 * found).  Stores hit: L2 makes room for them.  The rest of a sector that they write a part of is
 * fetched, which is a lookup that misses. */
static double l2_share(const struct fw_launch_volumes *found, const struct fw_units *units,
                       double l2_to_l1, double l1_to_l2, double read)
{
    const struct fw_caches *caches = &found->caches;
    const double far = caches->whole_l2_bytes > 0
                           ? fmax(0, 1 - caches->l2_partition_bytes / caches->whole_l2_bytes)
                           : 0;
    const double fill = fmin(read, found->volumes.fill_read), loads = l2_to_l1 / caches->sector;
    const double misses = fmin(loads, (read - fill) / caches->sector * (1 - fetched_along(found)));
    const double first =
        fmin(loads, fmax(read - fill, found->volumes.read_footprint) / caches->sector);
    const double stores = (1 + far) * (l1_to_l2 / caches->sector + atomic_sectors(&units->atomics));
    return share(loads - misses + stores, loads + far * first + stores + fill / caches->sector);
}

struct fw_hit_rates fw_hit_rates_find(const struct fw_launch_volumes *found,
                                      const struct fw_units *units, double l2_to_l1,
                                      double l1_to_l2, double read)
{
    return (struct fw_hit_rates){l1_share(found, l2_to_l1),
                                 l2_share(found, units, l2_to_l1, l1_to_l2, read)};
}
