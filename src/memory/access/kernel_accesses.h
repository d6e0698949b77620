/* Affine accesses of a kernel record at a bound launch.
 *
 * Takes a record and a binding.  Gives affine accesses (affine_access.h) for every access to device
 * memory whose address is affine in block index, thread index and loop iterations, or can be
 * linearized (linearize.h), and says which accesses have none.  Conditions that bound a box of
 * threads become bounds of the access; other conditions scale it by the share of executions they
 * leave.  Never counts sectors or requests: see requests.h. */
#ifndef FW_KERNEL_ACCESSES_H
#define FW_KERNEL_ACCESSES_H

#include "affine_access.h"
#include "data_address.h"
#include "launch.h"

/* What one access of the record became. */
struct fw_access_affine {
    bool analyzed;         /* the access runs, and its space is device or shared memory */
    bool complete;         /* its affine accesses contain all of its executions and no others */
    bool linearized;       /* some of its affine accesses are lines about the middle of the launch,
                              or take the mean slope of a floor: volumes of these are estimates */
    uint32_t first, count; /* its range in the list of affine accesses */
};

struct fw_kernel_accesses {
    struct fw_affine_accesses affine;
    struct fw_access_affine *by_access; /* by access of the record */
    struct fw_data_addresses *data;     /* of accesses whose address depends on data */
    uint32_t not_affine;                /* accesses without an affine form */
    bool other_conditions;              /* some conditions do not bound a box */
    bool barrier_in_loop;               /* a loop contains a barrier */
};

/* Finds the affine accesses of a launch.  All memory is the arena's.  `alignments`: bytes, by
 * kernel parameter; NULL: 256 for all. */
void fw_kernel_accesses_find(struct fw_kernel_accesses *accesses, struct fw_arena *arena,
                             const struct fw_kernel *kernel, struct fw_bound *bound,
                             const struct fw_launch *launch, const uint32_t *alignments);

/* Offset in bytes of an access's array from a multiple of 256, by `alignments` as above. */
uint32_t fw_access_shift(const struct fw_kernel *kernel, const struct fw_access *access,
                         const uint32_t *alignments);

#endif
