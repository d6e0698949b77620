/* Forms of a kernel record: its accesses to device memory at a bound launch, as forms (form.h).
 *
 * Takes a record and a binding; gives a form for every part of an access whose address is linear in
 * block, thread and iteration, and says of the others what they are.  Conditions that cut a box out
 * of the launch are in the form; of other ones only how many points they leave.  Counts
 * instructions and sectors of all accesses, also of those without a form. */
#ifndef FW_KERNEL_ACCESSES_H
#define FW_KERNEL_ACCESSES_H

#include "affine_access.h"
#include "launch.h"

/* What became of one access of the record. */
struct fw_access_affine {
    bool analyzed;         /* device or shared memory, and executed */
    bool complete;         /* its forms are all of its points */
    uint32_t first, count; /* of the forms */
};

struct fw_kernel_accesses {
    struct fw_affine_accesses affine;
    struct fw_access_affine *by_access; /* by access of the record */
    uint32_t not_affine;                /* accesses that have none */
    bool other_conditions;              /* some conditions are not boxes */
    bool barrier_in_loop;               /* a barrier of the block stands in a loop */
};

/* All memory is the arena's.  `alignments`: bytes, by parameter; NULL: 256 for all. */
void fw_kernel_accesses_find(struct fw_kernel_accesses *traffic, struct fw_arena *arena,
                             const struct fw_kernel *kernel, struct fw_bound *bound,
                             const struct fw_launch *launch, const uint32_t *alignments);

/* Bytes by which an access's array begins beside a multiple of 256. */
uint32_t fw_access_shift(const struct fw_kernel *kernel, const struct fw_access *access,
                         const uint32_t *alignments);

#endif
