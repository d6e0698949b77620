/* Kernels as OpenCL C through the ICD loader, by dlopen.  Signatures and numbers are those of the
 * Khronos "OpenCL Specification", version 1.2, which every implementation keeps to. */
#include "measure_backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLATFORMS = 16, DEVICES = 64 };
enum { DEVICE_NAME = 0x102B, DEVICE_VENDOR = 0x102C, DRIVER_VERSION = 0x102D };
enum {
    DEVICE_UNITS = 0x1002,
    DEVICE_MEMORY = 0x101F,
    DEVICE_CACHE = 0x101E,
    PLATFORM_VERSION = 0x0901
};
enum { QUEUE_PROFILING = 2, MEMORY_READ_WRITE = 1, BUILD_LOG = 0x1183 };
enum { PROFILING_START = 0x1282, PROFILING_END = 0x1283 };
enum { KERNEL_LOCAL_BYTES = 0x11B2, KERNEL_PRIVATE_BYTES = 0x11B4, KERNEL_ARGUMENTS = 0x1191 };

#define OPENCL_FUNCTIONS(X)                                                                        \
    X(int, platforms, "clGetPlatformIDs", (unsigned, void **, unsigned *))                         \
    X(int, platform_info, "clGetPlatformInfo", (void *, unsigned, size_t, void *, size_t *))       \
    X(int, devices, "clGetDeviceIDs", (void *, uint64_t, unsigned, void **, unsigned *))           \
    X(int, device_info, "clGetDeviceInfo", (void *, unsigned, size_t, void *, size_t *))           \
    X(void *, context, "clCreateContext",                                                          \
      (const intptr_t *, unsigned, void *const *, void *, void *, int *))                          \
    X(void *, queue, "clCreateCommandQueue", (void *, void *, uint64_t, int *))                    \
    X(void *, program, "clCreateProgramWithSource",                                                \
      (void *, unsigned, const char **, const size_t *, int *))                                    \
    X(int, build, "clBuildProgram",                                                                \
      (void *, unsigned, void *const *, const char *, void *, void *))                             \
    X(int, build_info, "clGetProgramBuildInfo",                                                    \
      (void *, void *, unsigned, size_t, void *, size_t *))                                        \
    X(void *, kernel, "clCreateKernel", (void *, const char *, int *))                             \
    X(int, kernel_info, "clGetKernelInfo", (void *, unsigned, size_t, void *, size_t *))           \
    X(int, group_info, "clGetKernelWorkGroupInfo",                                                 \
      (void *, void *, unsigned, size_t, void *, size_t *))                                        \
    X(int, argument, "clSetKernelArg", (void *, unsigned, size_t, const void *))                   \
    X(void *, buffer, "clCreateBuffer", (void *, uint64_t, size_t, void *, int *))                 \
    X(int, write, "clEnqueueWriteBuffer",                                                          \
      (void *, void *, unsigned, size_t, size_t, const void *, unsigned, void *const *, void **))  \
    X(int, read, "clEnqueueReadBuffer",                                                            \
      (void *, void *, unsigned, size_t, size_t, void *, unsigned, void *const *, void **))        \
    X(int, copy, "clEnqueueCopyBuffer",                                                            \
      (void *, void *, void *, size_t, size_t, size_t, unsigned, void *const *, void **))          \
    X(int, set, "clEnqueueFillBuffer",                                                             \
      (void *, void *, const void *, size_t, size_t, size_t, unsigned, void *const *, void **))    \
    X(int, launch, "clEnqueueNDRangeKernel",                                                       \
      (void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned,         \
       void *const *, void **))                                                                    \
    X(int, marker, "clEnqueueMarkerWithWaitList", (void *, unsigned, void *const *, void **))      \
    X(int, profile, "clGetEventProfilingInfo", (void *, unsigned, size_t, void *, size_t *))       \
    X(int, release_buffer, "clReleaseMemObject", (void *))                                         \
    X(int, release_kernel, "clReleaseKernel", (void *))                                            \
    X(int, release_program, "clReleaseProgram", (void *))                                          \
    X(int, release_event, "clReleaseEvent", (void *))                                              \
    X(int, finish, "clFinish", (void *))

