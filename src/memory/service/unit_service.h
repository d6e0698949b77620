/* Units beside the way of loads and stores: what executes atomic operations in L2, and the constant
 * cache and the texture unit of each multiprocessor.
 *
 * A slice of L2 makes one pass over a sector at a time, and operations on one word take a pass
 * each. An array lies in blocks of consecutive bytes that fall on slices at random, so that an
 * operation meets, in the mean, the operations of its own block and its share of all others.
 * Additions of floating-point numbers to one word wait for each other longer than a pass takes.
 *
 * Takes a record at a bound launch with its accesses and requests, and a profile.  Gives what the
 * launch asks of each unit, seconds where the profile has the unit's rate, and what an answer has
 * to say of them: what is assumed, and what is left out since the profile lacks its rate.  Texture
 * and surface instructions are counted; which bytes they touch, PTX does not tell: it names neither
 * the texture's size nor its layout nor the size of a texel. */
#ifndef FW_UNIT_SERVICE_H
#define FW_UNIT_SERVICE_H

#include "atomic_contention.h"
#include "constant_cache.h"
#include "device.h"

struct fw_atomic_service {
    double seconds;
    double operations; /* that reach L2 */
    double returning;  /* of these: whose result a thread reads */
};

/* The service time of a launch's atomics.  `resident`: blocks that the device has at one time, of
 * the launch's, which begin one after the other; 0: all are there at one time.  False, and 0
 * seconds: the profile has no atomic_passes, atomic_slices or atomic_slice_bytes; `operations` is
 * set nevertheless. */
bool fw_atomic_service(struct fw_atomic_service *service, const struct fw_atomics *atomics,
                       const struct fw_device *device, double resident);

struct fw_units {
    struct fw_atomics atomics;
    struct fw_atomic_service atomic_service;
    bool atomics_known; /* the profile has the rates of atomics */
    struct fw_constant_misses constant;
    double constant_requests; /* distinct addresses of warps' loads */
    double resident_warps;    /* of a multiprocessor */
    double texture;           /* instructions of threads */
    double texture_linear;    /* of these: fetches from linear memory */
    double texture_share;     /* of the launch's memory instructions */
};

enum { FW_UNIT_SENTENCES = 8 }; /* at most */

/* Finds what a launch asks of the units.  All memory is the arena's.  `alignments`: as in
 * fw_kernel_accesses_find. */
void fw_units_find(struct fw_units *units, struct fw_arena *arena, const struct fw_kernel *kernel,
                   struct fw_bound *bound, const struct fw_launch *launch,
                   const struct fw_device *device, const struct fw_caches *caches,
                   const struct fw_kernel_accesses *found, const struct fw_requests *requests,
                   const uint32_t *alignments);

/* Seconds of the constant caches and of the texture units, of multiprocessors that make `cycles` a
 * second together; 0: the profile has no rate, or nothing is asked. */
double fw_units_constant_seconds(const struct fw_units *units, const struct fw_device *device,
                                 double cycles);
double fw_units_texture_seconds(const struct fw_units *units, const struct fw_device *device,
                                double cycles);

/* Cycles of a multiprocessor that a warp's indexed load of a constant takes on the scalar datapath
 * where so many warps walk so much that each load misses there; else 0, also where the profile does
 * not say.  Source: data/h200/constants: 16 warps load at 2.3 cycles each, 32 at 23, from 256 bytes
 * any number at 2.2. */
double fw_units_scalar_constant_cycles(const struct fw_units *units,
                                       const struct fw_device *device);

/* Cycles that an access waits for constants of arrays that exceed the nearest cache; else 0. */
double fw_units_constant_wait(const struct fw_units *units, const struct fw_kernel *kernel,
                              const struct fw_device *device, const struct fw_access *access);

/* Writes what an answer has to say, and gives the number of sentences. */
uint32_t fw_units_sentences(const char **out, struct fw_arena *arena, const struct fw_units *units,
                            const struct fw_device *device);

#endif
