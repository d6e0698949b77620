/* Random accesses: accesses through an index, whose addresses depend on data of stated
 * distribution.  Each lane touches an independent, uniformly distributed element of a working set
 * of so many bytes; in a search by halves, step k one of 2^k places.
 *
 * Takes a record's accesses at a bound launch and the working sets that the launch states
 * (fw_launch's `spreads`).  Gives requests and volumes: the expected number of distinct sectors of
 * a warp, and the share that each cache still holds of earlier draws.  Never models an access whose
 * distribution is not stated: see access/random_address.h. */
#ifndef FW_RANDOM_ACCESS_H
#define FW_RANDOM_ACCESS_H

#include "launch.h"
#include "requests.h"
#include "volume.h"

/* What the random accesses of a launch request and move. */
struct fw_random_accesses {
    uint32_t count; /* number of accesses */
    double load_sectors, store_sectors, load_lines, store_lines, partial_store_sectors, wavefronts;
    double l2_to_l1, l1_to_l2, dram_read, dram_write; /* bytes */
    double tlb_misses;                /* requests to L2 whose page translation misses (tlb.h) */
    double fill_read;                 /* of dram_read: to complete partly written sectors */
    double read_pieces, write_pieces; /* of dram_read and dram_write: contiguous bytes alone */
    struct fw_random_hits {
        bool drawn;    /* a load that is modelled here */
        double l1, l2; /* the shares of its sectors that hit in L1, and of the others in L2 */
        double lines;  /* that the lanes of a warp request at a time */
    } * hits;          /* by access of the record */
};

/* Models all random accesses of the bound launch; `hits` is the arena's.  `volumes`: of the other
 * accesses, which stream through the same caches.  `data`: of the same launch.  `requests`: those
 * of the others; what is sampled by the same sizes joins their samples, so that whoever asks for
 * them later finds it; NULL: there are none. */
void fw_random_accesses_find(struct fw_random_accesses *random, struct fw_arena *arena,
                             const struct fw_kernel *kernel, struct fw_bound *bound,
                             const struct fw_launch *launch, const struct fw_caches *caches,
                             const struct fw_volumes *volumes, struct fw_data_addresses *data,
                             const struct fw_requests *requests);

/* The share of `draws` that hit in a cache of `bytes`: granules of `granule` bytes, in lines of
 * `line` bytes, uniformly over `extent` bytes; `streamed` bytes of other data pass between two
 * draws.  `warm`: the same draws ran just before. */
double fw_random_hit_share(double draws, double extent, double granule, double line, double bytes,
                           double streamed, bool warm);

/* The same for L2, which replaces lines at random.  Source: data/h200/sectors: load from 64 to 256
 * MB; the counters of a gather from 32 MB beside two streams, of which a quarter misses. */
double fw_random_l2_hit_share(double draws, double extent, double granule, double line,
                              double bytes, double streamed, bool warm);

#endif
