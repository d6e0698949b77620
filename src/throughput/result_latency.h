/* Result latency: which of a profile's figures says when the result of an instruction is there.
 *
 * Takes an instruction of a record's schedule.  Knows no memory beyond shared memory: how long a
 * load of global memory takes depends on where its data are. */
#ifndef FW_RESULT_LATENCY_H
#define FW_RESULT_LATENCY_H

#include "device.h"
#include "launch.h"

/* FW_FIGURE_COUNT: nobody waits for it, or it is a load of memory that is not shared. */
enum fw_figure fw_result_latency(const struct fw_kernel *kernel, const struct fw_scheduled *one);

/* All that may be asked for, in the order in which they are named; their number. */
const enum fw_figure *fw_result_latencies(size_t *count);

#endif