struct opencl {
#define X(result, member, name, parameters) result(*member) parameters;
    OPENCL_FUNCTIONS(X)
#undef X
    struct fw_nvml *nvml;
    void *platform, *device, *in, *commands, *built, *function;
    const struct fw_configuration *configuration;
    void **buffers;
    size_t buffer_count;
    void *flusher;
    uint64_t flusher_bytes;
};

static bool check(int code, const char *what, struct fw_reason *reason)
{
    return code == 0 || fw_reason_set(reason, "%s: OpenCL error %d", what, code);
}

static bool load_library(struct opencl *cl, struct fw_reason *reason)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fw_reason_set(reason, "no OpenCL loader: %s", dlerror());
#define X(result, member, name, parameters)                                                        \
    if (!fw_symbol_load(library, name, &cl->member, sizeof cl->member, reason))                    \
        return false;
    OPENCL_FUNCTIONS(X)
#undef X
    return true;
}

/* The device of an ordinal, platforms in the loader's order. */
static bool choose(struct opencl *cl, int ordinal, struct fw_reason *reason)
{
    void *platforms[PLATFORMS], *devices[DEVICES];
    unsigned platform_count = 0, count = 0, before = 0;
    if (cl->platforms(PLATFORMS, platforms, &platform_count) != 0 || platform_count == 0)
        return fw_reason_set(reason, "there is no OpenCL platform");
    for (unsigned i = 0; i < platform_count && i < PLATFORMS; i++) {
        if (cl->devices(platforms[i], 0xFFFFFFFF, DEVICES, devices, &count) != 0)
            continue;
        count = count < DEVICES ? count : DEVICES;
        if ((unsigned)ordinal < before + count) {
            cl->platform = platforms[i];
            cl->device = devices[(unsigned)ordinal - before];
            return true;
        }
        before += count;
    }
    return fw_reason_set(reason, "there is no OpenCL device %d; found %u", ordinal, before);
}

static bool opencl_open(void **session, const struct fw_target *target, struct fw_reason *reason)
{
    struct opencl *cl = fw_measure_memory(1, sizeof *cl);
    int code = 0;
    char vendor[200] = "";
    *session = cl;
    if (!load_library(cl, reason) || !choose(cl, target->device, reason))
        return false;
    cl->in = cl->context(NULL, 1, &cl->device, NULL, NULL, &code);
    if (!check(code, "a context", reason))
        return false;
    cl->commands = cl->queue(cl->in, cl->device, QUEUE_PROFILING, &code);
    if (!check(code, "a queue", reason))
        return false;
    cl->device_info(cl->device, DEVICE_VENDOR, sizeof vendor - 1, vendor, NULL);
    if (strstr(vendor,
               "NVIDIA")) /* OpenCL 1.2 does not tell the bus address: one device, or none */
        cl->nvml = fw_nvml_open(NULL);
    return true;
}

static bool opencl_describe(void *session, struct fw_setup *setup, struct fw_reason *reason)
{
    struct opencl *cl = session;
    uint64_t memory = 0, cache = 0;
    unsigned units = 0;
    char platform[1000] = "", driver[200] = "";
    if (!check(cl->device_info(cl->device, DEVICE_NAME, sizeof setup->device, setup->device, NULL),
               "the device's name", reason))
        return false;
    cl->device_info(cl->device, DRIVER_VERSION, sizeof driver - 1, driver, NULL);
    cl->platform_info(cl->platform, PLATFORM_VERSION, sizeof platform - 1, platform, NULL);
    cl->device_info(cl->device, DEVICE_MEMORY, sizeof memory, &memory, NULL);
    cl->device_info(cl->device, DEVICE_CACHE, sizeof cache, &cache, NULL);
    snprintf(setup->driver, sizeof setup->driver, "%.100s, driver %.80s", platform, driver);
    setup->memory_bytes = (double)memory;
    setup->cache_bytes = (double)cache;
    if (cl->device_info(cl->device, DEVICE_UNITS, sizeof units, &units, NULL) == 0)
        setup->attributes[setup->attribute_count++] =
            (struct fw_attribute){"multiprocessors", units};
    fw_nvml_describe(cl->nvml, setup);
    return true;
}

/* Waits, and takes the time from `from`'s `what` to `to`'s end; releases both. */
static bool between(struct opencl *cl, void *from, unsigned what, void *to, double *seconds,
                    struct fw_reason *reason)
{
    uint64_t start = 0, end = 0;
    bool good = check(cl->finish(cl->commands), "running the kernel", reason) &&
                check(cl->profile(from, what, sizeof start, &start, NULL), "timing", reason) &&
                check(cl->profile(to, PROFILING_END, sizeof end, &end, NULL), "timing", reason);
    cl->release_event(from);
    if (to != from)
        cl->release_event(to);
    *seconds = ((double)end - (double)start) * 1e-9;
    return good;
}

