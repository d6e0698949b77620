/* Runs generated kernels: plain C through gcc and dlopen, OpenCL C on the first OpenCL device of
 * this machine, OpenCL C and CUDA C++ through a compiler to PTX on the emulator.
 *
 * A run changes the arguments' memory in place.  What is not on this machine is said by
 * run_available, so that tests can skip loudly. */
#ifndef RUN_KERNEL_H
#define RUN_KERNEL_H

#include "emit.h"

/* X(name, text, target) */
#define RUN_WAYS(X)                                                                                \
    X(PLAIN, "plain C", FW_EMIT_C)                                                                 \
    X(DEVICE, "OpenCL device", FW_EMIT_OPENCL)                                                     \
    X(EMULATED, "emulator, OpenCL C", FW_EMIT_OPENCL)                                              \
    X(EMULATED_CUDA, "emulator, CUDA C++", FW_EMIT_CUDA)

enum run_way {
#define X(name, text, target) RUN_##name,
    RUN_WAYS(X)
#undef X
        RUN_WAY_COUNT
};
const char *run_way_text(enum run_way way);
enum fw_emit_target run_way_target(enum run_way way);

/* One argument: an array's memory, or a value. */
struct run_argument {
    void *memory; /* NULL: a value */
    size_t bytes;
    int32_t value;
    enum fw_type type;
};

/* A kernel made ready once for many launches. */
struct run_kernel;

/* Whether this machine has what the way needs; `reason` otherwise (256 bytes).  `data` is the
 * folder of the compilers' own headers. */
bool run_available(enum run_way way, const char *data, char *reason);

/* The program run-device, which drives the OpenCL device; before the first run_available. */
void run_use_device(const char *program);

/* NULL with the reason. */
struct run_kernel *run_kernel_new(enum run_way way, const struct fw_emission *emission,
                                  const char *data, char *reason);
bool run_kernel_launch(struct run_kernel *kernel, const int64_t grid[3], const int64_t block[3],
                       struct run_argument *arguments, size_t count, char *reason);
void run_kernel_free(struct run_kernel *kernel);

#endif
