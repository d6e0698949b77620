/* The service time of L2, as bytes at its full bandwidth.
 *
 * Takes requests and bytes of a launch and a profile.  A request for a line takes as long as the
 * profile's least bytes, and so does a sector that a warp's store writes in part.  L2 takes stores
 * at a rate of its own, by requests as well as by sectors: a warp that stores 128 bytes to two
 * lines takes it nearly twice as long as one that stores them to one.  Never models atomic
 * operations: see unit_service.h. */
#ifndef FW_L2_SERVICE_H
#define FW_L2_SERVICE_H

#include "caches.h"
#include "load_order.h"
#include "requests.h"

struct fw_l2_service {
    double loads, stores; /* bytes, at l2_bandwidth */
    double taken;         /* bytes of the stores, at l2_store_bandwidth */
};

/* What a launch asks of L2.  All of the same launch. */
struct fw_l2_work {
    const struct fw_requests *requests;
    const struct fw_affine_accesses *accesses;
    const struct fw_load_order *order; /* as in split_sectors.h */
    const struct fw_caches *caches;
    double l2_to_l1, l1_to_l2; /* bytes */
    double written;            /* share of the stored bytes that go on to device memory, whose
                                  service time has split sectors of its own */
};

/* What stores send to L2, over all requests of warps. */
struct fw_l2_stores {
    double sectors, lines, partial; /* partial: sectors that a store fills in part */
};

/* Bytes at l2_bandwidth that stores count as, of sectors and lines of so many bytes. */
double fw_l2_store_bytes(const struct fw_l2_stores *stores, double sector, double line,
                         const struct fw_device *device);

/* The service time of what L2 gives to L1 and takes from it, in bytes. */
void fw_l2_service_find(struct fw_l2_service *service, const struct fw_l2_work *work,
                        const struct fw_device *device);

#endif
