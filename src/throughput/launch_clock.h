/* The clock that the multiprocessors run at during a launch.
 *
 * Takes what was stated, a bound launch and a profile.  Gives hertz.  A device that computes matrix
 * products leaves its full clock at once, whatever the launch draws (docs/trace.md, "Asynchronous
 * kernels").  Knows nothing of a board's power limit, which launches in a row come to. */
#ifndef FW_LAUNCH_CLOCK_H
#define FW_LAUNCH_CLOCK_H

#include "device.h"
#include "launch.h"

/* Hertz: the clock that is stated, else (0) the profile's: `tensor_clock` where matrix units work
 * that are not those of f64 and it is lower, else `sm_clock`.  `bound`: of the kernel, at the
 * launch; NULL: nothing but a profile is known.  FW_ERROR_INPUT (MOD001): the profile has no such
 * clock, or no multiprocessors. */
enum fw_status fw_launch_clock(double *clock, double stated, const struct fw_kernel *kernel,
                               struct fw_bound *bound, const struct fw_device *device,
                               const struct fw_sink *sink);

#endif
