/* Launch volumes: all that a launch requests of its memory hierarchy and moves through it, in one
 * step.
 *
 * Takes a record at a bound launch, a profile, and what is resident on a multiprocessor.  Asks the
 * rooms of src/memory in their order (affine accesses, requests, volumes, local memory, accesses at
 * random addresses) and adds up.  Gives requests and bytes for the whole launch, and the parts that
 * they came from.  Never gives a time: see src/memory/service. */
#ifndef FW_LAUNCH_VOLUMES_H
#define FW_LAUNCH_VOLUMES_H

#include "random_access.h"

struct fw_launch_question {
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const struct fw_device *device;
    const uint32_t *alignments;   /* bytes, by kernel parameter; NULL: 256 for all */
    bool cold;                    /* caches flushed before the launch */
    struct fw_sequence *sequence; /* other launches ran before, in place of `cold`; NULL */
    uint32_t resident_blocks;     /* of a multiprocessor, at least 1 */
    uint32_t registers;           /* of a thread; 0: not known */
    uint64_t shared_bytes;        /* of L1, that shared memory takes */
    bool store_hits;              /* what stores find in L1 is asked for: volumes.stored_first */
    /* Where what is found stays for whoever asks the same again: a place that is NULL at first, and
     * lives as long as the arena.  NULL: nothing stays.  Volumes in a sequence never do. */
    struct fw_launch_volumes_kept **kept;
};

struct fw_launch_volumes {
    struct fw_caches caches;
    struct fw_kernel_accesses accesses;
    struct fw_requests requests;      /* of all accesses */
    struct fw_volumes volumes;        /* dram_read and dram_write of all accesses */
    struct fw_random_accesses random; /* of these: at random addresses */
    double local_l2_to_l1;            /* bytes of local memory that L1 loads from L2 */
    double lsu_wavefronts;            /* of global and shared memory */
    double l2_to_l1, l1_to_l2; /* bytes of all accesses; `volumes` has those that are affine */
};

/* Finds them; all memory is the arena's.  FW_ERROR_INPUT (MOD002): the profile lacks the size of a
 * cache. */
enum fw_status fw_launch_volumes_find(struct fw_launch_volumes *found, struct fw_arena *arena,
                                      const struct fw_launch_question *question,
                                      const struct fw_sink *sink);

/* Where somebody above keeps what follows from volumes that stay, as long as these do; NULL in it:
 * nothing yet.  One room alone uses it. */
void **fw_launch_volumes_beside(struct fw_launch_volumes_kept *kept);

#endif
