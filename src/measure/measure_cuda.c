/* Kernels as PTX through the CUDA driver, by dlopen.  Signatures and numbers are those of NVIDIA's
 * "CUDA Driver API" reference. */
#include "measure_backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6 };
enum { ATTRIBUTE_L2_BYTES = 38, ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };

/* CUdevice_attribute numbers by the names that device profiles use. */
static const struct {
    const char *name;
    int number;
    double scale;
} attributes[] = {
    {"compute_capability_major", 75, 1},
    {"compute_capability_minor", 76, 1},
    {"multiprocessors", 16, 1},
    {"l2_bytes", 38, 1},
    {"shared_per_multiprocessor", 81, 1},
    {"shared_per_block", 8, 1},
    {"shared_per_block_opt_in", 97, 1},
    {"shared_reserved_per_block", 111, 1},
    {"registers_per_multiprocessor", 82, 1},
    {"registers_per_block", 12, 1},
    {"warp_size", 10, 1},
    {"blocks_per_multiprocessor", 106, 1},
    {"threads_per_multiprocessor", 39, 1},
    {"threads_per_block", 1, 1},
    {"block_x", 2, 1},
    {"block_y", 3, 1},
    {"block_z", 4, 1},
    {"grid_x", 5, 1},
    {"grid_y", 6, 1},
    {"grid_z", 7, 1},
    {"sm_clock", 13, 1e3},
    {"memory_clock", 36, 1e3},
    {"memory_bus_bits", 37, 1},
};
enum { FUNCTION_SHARED = 1, FUNCTION_LOCAL = 3, FUNCTION_REGISTERS = 4, FUNCTION_SHARED_LIMIT = 8 };

#define CUDA_FUNCTIONS(X)                                                                          \
    X(init, "cuInit", (unsigned))                                                                  \
    X(driver_version, "cuDriverGetVersion", (int *))                                               \
    X(device_count, "cuDeviceGetCount", (int *))                                                   \
    X(device_get, "cuDeviceGet", (int *, int))                                                     \
    X(device_name, "cuDeviceGetName", (char *, int, int))                                          \
    X(device_memory, "cuDeviceTotalMem_v2", (size_t *, int))                                       \
    X(device_bus, "cuDeviceGetPCIBusId", (char *, int, int))                                       \
    X(device_attribute, "cuDeviceGetAttribute", (int *, int, int))                                 \
    X(context_retain, "cuDevicePrimaryCtxRetain", (void **, int))                                  \
    X(context_set, "cuCtxSetCurrent", (void *))                                                    \
    X(synchronize, "cuCtxSynchronize", (void))                                                     \
    X(module_load, "cuModuleLoadDataEx", (void **, const void *, unsigned, int *, void **))        \
    X(module_function, "cuModuleGetFunction", (void **, void *, const char *))                     \
    X(function_get, "cuFuncGetAttribute", (int *, int, void *))                                    \
    X(function_set, "cuFuncSetAttribute", (void *, int, int))                                      \
    X(module_unload, "cuModuleUnload", (void *))                                                   \
    X(allocate, "cuMemAlloc_v2", (uint64_t *, size_t))                                             \
    X(release, "cuMemFree_v2", (uint64_t))                                                         \
    X(upload, "cuMemcpyHtoD_v2", (uint64_t, const void *, size_t))                                 \
    X(download, "cuMemcpyDtoH_v2", (void *, uint64_t, size_t))                                     \
    X(copy, "cuMemcpyDtoD_v2", (uint64_t, uint64_t, size_t))                                       \
    X(set, "cuMemsetD8_v2", (uint64_t, unsigned char, size_t))                                     \
    X(stream_create, "cuStreamCreate", (void **, unsigned))                                        \
    X(event_create, "cuEventCreate", (void **, unsigned))                                          \
    X(event_record, "cuEventRecord", (void *, void *))                                             \
    X(event_wait, "cuEventSynchronize", (void *))                                                  \
    X(event_elapsed, "cuEventElapsedTime", (float *, void *, void *))                              \
    X(launch, "cuLaunchKernel",                                                                    \
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,       \
       void **, void **))                                                                          \
    X(error_text, "cuGetErrorString", (int, const char **))

