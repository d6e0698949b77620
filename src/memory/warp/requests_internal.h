/* Shared by the files that count requests: the requests of one access. */
#ifndef FW_REQUESTS_INTERNAL_H
#define FW_REQUESTS_INTERNAL_H

#include "requests.h"
#include "sampled_warps.h"
#include "warp_totals.h"

/* These functions add the requests of one access to `requests`; `threads` threads of `warps` warps
 * execute it. */

/* Local and constant memory. */
void requests_add_words(struct fw_requests *requests, const struct fw_sampling *sampling,
                        const struct fw_access *access, double warps);

/* Device and shared memory, from sampled warps.  `shift`: offset in bytes of the array from a
 * multiple of 256. */
void requests_add_sampled(struct fw_requests *requests, const struct fw_sampling *sampling,
                          const struct fw_access *access, uint32_t shift, double threads,
                          double warps);

/* Device memory, from the access's affine accesses, which must be complete.  False, and nothing
 * added: several boxes share warps, so that their lines would count twice. */
bool requests_add_affine(struct fw_requests *requests, const struct fw_sampling *sampling,
                         const struct fw_access *access, const struct fw_affine_accesses *accesses,
                         struct fw_warp_memo *memo, double warps);

/* Instructions of which all lanes are predicated off (predication.h). */
void requests_add_predicated_off(struct fw_requests *requests, const struct fw_sampling *sampling,
                                 const struct fw_access *access);

/* spill_requests.c: registers that a thread has too few of, stored to local memory and loaded. */
void requests_add_spills(struct fw_requests *requests, const struct fw_kernel *kernel,
                         struct fw_bound *bound, uint32_t sector);

/* Requests of no single access: retried stores, reads of the thread index, shuffles. */
void requests_add_others(struct fw_requests *requests, const struct fw_sampling *sampling,
                         const struct fw_device *device);

#endif
