/* Hit rates: the shares of sector lookups that find their sector in L1 and in L2, as Nsight Compute
 * counts them (l1tex__t_sector_hit_rate, lts__t_sector_hit_rate). */
#ifndef FW_HIT_RATES_H
#define FW_HIT_RATES_H

#include "launch_volumes.h"
#include "unit_service.h"

/* Shares from 0 to 1; NAN: nothing is looked up. */
struct fw_hit_rates {
    double l1; /* of the sectors that loads and stores of global and local memory ask L1 for */
    double l2; /* of those that L1 asks L2 for, and of atomic operations */
};

/* Of volumes that were found with `store_hits` (launch_volumes.h).  `l2_to_l1`, `l1_to_l2` and
 * `read`: bytes that L1 loads and stores and that L2 reads of device memory, those found or those
 * that were measured. */
struct fw_hit_rates fw_hit_rates_find(const struct fw_launch_volumes *found,
                                      const struct fw_units *units, double l2_to_l1,
                                      double l1_to_l2, double read);

#endif
