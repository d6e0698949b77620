/* Forms of a kernel record: its accesses to device memory at a bound launch, as forms (form.h).
 *
 * Takes a record and a binding; gives a form for every part of an access whose address is linear in
 * block, thread and iteration, and says of the others what they are.  Conditions that cut a box out
 * of the launch are in the form; of other ones only how many points they leave.  Counts
 * instructions and sectors of all accesses, also of those without a form. */
#ifndef FW_FROM_KERNEL_H
#define FW_FROM_KERNEL_H

#include "device.h"
#include "form.h"
#include "launch.h"
#include "volume.h"

/* What warps ask of L1 and shared memory, over the launch. */
struct fw_asked {
    double load_sectors, store_sectors;
    double load_lines, store_lines; /* of each warp instruction, added up */
    double store_partial;           /* sectors that a warp instruction does not fill */
    double global_wavefronts;
    double store_wavefronts;  /* of those: of stores */
    double constant_requests; /* addresses of each warp's loads from constant memory, added up */
    double load_further; /* passes of loads that reach into several lines: tags.h */
    double load_found;   /* what loads would take of the wavefronts if all were in L1 */
    double stores;            /* instructions of warps */
    double loads, looped_loads; /* likewise; of those: in loops */
    double looped_stores, looped_wavefronts; /* of those and of theirs: in loops */
    double local_load_sectors, local_store_sectors; /* of local memory; not in the others */
    double shared_wavefronts; /* shared memory, shuffles, and reads of the thread's index */
    double unknown_accesses;  /* executions by warps of accesses without a known address */
};

struct fw_kernel_traffic {
    struct fw_forms forms;
    struct fw_asked asked;
    double loose_load_bytes, loose_store_bytes; /* sectors of accesses that have no form */
    uint32_t without_form;                      /* such accesses */
    bool partial;                               /* some conditions are not boxes */
    bool loop_waits;                            /* a barrier of the block stands in a loop */
};

/* All memory is the arena's.  `alignments`: bytes, by parameter; NULL: 256 for all. */
void fw_kernel_traffic(struct fw_kernel_traffic *traffic, struct fw_arena *arena,
                       const struct fw_kernel *kernel, struct fw_bound *bound,
                       const struct fw_launch *launch, const struct fw_device *device,
                       const uint32_t *alignments);

/* What warps ask for by accesses with forms, into what volume.h wants to know of it. */
void fw_kernel_asked(struct fw_caches *caches, const struct fw_kernel_traffic *traffic);

/* Wavefronts by how much is found in L1: `asked` bytes of sectors by instructions, `touched` by
 * warps, `loaded` from L2.  A pass over several lines costs another where one is there and one is
 * not: f64 rows beside a line's begin that neighbours load as well take 2.5 wavefronts a warp
 * instead of 2 (cross_1_1 and five in data/h200/traffic), patterns of lanes alone 2.  What other
 * warps have loaded before is found without waiting: see fw_tag_found. */
void fw_asked_settle(struct fw_asked *asked, double asked_bytes, double touched_bytes,
                     double loaded_bytes);

#endif