struct cuda {
#define X(member, name, parameters) int(*member) parameters;
    CUDA_FUNCTIONS(X)
#undef X
    int (*parameter)(void *, size_t, size_t *, size_t *); /* cuFuncGetParamInfo; NULL before 12.4 */
    struct fw_nvml *nvml;
    int device;
    void *context, *stream, *begin, *end, *module, *function;
    const struct fw_configuration *configuration;
    uint64_t *buffers;
    size_t buffer_count;
    uint64_t flusher, flusher_bytes;
};

static bool check(struct cuda *cuda, int code, const char *what, struct fw_reason *reason)
{
    const char *text = NULL;
    if (code == 0)
        return true;
    cuda->error_text(code, &text);
    return fw_reason_set(reason, "%s: %s (CUDA error %d)", what, text ? text : "unknown", code);
}

static bool load_library(struct cuda *cuda, struct fw_reason *reason)
{
    struct fw_reason unused;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fw_reason_set(reason, "no CUDA driver: %s", dlerror());
#define X(member, name, parameters)                                                                \
    if (!fw_symbol_load(library, name, &cuda->member, sizeof cuda->member, reason))                \
        return false;
    CUDA_FUNCTIONS(X)
#undef X
    fw_symbol_load(library, "cuFuncGetParamInfo", &cuda->parameter, sizeof cuda->parameter,
                   &unused);
    return true;
}

static bool cuda_open(void **session, const struct fw_target *target, struct fw_reason *reason)
{
    struct cuda *cuda = fw_measure_memory(1, sizeof *cuda);
    int count = 0;
    char bus[64] = "";
    *session = cuda;
    if (!load_library(cuda, reason) || !check(cuda, cuda->init(0), "cuInit", reason) ||
        !check(cuda, cuda->device_count(&count), "counting devices", reason))
        return false;
    if (target->device >= count)
        return fw_reason_set(reason, "there is no CUDA device %d; found %d", target->device, count);
    if (!check(cuda, cuda->device_get(&cuda->device, target->device), "the device", reason) ||
        !check(cuda, cuda->context_retain(&cuda->context, cuda->device), "a context", reason) ||
        !check(cuda, cuda->context_set(cuda->context), "a context", reason) ||
        !check(cuda, cuda->stream_create(&cuda->stream, 1), "a stream", reason) ||
        !check(cuda, cuda->event_create(&cuda->begin, 0), "an event", reason) ||
        !check(cuda, cuda->event_create(&cuda->end, 0), "an event", reason))
        return false;
    if (cuda->device_bus(bus, sizeof bus, cuda->device) == 0)
        cuda->nvml = fw_nvml_open(bus);
    return true;
}

static bool cuda_describe(void *session, struct fw_setup *setup, struct fw_reason *reason)
{
    struct cuda *cuda = session;
    int version = 0, cache = 0, major = 0, minor = 0;
    size_t memory = 0;
    if (!check(cuda, cuda->device_name(setup->device, sizeof setup->device, cuda->device),
               "the device's name", reason) ||
        !check(cuda, cuda->device_memory(&memory, cuda->device), "the device's memory", reason))
        return false;
    cuda->device_bus(setup->bus, sizeof setup->bus, cuda->device);
    cuda->driver_version(&version);
    cuda->device_attribute(&cache, ATTRIBUTE_L2_BYTES, cuda->device);
    if (cuda->device_attribute(&major, ATTRIBUTE_MAJOR, cuda->device) == 0 &&
        cuda->device_attribute(&minor, ATTRIBUTE_MINOR, cuda->device) == 0)
        setup->compute_capability = 10 * major + minor;
    snprintf(setup->driver, sizeof setup->driver, "CUDA %d.%d", version / 1000, version / 10 % 100);
    setup->memory_bytes = (double)memory;
    setup->cache_bytes = cache;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        int value = 0;
        if (cuda->device_attribute(&value, attributes[i].number, cuda->device) == 0 && value >= 0)
            setup->attributes[setup->attribute_count++] =
                (struct fw_attribute){attributes[i].name, value * attributes[i].scale};
    }
    fw_nvml_describe(cuda->nvml, setup);
    return true;
}

static bool events(struct cuda *cuda, double *seconds, struct fw_reason *reason)
{
    float milliseconds = 0;
    if (!check(cuda, cuda->event_wait(cuda->end), "running the kernel", reason) ||
        !check(cuda, cuda->event_elapsed(&milliseconds, cuda->begin, cuda->end), "timing", reason))
        return false;
    *seconds = (double)milliseconds * 1e-3;
    return true;
}

