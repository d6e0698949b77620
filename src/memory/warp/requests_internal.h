/* What the files about a record's accesses share: how much warps ask for by one access. */
#ifndef FW_REQUESTS_INTERNAL_H
#define FW_REQUESTS_INTERNAL_H

#include "requests.h"
#include "sampled_warps.h"
#include "warp_totals.h"

/* All of these add to `asked` what the warps of a launch ask for by an access, executed by
 * `threads` threads of `warps` warps. */

/* Local and constant memory. */
void requests_add_words(struct fw_requests *asked, const struct fw_sampling *sampling,
                        const struct fw_access *access, double warps);

/* Device and shared memory, by sampled warps; `shift`: bytes that its array begins beside a
 * multiple of 256. */
void requests_add_sampled(struct fw_requests *asked, const struct fw_sampling *sampling,
                          const struct fw_access *access, uint32_t shift, double threads,
                          double warps);

/* Device memory, by forms that are all points of the access: lane by lane.  Forms that share warps
 * (pieces of one access) would count their lines twice: then false, nothing added. */
bool requests_add_affine(struct fw_requests *asked, const struct fw_sampling *sampling,
                         const struct fw_access *access, const struct fw_affine_accesses *accesses,
                         struct fw_warp_memo *memory, double warps);

/* Instructions that are issued without lanes (fw_predicated_off_warps). */
void requests_add_predicated_off(struct fw_requests *asked, const struct fw_sampling *sampling,
                                 const struct fw_access *access);

/* What all accesses together bring about: stores that are tried again, reads of the thread's index,
 * shuffles. */
void requests_add_others(struct fw_requests *asked, const struct fw_sampling *sampling,
                         const struct fw_device *device);

#endif
