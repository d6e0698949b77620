/* Atomic contention: what the slices of L2 do for a launch's atomic operations on device memory.
 *
 * L2 executes atomic operations.  A slice of it changes each word of a sector once in a pass, so
 * that operations on one word go one after the other, and consecutive bytes lie in one slice.
 * Takes a record's atomics at a bound launch, with their affine accesses and what data decide of
 * their addresses.  Gives, for each array, how many passes its sectors take and over how many words
 * and bytes they are spread.  Where an assembler combines the lanes of a warp (fw_access's
 * `combined`), a warp operates once.  Operations are taken to be spread evenly over the words that
 * they may reach.  Never gives a time: the rates are the profile's. */
#ifndef FW_ATOMIC_CONTENTION_H
#define FW_ATOMIC_CONTENTION_H

#include "caches.h"
#include "requests.h"

/* How a slice operates: each takes its own time for a pass. */
enum fw_atomic_kind { FW_ATOMIC_INTEGER, FW_ATOMIC_F32, FW_ATOMIC_F64, FW_ATOMIC_KIND_COUNT };

/* The atomic operations on one array. */
struct fw_atomic_array {
    uint32_t array;                      /* of the record; FW_NONE: not known */
    double operations;                   /* that reach L2 */
    double returning;                    /* of these: whose result a thread reads */
    double floating;                     /* of these: additions of floating-point numbers */
    double passes[FW_ATOMIC_KIND_COUNT]; /* over a sector, some of whose words change */
    double whole[FW_ATOMIC_KIND_COUNT];  /* over a sector, all of whose words change */
    double drawn;                        /* of `operations`: at words that data choose at random */
    double words;                        /* that are operated on; HUGE_VAL: not known */
    double bytes;                        /* over which these lie, as slices see them; HUGE_VAL */
    struct fw_granule_loads loads;       /* what granules get, as emulated blocks show */
};

struct fw_atomics {
    struct fw_atomic_array *at;
    uint32_t count;
    uint32_t scattered; /* accesses of which neither array nor range are known */
};

/* Whether data choose the words of an atomic access from one range each time.  Not where a loop
 * moves on along the range: warps that go round it in step come to a part of it together. */
bool fw_atomic_is_drawn(const struct fw_kernel *kernel, const struct fw_access *access);

/* Finds the atomics of a launch.  All memory is the arena's.  `requests`: of the launch, for which
 * accesses were sampled; NULL: they are sampled here.  `alignments`: as in fw_kernel_accesses_find.
 */
void fw_atomics_find(struct fw_atomics *atomics, struct fw_arena *arena,
                     const struct fw_kernel *kernel, struct fw_bound *bound,
                     const struct fw_launch *launch, const struct fw_caches *caches,
                     const struct fw_requests *requests, const struct fw_kernel_accesses *accesses,
                     const uint32_t *alignments);

#endif
