/* Energy of launches back to back, from a counter that the driver raises in steps.
 *
 * NVML's counter goes on every 100 ms by what was drawn since (on an H200).  Looked at between
 * batches of launches, both ends of a window are up to a step too old, and a window of 1 s is off
 * by 4 % in the mean.  A thread of its own therefore looks at it while launches go on, and the
 * window is from one step to another.  The device does not wait for a look, either. */
#ifndef FW_MEASURE_ENERGY_H
#define FW_MEASURE_ENERGY_H

#include "measure_backend.h"

struct fw_energy_watch;

/* Starts looking.  NULL: no thread, or no memory. */
struct fw_energy_watch *fw_energy_watch_start(const struct fw_backend *backend, void *session);

/* Seconds between the first step of the counter that was seen and the last; below 0: it has not
 * moved twice. */
double fw_energy_watch_window(struct fw_energy_watch *watch);

/* Ends it: seconds and joules between those steps; false as above.  Frees the watch. */
bool fw_energy_watch_end(struct fw_energy_watch *watch, double *seconds, double *joules);

#endif
