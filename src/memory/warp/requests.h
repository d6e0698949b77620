/* Requests of a launch. */
#ifndef FW_REQUESTS_H
#define FW_REQUESTS_H

#include "device.h"
#include "kernel_accesses.h"
#include "launch.h"

/* What warps ask of L1 and shared memory, over the launch. */
struct fw_requests {
    double load_sectors, store_sectors;
    double load_lines, store_lines; /* of each warp instruction, added up */
    double partial_store_sectors;   /* sectors that a warp instruction does not fill */
    double global_wavefronts;
    double store_wavefronts;   /* of those: of stores */
    double constant_requests;  /* addresses of each warp's loads from constant memory, added up */
    double multi_line_passes;  /* passes of loads that reach into several lines: tags.h */
    double hit_wavefronts;     /* what loads would take of the wavefronts if all were in L1 */
    double store_instructions; /* instructions of warps */
    double load_instructions, loop_load_instructions;      /* likewise; of those: in loops */
    double loop_store_instructions, loop_store_wavefronts; /* of those and of theirs: in loops */
    double local_load_sectors, local_store_sectors;        /* of local memory; not in the others */
    double shared_wavefronts; /* shared memory, shuffles, and reads of the thread's index */
    double unknown_requests;  /* executions by warps of accesses without a known address */
    double non_affine_load_bytes,
        non_affine_store_bytes; /* sectors of accesses that have no form */
};

/* What the warps of a launch ask for.  Memory is the arena's; `traffic`: the kernel's accesses as
 * forms, `alignments`: as given for these. */
void fw_requests_find(struct fw_requests *asked, struct fw_arena *arena,
                      const struct fw_kernel *kernel, struct fw_bound *bound,
                      const struct fw_launch *launch, const struct fw_device *device,
                      const struct fw_kernel_accesses *traffic, const uint32_t *alignments);

/* Wavefronts by how much is found in L1: `asked` bytes of sectors by instructions, `touched` by
 * warps, `loaded` from L2.  A pass over several lines costs another where one is there and one is
 * not: f64 rows beside a line's begin that neighbours load as well take 2.5 wavefronts a warp
 * instead of 2 (cross_1_1 and five in data/h200/traffic), patterns of lanes alone 2.  What other
 * warps have loaded before is found without waiting: see fw_tag_hit_wavefronts. */
void fw_requests_apply_l1_hits(struct fw_requests *asked, double asked_bytes, double touched_bytes,
                               double loaded_bytes);

#endif