static bool opencl_floor(void *session, double *seconds, struct fw_reason *reason)
{
    struct opencl *cl = session;
    void *first = NULL, *second = NULL;
    return check(cl->marker(cl->commands, 0, NULL, &first), "a marker", reason) &&
           check(cl->marker(cl->commands, 0, NULL, &second), "a marker", reason) &&
           between(cl, first, PROFILING_END, second, seconds, reason);
}

static bool opencl_load(void *session, const struct fw_configuration *configuration,
                        const char *source, struct fw_resources *resources,
                        struct fw_reason *reason)
{
    struct opencl *cl = session;
    int code = 0;
    unsigned parameters = 0;
    uint64_t bytes = 0;
    char log[400] = "";
    cl->configuration = configuration;
    cl->buffer_count = configuration->argument_count * 2;
    cl->buffers = fw_measure_memory(cl->buffer_count, sizeof *cl->buffers);
    if (configuration->shared)
        return fw_reason_set(reason, "OpenCL has no launch-time 'shared'; give a 'local' argument");
    void *program = cl->built = cl->program(cl->in, 1, &source, NULL, &code);
    if (!check(code, "the program", reason))
        return false;
    code = cl->build(program, 1, &cl->device, configuration->options, NULL, NULL);
    if (code != 0) {
        char *whole = fw_measure_memory(65536, 1);
        cl->build_info(program, cl->device, BUILD_LOG, 65535, whole, NULL);
        snprintf(log, sizeof log, "%s", whole);
        free(whole);
        return fw_reason_set(reason, "building failed with OpenCL error %d: %s", code, log);
    }
    cl->function = cl->kernel(program, configuration->kernel, &code);
    if (!check(code, configuration->kernel, reason) ||
        !check(
            cl->kernel_info(cl->function, KERNEL_ARGUMENTS, sizeof parameters, &parameters, NULL),
            "the kernel's parameters", reason))
        return false;
    if (parameters != configuration->argument_count)
        return fw_reason_set(reason, "the kernel has %u parameters, the plan gives %zu", parameters,
                             configuration->argument_count);
    if (cl->group_info(cl->function, cl->device, KERNEL_LOCAL_BYTES, 8, &bytes, NULL) == 0)
        resources->shared_bytes = (double)bytes;
    if (cl->group_info(cl->function, cl->device, KERNEL_PRIVATE_BYTES, 8, &bytes, NULL) == 0)
        resources->spill_bytes = (double)bytes;
    return true;
}

static bool opencl_allocate(void *session, size_t handle, uint64_t bytes, struct fw_reason *reason)
{
    struct opencl *cl = session;
    int code = 0;
    cl->buffers[handle] = cl->buffer(cl->in, MEMORY_READ_WRITE, bytes, NULL, &code);
    return check(code, "device memory", reason);
}

static bool opencl_upload(void *session, size_t handle, uint64_t offset, const void *from,
                          uint64_t bytes, struct fw_reason *reason)
{
    struct opencl *cl = session;
    return check(
        cl->write(cl->commands, cl->buffers[handle], 1, offset, bytes, from, 0, NULL, NULL),
        "copying in", reason);
}

static bool opencl_download(void *session, size_t handle, uint64_t offset, void *to, uint64_t bytes,
                            struct fw_reason *reason)
{
    struct opencl *cl = session;
    return check(cl->read(cl->commands, cl->buffers[handle], 1, offset, bytes, to, 0, NULL, NULL),
                 "copying out", reason);
}

static bool opencl_set(void *session, size_t handle, unsigned char byte, uint64_t bytes,
                       struct fw_reason *reason)
{
    struct opencl *cl = session;
    return check(cl->set(cl->commands, cl->buffers[handle], &byte, 1, 0, bytes, 0, NULL, NULL),
                 "filling", reason) &&
           check(cl->finish(cl->commands), "filling", reason);
}

