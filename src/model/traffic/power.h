/* The power that a launch draws, and what the board's power limit makes of launches back to back.
 *
 * Takes volumes, the energy of arithmetic (from whoever counts it), a time and a profile.  Gives
 * joules as counts times energies plus idle power, watts, and the least time per launch if launches
 * follow each other under the board's limit: the clock falls until the energy fits.  (The voltage
 * falls as well, and so does the energy.  That is not modelled, so that the least time is an upper
 * bound.) A single launch at full clock is over before the limit acts.  Never models temperature.
 */
#ifndef FW_POWER_H
#define FW_POWER_H

#include "device.h"
#include "requests.h"
#include "volume.h"

struct fw_power {
    double joules; /* of a launch, idle power included */
    double watts;
    double limit_watts;   /* the board's power limit */
    double least_seconds; /* per launch, back to back, under the limit */
};

/* What a launch moves. */
struct fw_power_work {
    double l1_bytes, shared_bytes; /* of wavefronts */
    double l2_bytes, dram_read, dram_write;
    double others; /* joules */
    double seconds;
};

/* False: the profile lacks idle power, the limit, or the energy per byte of a level that moves
 * bytes. */
bool fw_power(struct fw_power *power, const struct fw_power_work *work,
              const struct fw_device *device);

#endif
