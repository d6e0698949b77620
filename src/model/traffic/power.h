/* The power that a launch draws, and what a board's limit makes of launches back to back.
 *
 * Takes volumes, the energy of what is no memory (from whoever counts it), a time and a profile.
 * Gives joules above idling as counts times energies, watts with the board's idle power, and the
 * least time a launch takes where launches follow each other and the board may draw no more than
 * its limit: clocks fall until the energy fits (its voltage falls, too, and so does the energy,
 * which is not modelled: the least time is too long by that).  A single launch at full clock is
 * over before the limit acts.  Knows no temperature. */
#ifndef FW_POWER_H
#define FW_POWER_H

#include "device.h"
#include "requests.h"
#include "volume.h"

struct fw_power {
    double joules; /* of a launch, idling included */
    double watts;
    double limit_watts;   /* that the board may draw */
    double least_seconds; /* of a launch, back to back, that the limit allows */
};

/* What a launch moves. */
struct fw_power_work {
    double l1_bytes, shared_bytes; /* of wavefronts */
    double l2_bytes, dram_read, dram_write;
    double others; /* joules */
    double seconds;
};

/* False where the profile lacks idle power, the limit, or the energy of a byte at a level that
 * something is moved at. */
bool fw_power(struct fw_power *power, const struct fw_power_work *work,
              const struct fw_device *device);

#endif