static bool opencl_copy(void *session, size_t to, size_t from, uint64_t bytes,
                        struct fw_reason *reason)
{
    struct opencl *cl = session;
    return check(cl->copy(cl->commands, cl->buffers[from], cl->buffers[to], 0, 0, bytes, 0, NULL,
                          NULL),
                 "restoring", reason) &&
           check(cl->finish(cl->commands), "restoring", reason);
}

static bool set_arguments(struct opencl *cl, const size_t *handles, struct fw_reason *reason)
{
    const struct fw_configuration *one = cl->configuration;
    for (unsigned i = 0; i < one->argument_count; i++) {
        const struct fw_argument *argument = &one->arguments[i];
        int code = argument->kind == FW_ARGUMENT_LOCAL
                       ? cl->argument(cl->function, i, argument->bytes, NULL)
                   : argument->kind == FW_ARGUMENT_SCALAR
                       ? cl->argument(cl->function, i, argument->bytes, argument->scalar)
                       : cl->argument(cl->function, i, sizeof(void *), &cl->buffers[handles[i]]);
        if (code != 0)
            return fw_reason_set(reason, "argument %u, %s, does not fit: OpenCL error %d", i,
                                 argument->name, code);
    }
    return true;
}

static bool opencl_launch(void *session, enum fw_purpose purpose, uint32_t count,
                          const size_t *handles, double *seconds, struct fw_reason *reason)
{
    struct opencl *cl = session;
    const struct fw_configuration *one = cl->configuration;
    void *first = NULL, *last = NULL;
    size_t global[3], local[3];
    (void)purpose;
    for (int i = 0; i < 3; i++) {
        local[i] = one->block[i];
        global[i] = one->block[i] * one->grid[i];
    }
    if (!set_arguments(cl, handles, reason))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        void **event = i == 0 ? &first : i == count - 1 ? &last : NULL;
        if (!check(cl->launch(cl->commands, cl->function, 3, NULL, global, local, 0, NULL, event),
                   "launching", reason))
            return false;
    }
    return between(cl, first, PROFILING_START, last ? last : first, seconds, reason);
}

static bool opencl_flush(void *session, struct fw_reason *reason)
{
    struct opencl *cl = session;
    unsigned char pattern = 0x5a;
    int code = 0;
    if (!cl->flusher) {
        uint64_t cache = 0;
        cl->device_info(cl->device, DEVICE_CACHE, sizeof cache, &cache, NULL);
        cl->flusher_bytes = cache * 4 > 134217728 ? cache * 4 : 134217728;
        cl->flusher = cl->buffer(cl->in, MEMORY_READ_WRITE, cl->flusher_bytes, NULL, &code);
        if (!check(code, "a buffer to flush caches with", reason))
            return false;
    }
    return check(
               cl->set(cl->commands, cl->flusher, &pattern, 1, 0, cl->flusher_bytes, 0, NULL, NULL),
               "flushing", reason) &&
           check(cl->finish(cl->commands), "flushing", reason);
}

static void opencl_sample(void *session, enum fw_purpose purpose, struct fw_sample *sample)
{
    struct opencl *cl = session;
    fw_nvml_sample(cl->nvml, purpose == FW_PURPOSE_ENERGY, sample);
}

static void opencl_reset(void *session)
{
    struct opencl *cl = session;
    for (size_t i = 0; i < cl->buffer_count; i++)
        if (cl->buffers[i])
            cl->release_buffer(cl->buffers[i]);
    free(cl->buffers);
    cl->buffers = NULL;
    cl->buffer_count = 0;
    if (cl->function)
        cl->release_kernel(cl->function);
    if (cl->built)
        cl->release_program(cl->built);
    cl->built = cl->function = NULL;
}

static void opencl_close(void *session)
{
    struct opencl *cl = session;
    fw_nvml_close(cl->nvml);
    free(cl->buffers);
    free(cl); /* the process ends with its only configuration; the driver frees the device */
}

const struct fw_backend fw_backend_opencl = {.name = "opencl",
                                             .open = opencl_open,
                                             .describe = opencl_describe,
                                             .floor = opencl_floor,
                                             .load = opencl_load,
                                             .allocate = opencl_allocate,
                                             .upload = opencl_upload,
                                             .download = opencl_download,
                                             .set = opencl_set,
                                             .copy = opencl_copy,
                                             .launch = opencl_launch,
                                             .flush = opencl_flush,
                                             .sample = opencl_sample,
                                             .reset = opencl_reset,
                                             .close = opencl_close};
