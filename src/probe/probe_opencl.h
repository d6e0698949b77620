/* The probe's smaller set in OpenCL C, for devices that take no PTX.
 *
 * OpenCL C has no clock of the multiprocessor, so these kernels report nothing: the events' times
 * are all there is. */
#ifndef FW_PROBE_OPENCL_H
#define FW_PROBE_OPENCL_H

#include "text.h"

/* Kernels of 32 n independent operations a thread, in chains of eight; named as rows of
 * probe_operation.h. */
enum { FW_PROBE_OPENCL_OPERATIONS = 5, FW_PROBE_OPENCL_UNROLL = 32 };
extern const char *const fw_probe_opencl_operations[FW_PROBE_OPENCL_OPERATIONS];

/* Adds one source with all kernels; parameters are those of probe_ptx.h. */
void fw_probe_opencl_source(struct fw_buffer *out);

#endif
