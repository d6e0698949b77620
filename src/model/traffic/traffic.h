/* The traffic model: what a launch moves through each level of the memory hierarchy, the service
 * time of each level, and the time that follows.
 *
 * Takes a kernel at a bound launch and a device profile, and the service times of other resources
 * from whoever knows them.  Gives volumes (volume.h), one limiter per level, and a time.  The time
 * comes from a simulation of some multiprocessors (life.h), whose blocks request each level in
 * turn, wait for its latency, and compete for it: section 5.8 of the paper (docs/memory-traffic.md)
 * found that a bare minimum of limiters cannot tell good configurations apart, and names latency as
 * missing.  If the profile lacks a level's property, the level has no limiter, and the answer says
 * so.  Never counts arithmetic. */
#ifndef FW_TRAFFIC_H
#define FW_TRAFFIC_H

#include "hit_rates.h"
#include "launch.h"
#include "occupancy.h"
#include "power.h"
#include "volume.h"

/* X(NAME, text, figure, unit, meaning) */
#define FW_TRAFFIC_LIMITERS(X)                                                                     \
    X(L1, "l1", SM_CLOCK, "wavefronts",                                                            \
      "wavefronts of the load-store unit, shared memory included")                                 \
    X(L2, "l2", L2_BANDWIDTH, "bytes", "bytes between L2 and L1, both ways")                       \
    X(DRAM, "dram", DRAM_COPY_BANDWIDTH, "bytes", "bytes between device memory and L2, both ways") \
    X(ATOMICS, "atomics", ATOMIC_PASSES, "operations",                                             \
      "atomic operations in L2, where those on one word wait for each other")                      \
    X(CONSTANT, "constant", CONSTANT_REQUESTS, "requests",                                         \
      "distinct addresses of loads from constant memory, misses of their nearest cache included")  \
    X(TEXTURE, "texture", LANES_TEXTURE, "results", "texture and surface instructions")            \
    X(TLB, "tlb", TLB_MISSES, "misses", "TLB misses")                                              \
    X(LATENCY, "latency", LATENCY_L2, "cycles", "latency of blocks that run one after another")    \
    X(DISPATCH, "dispatch", EMPTY_KERNEL, "blocks", "dispatch of blocks to multiprocessors")       \
    X(START_AND_END, "start_and_end", EMPTY_DURATION, "cycles",                                    \
      "start of the first block and end of the launch, as of a kernel that does nothing")

enum fw_traffic_limiter {
#define X(name, ...) FW_TRAFFIC_##name,
    FW_TRAFFIC_LIMITERS(X)
#undef X
        FW_TRAFFIC_LIMITER_COUNT
};

/* Service time of a resource other than memory. */
struct fw_traffic_other {
    const char *name;
    double seconds;
    double joules; /* of this work, without idle power; 0: not known */
    bool issues;   /* instruction issue: the profile says what share of its slots is filled */
    bool slow;     /* a unit that takes a warp's instruction for more than an issue slot */
};

struct fw_measured_volumes;
struct fw_sequence;

struct fw_traffic_options {
    bool cold;                    /* caches are flushed before the launch */
    struct fw_sequence *sequence; /* other launches ran before, in place of `cold`; NULL */
    double clock;                 /* hertz; 0: the profile's */
    const uint32_t *alignments;
    uint32_t registers; /* per thread; 0: the record's */
    bool hit_rates;     /* are asked for */
    /* Measured volumes that replace predicted ones (measured_volumes.h); NULL: none. */
    const struct fw_measured_volumes *measured;
    const struct fw_traffic_other *others;
    uint32_t other_count;
    struct fw_launch_volumes_kept **kept; /* of launch_volumes.h; NULL: volumes are found anew */
};

struct fw_traffic_term {
    const char *name; /* a limiter's text, or another resource's name */
    double seconds;
    double share; /* relative to the slowest term */
    double amount, rate;
    enum fw_figure figure;
    const char *unit, *meaning;
};

struct fw_traffic {
    struct fw_measured_volumes *predicted; /* the volumes that measured ones replaced; NULL */
    struct fw_requests requests;
    struct fw_volumes volumes;
    double l2_to_l1, l1_to_l2; /* bytes, including accesses without an affine form */
    double lsu_wavefronts;
    struct fw_hit_rates hit_rates; /* where they were asked for */
    double tlb_misses;
    uint32_t sector; /* bytes */
    double seconds;
    bool has_power;
    struct fw_power power;         /* at full clock */
    struct fw_traffic_term *terms; /* slowest first */
    uint32_t term_count;
    bool has_occupancy;
    struct fw_occupancy occupancy;
    double waves;
    const struct fw_affine_accesses *accesses; /* what volumes.l2_miss_share is indexed by */
    const char **not_modelled;                 /* sentences */
    uint32_t not_modelled_count;
};

/* Predicts the bound launch; all results live in the arena.  FW_ERROR_INPUT (MOD002): the profile
 * lacks sizes that volumes need. */
enum fw_status fw_traffic_predict(struct fw_traffic **traffic, struct fw_arena *arena,
                                  const struct fw_kernel *kernel, struct fw_bound *bound,
                                  const struct fw_launch *launch, const struct fw_device *device,
                                  const struct fw_traffic_options *options,
                                  const struct fw_sink *sink);

#endif
