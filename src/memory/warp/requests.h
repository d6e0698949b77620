/* Requests: what the warps of a launch request of L1, shared, local and constant memory.
 *
 * Takes a kernel record at a bound launch, its affine accesses (kernel_accesses.h) and a profile's
 * sizes.  Gives sectors, lines and wavefronts, summed over all warp instructions.  An access whose
 * affine form is complete is counted from it; all others from sampled warps.  Never models a cache:
 * fw_requests_apply_l1_hits takes L1's hit rate from whoever knows it. */
#ifndef FW_REQUESTS_H
#define FW_REQUESTS_H

#include "device.h"
#include "kernel_accesses.h"
#include "launch.h"

/* What is known of the address of an access. */
enum fw_address_known {
    FW_ADDRESS_EXACT,
    FW_ADDRESS_OF_DATA,    /* data decide it: see data_address.h */
    FW_ADDRESS_LINEARIZED, /* volumes take a line about the middle of the launch */
    FW_ADDRESS_UNKNOWN,    /* no affine form */
    FW_ADDRESS_KNOWN_COUNT
};

/* Requests of all accesses of one such kind. */
struct fw_request_part {
    double sectors, wavefronts; /* of shared memory: wavefronts alone */
    double non_affine_bytes;    /* of the sectors: of accesses without an affine form */
};

/* Requests of a launch, summed over all warps. */
struct fw_requests {
    struct fw_sample_memo *samples; /* of the accesses that were sampled, by these sizes */
    struct fw_request_sizes {
        uint32_t sector, line, banks, width, warp;
    } sizes;
    double load_sectors, store_sectors;
    double load_lines, store_lines; /* summed over warp instructions */
    double partial_store_sectors;   /* sectors of which a warp's store writes a part */
    double global_wavefronts;
    double store_wavefronts;  /* of global_wavefronts: stores */
    double constant_requests; /* distinct addresses of each warp's loads from constant memory */
    double multi_line_passes; /* load passes over several lines: see l1_tags.h */
    double hit_wavefronts;    /* global wavefronts of loads if all of them hit L1 */
    double load_lookups, store_lookups; /* of L1's tags, which look up one a cycle: l1_tags.h */
    double store_instructions;          /* of warps */
    double load_instructions, loop_load_instructions;      /* of warps; of these: in loops */
    double loop_store_instructions, loop_store_wavefronts; /* of the stores above: in loops */
    double loop_lines, loop_store_lines; /* in loops: load_lines, store_lines and shared_wavefronts
                                            in all; stores alone */
    double local_load_sectors,
        local_store_sectors; /* of local memory; not in load_sectors, store_sectors */
    double local_store_lines, local_partial_sectors; /* likewise, of its stores */
    double spilled_bytes;      /* local memory of a thread for registers that it spills */
    double spilled_loop_bytes; /* of these, what a loop stores in each iteration, at most */
    double shared_wavefronts;  /* shared memory, shuffles, and reads of the thread index */
    double single_waits;       /* cycles that instructions of one wavefront take beyond it */
    double unknown_requests;   /* warp instructions that wait for a result, whose addresses are not
                                  known and for which no affine access stands */
    double unknown_stores, unknown_loop_stores; /* of store_instructions, loop_store_instructions:
                                                   those for which none stands */
    uint32_t not_sampled; /* accesses, of too many that differ: see FW_MOST_SAMPLED */
    double non_affine_load_bytes,
        non_affine_store_bytes; /* sectors of accesses without an affine form */
    struct fw_request_part parts[FW_ADDRESS_KNOWN_COUNT]; /* of device and shared memory, before
                                                             hits in L1 are known */
};

/* Counts the requests of a launch.  `accesses` and `alignments`: as in fw_kernel_accesses_find.
 * `arena` holds a memo. */
void fw_requests_find(struct fw_requests *requests, struct fw_arena *arena,
                      const struct fw_kernel *kernel, struct fw_bound *bound,
                      const struct fw_launch *launch, const struct fw_device *device,
                      const struct fw_kernel_accesses *accesses, const uint32_t *alignments);

/* The accesses that were sampled for requests, where that was by these sizes; NULL: it was not, or
 * `requests` is NULL. */
struct fw_sample_memo *fw_requests_samples(const struct fw_requests *requests,
                                           const struct fw_request_sizes *sizes);

/* Adjusts the wavefronts of loads to L1's hit rate: `requested_bytes` are the sectors of all
 * instructions, `distinct_bytes` the distinct sectors of each warp, `loaded_bytes` what comes from
 * L2.  A pass over several lines of which one hits and one misses takes one more wavefront: f64
 * rows that begin beside a line and are also loaded by neighbours take 2.5 wavefronts per warp
 * instead of 2 (cross_1_1 and five in data/h200/traffic), but 2 if nobody else loads them
 * (data/h200/lanes).  Lines that other warps brought hit without waiting: see
 * fw_tag_hit_wavefronts. */
void fw_requests_apply_l1_hits(struct fw_requests *requests, double requested_bytes,
                               double distinct_bytes, double loaded_bytes);

/* Lookups of L1's tags, of loads and stores.  The tags look up one wavefront a cycle, the data
 * stage passes one a cycle: a launch takes as many cycles as the slower of them, which is the tags
 * where loads of many lines hit (data/h200/tags). */
double fw_requests_lookups(const struct fw_requests *requests);

#endif
