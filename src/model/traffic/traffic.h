/* The traffic model: what a launch moves through each level of the memory hierarchy, what each
 * level needs for it, and the time that follows.
 *
 * Takes a kernel at a bound launch and a device profile, and terms of resources that have nothing
 * to do with memory from whoever knows them.  Gives volumes (volume.h), one limiter a level, and a
 * time in which they come together: a multiprocessor's life (life.h), whose blocks ask every level
 * in turn, wait for its latency, and wait for each other (the traffic paper's section 5.8 found a
 * bare minimum of limiters unable to tell good configurations apart, and names latency as missing).
 * A level whose figure the profile lacks has no limiter, and is named. */
#ifndef FW_TRAFFIC_H
#define FW_TRAFFIC_H

#include "requests.h"
#include "launch.h"
#include "occupancy.h"
#include "power.h"
#include "volume.h"

/* X(NAME, text, figure, unit, meaning) */
#define FW_TRAFFIC_LIMITERS(X)                                                                     \
    X(L1, "l1", SM_CLOCK, "wavefronts",                                                            \
      "wavefronts of the load-store unit, shared memory's included")                               \
    X(L2, "l2", L2_BANDWIDTH, "bytes", "bytes between L2 and L1, both ways")                       \
    X(DRAM, "dram", DRAM_COPY_BANDWIDTH, "bytes", "bytes between device memory and L2, both ways") \
    X(TLB, "tlb", TLB_MISSES, "misses", "pages whose translations are not kept")                   \
    X(LATENCY, "latency", LATENCY_L2, "cycles",                                                    \
      "blocks that wait for their data, one after another")                                        \
    X(DISPATCH, "dispatch", EMPTY_KERNEL, "blocks", "blocks handed to multiprocessors")

enum fw_traffic_limiter {
#define X(name, ...) FW_TRAFFIC_##name,
    FW_TRAFFIC_LIMITERS(X)
#undef X
        FW_TRAFFIC_LIMITER_COUNT
};

/* Seconds that a resource of another model needs. */
struct fw_traffic_other {
    const char *name;
    double seconds;
    double joules; /* of this work, above idling; 0: none that is known */
    bool issues;   /* the issue of instructions: a profile says what share of its slots is filled */
};

struct fw_measured_volumes;

struct fw_traffic_options {
    bool cold;    /* caches flushed before the launch */
    double clock; /* hertz; 0: the profile's */
    const uint32_t *alignments;
    uint32_t registers; /* of a thread; 0: the record's */
    /* Instead of predicted volumes (measured_volumes.h); NULL. */
    const struct fw_measured_volumes *measured;
    const struct fw_traffic_other *others;
    uint32_t other_count;
};

struct fw_traffic_term {
    const char *name; /* a limiter's text, or another's name */
    double seconds;
    double share; /* of the slowest */
    double amount, rate;
    enum fw_figure figure;
    const char *unit, *meaning;
};

struct fw_traffic {
    struct fw_measured_volumes *predicted; /* volumes that measured ones replaced; NULL */
    struct fw_requests requests;
    struct fw_volumes volumes;
    double l2_to_l1, l1_to_l2; /* bytes, accesses without a form included */
    double lsu_wavefronts;
    double tlb_misses;
    double seconds;
    bool has_power;
    struct fw_power power;         /* at full clock */
    struct fw_traffic_term *terms; /* slowest first */
    uint32_t term_count;
    bool has_occupancy;
    struct fw_occupancy occupancy;
    double waves;
    const struct fw_affine_accesses *accesses; /* what volumes.fresh is about */
    const char **not_modelled;                 /* sentences */
    uint32_t not_modelled_count;
};

/* Predicts the launch that `bound` is bound to; all results live in the arena.  FW_ERROR_INPUT
 * (MOD002): the profile lacks sizes that volumes need. */
enum fw_status fw_traffic_predict(struct fw_traffic **traffic, struct fw_arena *arena,
                                  const struct fw_kernel *kernel, struct fw_bound *bound,
                                  const struct fw_launch *launch, const struct fw_device *device,
                                  const struct fw_traffic_options *options,
                                  const struct fw_sink *sink);

/* A limiter's text. */
const char *fw_traffic_text(enum fw_traffic_limiter limiter);

#endif