static bool cuda_floor(void *session, double *seconds, struct fw_reason *reason)
{
    struct cuda *cuda = session;
    return check(cuda, cuda->event_record(cuda->begin, cuda->stream), "an event", reason) &&
           check(cuda, cuda->event_record(cuda->end, cuda->stream), "an event", reason) &&
           events(cuda, seconds, reason);
}

/* Arguments beside the kernel's parameters, where the driver can tell them. */
static bool match_parameters(struct cuda *cuda, struct fw_reason *reason)
{
    const struct fw_configuration *configuration = cuda->configuration;
    size_t offset, bytes, count = configuration->argument_count;
    if (!cuda->parameter)
        return true;
    for (size_t i = 0; i < count; i++) {
        const struct fw_argument *argument = &configuration->arguments[i];
        uint64_t given = argument->kind == FW_ARGUMENT_BUFFER ? 8 : argument->bytes;
        if (cuda->parameter(cuda->function, i, &offset, &bytes) != 0)
            return fw_reason_set(reason, "the kernel has %zu parameters, the plan gives %zu", i,
                                 count);
        if (bytes != given)
            return fw_reason_set(reason, "parameter %zu has %zu bytes, the plan's %s has %llu", i,
                                 bytes, argument->name, (unsigned long long)given);
    }
    if (cuda->parameter(cuda->function, count, &offset, &bytes) == 0)
        return fw_reason_set(reason, "the kernel has more parameters than the plan's %zu", count);
    return true;
}

static bool cuda_load(void *session, const struct fw_configuration *configuration,
                      const char *source, struct fw_resources *resources, struct fw_reason *reason)
{
    struct cuda *cuda = session;
    char log[400] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    struct fw_reason plain;
    cuda->configuration = configuration;
    cuda->buffer_count = configuration->argument_count * 2;
    cuda->buffers = fw_measure_memory(cuda->buffer_count, sizeof *cuda->buffers);
    for (size_t i = 0; i < configuration->argument_count; i++)
        if (configuration->arguments[i].kind == FW_ARGUMENT_LOCAL)
            return fw_reason_set(reason, "local arguments are OpenCL's; here 'shared' gives bytes");
    if (!check(cuda, cuda->module_load(&cuda->module, source, 2, options, values),
               "loading the PTX", &plain))
        return fw_reason_set(reason, "%.150s: %s", plain.text, log);
    if (!check(cuda, cuda->module_function(&cuda->function, cuda->module, configuration->kernel),
               configuration->kernel, reason) ||
        !match_parameters(cuda, reason))
        return false;
    if (configuration->shared && !check(cuda,
                                        cuda->function_set(cuda->function, FUNCTION_SHARED_LIMIT,
                                                           (int)configuration->shared),
                                        "dynamic shared memory", reason))
        return false;
    int value;
    if (cuda->function_get(&value, FUNCTION_REGISTERS, cuda->function) == 0)
        resources->registers = value;
    if (cuda->function_get(&value, FUNCTION_SHARED, cuda->function) == 0)
        resources->shared_bytes = value;
    if (cuda->function_get(&value, FUNCTION_LOCAL, cuda->function) == 0)
        resources->spill_bytes = value;
    return true;
}

static bool cuda_allocate(void *session, size_t handle, uint64_t bytes, struct fw_reason *reason)
{
    struct cuda *cuda = session;
    return check(cuda, cuda->allocate(&cuda->buffers[handle], bytes), "device memory", reason);
}

static bool cuda_upload(void *session, size_t handle, uint64_t offset, const void *from,
                        uint64_t bytes, struct fw_reason *reason)
{
    struct cuda *cuda = session;
    return check(cuda, cuda->upload(cuda->buffers[handle] + offset, from, bytes), "copying in",
                 reason) &&
           check(cuda, cuda->synchronize(), "copying in", reason);
}

static bool cuda_download(void *session, size_t handle, uint64_t offset, void *to, uint64_t bytes,
                          struct fw_reason *reason)
{
    struct cuda *cuda = session;
    return check(cuda, cuda->download(to, cuda->buffers[handle] + offset, bytes), "copying out",
                 reason);
}

