/* The nearest cache of constant memory: which loads miss it.
 *
 * Takes a record's loads from constant memory at a bound launch, and the requests of their warps
 * (requests.h: one for each distinct address of a warp).  Loads whose address differs between the
 * threads of a warp, or that data decide, may touch all of their arrays, in no order that warps
 * share: of arrays larger than the cache, each request finds what the cache holds of them.  Loads
 * that all threads make from one address walk together, so that their misses are few; they count as
 * hits.  Where an index that all threads share moves, the load is one of the scalar datapath
 * (ULDC on sm_90).  Never gives a time: the rates and latencies are the profile's. */
#ifndef FW_CONSTANT_CACHE_H
#define FW_CONSTANT_CACHE_H

#include "requests.h"

struct fw_constant_misses {
    double bytes;      /* of the arrays that warps walk apart */
    double miss_share; /* of their requests; 0: the cache holds the arrays */
    double misses;     /* requests of the launch */
    double scalar;     /* loads of warps on the scalar datapath, at addresses that are not fixed */
    double scalar_bytes; /* of the arrays that these walk */
};

/* Finds the misses of a launch in a cache of `cache` bytes (0: not known, and nothing misses).
 * `accesses`: of the same launch. */
void fw_constant_misses_find(struct fw_constant_misses *misses, const struct fw_kernel *kernel,
                             struct fw_bound *bound, const struct fw_launch *launch,
                             const struct fw_kernel_accesses *accesses, double cache);

/* Whether an access is a load from constant memory whose address differs between the threads of a
 * warp, or depends on data. */
bool fw_constant_is_apart(const struct fw_kernel *kernel, const struct fw_access *access);

/* Whether it is one on the scalar datapath: its address is that of all threads and is not fixed, it
 * is in one loop, which all threads leave together, and no f32 arithmetic, which on sm_90 reads no
 * scalar, takes it.  Source: ptxas 13.0's code of the eleven families of
 * data/h200/synthetic/learned that index constant memory. */
bool fw_constant_is_scalar(const struct fw_kernel *kernel, const struct fw_access *access);

#endif