static bool cuda_set(void *session, size_t handle, unsigned char byte, uint64_t bytes,
                     struct fw_reason *reason)
{
    struct cuda *cuda = session;
    return check(cuda, cuda->set(cuda->buffers[handle], byte, bytes), "filling", reason) &&
           check(cuda, cuda->synchronize(), "filling", reason);
}

static bool cuda_copy(void *session, size_t to, size_t from, uint64_t bytes,
                      struct fw_reason *reason)
{
    struct cuda *cuda = session;
    return check(cuda, cuda->copy(cuda->buffers[to], cuda->buffers[from], bytes), "restoring",
                 reason) &&
           check(cuda, cuda->synchronize(), "restoring", reason);
}

static bool cuda_launch(void *session, enum fw_purpose purpose, uint32_t count,
                        const size_t *handles, double *seconds, struct fw_reason *reason)
{
    struct cuda *cuda = session;
    const struct fw_configuration *one = cuda->configuration;
    void **arguments = fw_measure_memory(one->argument_count, sizeof *arguments);
    unsigned char(*scalars)[8] = fw_measure_memory(one->argument_count, sizeof *scalars);
    (void)purpose;
    for (size_t i = 0; i < one->argument_count; i++) {
        memcpy(scalars[i], one->arguments[i].scalar, 8);
        arguments[i] = one->arguments[i].kind == FW_ARGUMENT_BUFFER
                           ? (void *)&cuda->buffers[handles[i]]
                           : (void *)scalars[i];
    }
    bool good = check(cuda, cuda->event_record(cuda->begin, cuda->stream), "an event", reason);
    for (uint32_t i = 0; good && i < count; i++)
        good = check(cuda,
                     cuda->launch(cuda->function, (unsigned)one->grid[0], (unsigned)one->grid[1],
                                  (unsigned)one->grid[2], (unsigned)one->block[0],
                                  (unsigned)one->block[1], (unsigned)one->block[2],
                                  (unsigned)one->shared, cuda->stream, arguments, NULL),
                     "launching", reason);
    good = good && check(cuda, cuda->event_record(cuda->end, cuda->stream), "an event", reason) &&
           events(cuda, seconds, reason);
    free(arguments);
    free(scalars);
    return good;
}

static bool cuda_flush(void *session, struct fw_reason *reason)
{
    struct cuda *cuda = session;
    if (!cuda->flusher) {
        int cache = 0;
        cuda->device_attribute(&cache, ATTRIBUTE_L2_BYTES, cuda->device);
        cuda->flusher_bytes = (uint64_t)cache * 4 > 134217728 ? (uint64_t)cache * 4 : 134217728;
        if (!check(cuda, cuda->allocate(&cuda->flusher, cuda->flusher_bytes),
                   "a buffer to flush caches with", reason))
            return false;
    }
    return check(cuda, cuda->set(cuda->flusher, 0x5a, cuda->flusher_bytes), "flushing", reason) &&
           check(cuda, cuda->synchronize(), "flushing", reason);
}

static void cuda_sample(void *session, enum fw_purpose purpose, struct fw_sample *sample)
{
    struct cuda *cuda = session;
    fw_nvml_sample(cuda->nvml, purpose == FW_PURPOSE_ENERGY, sample);
}

static void cuda_reset(void *session)
{
    struct cuda *cuda = session;
    for (size_t i = 0; i < cuda->buffer_count; i++)
        if (cuda->buffers[i])
            cuda->release(cuda->buffers[i]);
    free(cuda->buffers);
    cuda->buffers = NULL;
    cuda->buffer_count = 0;
    if (cuda->module)
        cuda->module_unload(cuda->module);
    cuda->module = cuda->function = NULL;
}

static void cuda_close(void *session)
{
    struct cuda *cuda = session;
    fw_nvml_close(cuda->nvml);
    free(cuda->buffers);
    free(cuda); /* the process ends with its only configuration; the driver frees the device */
}

const struct fw_backend fw_backend_cuda = {.name = "cuda",
                                           .open = cuda_open,
                                           .describe = cuda_describe,
                                           .floor = cuda_floor,
                                           .floored = true,
                                           .load = cuda_load,
                                           .allocate = cuda_allocate,
                                           .upload = cuda_upload,
                                           .download = cuda_download,
                                           .set = cuda_set,
                                           .copy = cuda_copy,
                                           .launch = cuda_launch,
                                           .flush = cuda_flush,
                                           .sample = cuda_sample,
                                           .reset = cuda_reset,
                                           .close = cuda_close};
