/* Runs kernels in OpenCL C on the first OpenCL device of this machine, for a test (run_device.h).
 * A program of its own so that it has no sanitizers: PoCL's compiler works inside the process,
 * takes three times as long under them, and is not what is tested.  OpenCL as in the Khronos
 * "OpenCL Specification", version 1.2. */
#include "run_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENCL_FUNCTIONS(X)                                                                        \
    X(int, platforms, "clGetPlatformIDs", (unsigned, void **, unsigned *))                         \
    X(int, devices, "clGetDeviceIDs", (void *, uint64_t, unsigned, void **, unsigned *))           \
    X(void *, context, "clCreateContext",                                                          \
      (const intptr_t *, unsigned, void *const *, void *, void *, int *))                          \
    X(void *, queue, "clCreateCommandQueue", (void *, void *, uint64_t, int *))                    \
    X(void *, program, "clCreateProgramWithSource",                                                \
      (void *, unsigned, const char **, const size_t *, int *))                                    \
    X(int, build, "clBuildProgram",                                                                \
      (void *, unsigned, void *const *, const char *, void *, void *))                             \
    X(void *, kernel, "clCreateKernel", (void *, const char *, int *))                             \
    X(int, argument, "clSetKernelArg", (void *, unsigned, size_t, const void *))                   \
    X(void *, buffer, "clCreateBuffer", (void *, uint64_t, size_t, void *, int *))                 \
    X(int, read, "clEnqueueReadBuffer",                                                            \
      (void *, void *, unsigned, size_t, size_t, void *, unsigned, void *const *, void **))        \
    X(int, launch, "clEnqueueNDRangeKernel",                                                       \
      (void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned,         \
       void *const *, void **))                                                                    \
    X(int, finish, "clFinish", (void *))                                                           \
    X(int, release_buffer, "clReleaseMemObject", (void *))                                         \
    X(int, release_kernel, "clReleaseKernel", (void *))                                            \
    X(int, release_program, "clReleaseProgram", (void *))

enum { READ_WRITE_COPY = 1 | 32 };

static struct {
    char reason[200];
#define X(result, member, name, parameters) result(*member) parameters;
    OPENCL_FUNCTIONS(X)
#undef X
    void *device, *in, *commands, *built, *function;
} cl;

static bool open_device(void)
{
    void *platforms[8], *devices[8];
    unsigned count = 0, found = 0;
    int code = 0;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL), *symbol;
    snprintf(cl.reason, sizeof(cl.reason), "no OpenCL loader");
    if (!library)
        return false;
#define X(result, member, name, parameters)                                                        \
    symbol = dlsym(library, name);                                                                 \
    memcpy(&cl.member, &symbol, sizeof(symbol));                                                   \
    if (!symbol)                                                                                   \
        return false;
    OPENCL_FUNCTIONS(X)
#undef X
    snprintf(cl.reason, sizeof(cl.reason), "no OpenCL device");
    if (cl.platforms(8, platforms, &count) != 0)
        return false;
    for (unsigned i = 0; i < count && i < 8 && !cl.device; i++)
        if (cl.devices(platforms[i], 0xFFFFFFFF, 8, devices, &found) == 0 && found)
            cl.device = devices[0];
    if (!cl.device)
        return false;
    cl.in = cl.context(NULL, 1, &cl.device, NULL, NULL, &code);
    cl.commands = cl.in ? cl.queue(cl.in, cl.device, 0, &code) : NULL;
    return cl.commands != NULL;
}

static bool make(const struct run_device_order *order, const char *text, char *reason)
{
    int code = 0;
    if (cl.function)
        cl.release_kernel(cl.function);
    if (cl.built)
        cl.release_program(cl.built);
    cl.function = NULL;
    cl.built = cl.program(cl.in, 1, &text, &order->text_length, &code);
    if (!cl.built || cl.build(cl.built, 1, &cl.device, "", NULL, NULL) != 0) {
        snprintf(reason, 255, "the OpenCL device's compiler did not take the text");
        return false;
    }
    cl.function = cl.kernel(cl.built, order->name, &code);
    if (!cl.function)
        snprintf(reason, 255, "OpenCL error %d: no kernel", code);
    return cl.function != NULL;
}

static bool launch(const struct run_device_order *order, void *const *memory, char *reason)
{
    void *buffers[RUN_DEVICE_ARGUMENTS] = {NULL};
    int code = cl.function ? 0 : -1;
    for (uint32_t i = 0; i < order->count && code == 0; i++) {
        const struct run_device_argument *argument = &order->arguments[i];
        if (argument->has_memory) {
            buffers[i] = cl.buffer(cl.in, READ_WRITE_COPY, argument->bytes, memory[i], &code);
            if (code == 0)
                code = cl.argument(cl.function, i, sizeof(void *), &buffers[i]);
        } else {
            code = cl.argument(cl.function, i, 4, &argument->value);
        }
    }
    if (code == 0)
        code = cl.launch(cl.commands, cl.function, 3, NULL, order->global, order->local, 0, NULL,
                         NULL);
    if (code == 0)
        code = cl.finish(cl.commands);
    for (uint32_t i = 0; i < order->count; i++) {
        if (code == 0 && buffers[i])
            code = cl.read(cl.commands, buffers[i], 1, 0, order->arguments[i].bytes, memory[i], 0,
                           NULL, NULL);
        if (buffers[i])
            cl.release_buffer(buffers[i]);
    }
    if (code != 0)
        snprintf(reason, 255, "OpenCL error %d", code);
    return code == 0;
}

/* As many bytes of the input, zero-terminated. */
static void *take(size_t bytes)
{
    char *at = malloc(bytes + 1);
    if (!at || (bytes && fread(at, bytes, 1, stdin) != 1))
        exit(1);
    at[bytes] = '\0';
    return at;
}

static void reply(bool good, const char *reason)
{
    struct run_device_reply said = {.good = good};
    snprintf(said.reason, sizeof(said.reason), "%s", reason);
    fwrite(&said, sizeof(said), 1, stdout);
}

static void obey(const struct run_device_order *order)
{
    char reason[255] = "";
    if (order->text_length) {
        char *text = take(order->text_length);
        reply(make(order, text, reason), reason);
        free(text);
        return;
    }
    void *memory[RUN_DEVICE_ARGUMENTS] = {NULL};
    for (uint32_t i = 0; i < order->count; i++)
        if (order->arguments[i].has_memory)
            memory[i] = take(order->arguments[i].bytes);
    bool good = launch(order, memory, reason);
    reply(good, reason);
    for (uint32_t i = 0; i < order->count; i++) {
        if (good && memory[i] && order->arguments[i].bytes)
            fwrite(memory[i], order->arguments[i].bytes, 1, stdout);
        free(memory[i]);
    }
}

int main(void)
{
    struct run_device_order order;
    bool there = open_device();
    reply(there, there ? "" : cl.reason);
    fflush(stdout);
    while (there && fread(&order, sizeof(order), 1, stdin) == 1 &&
           order.count <= RUN_DEVICE_ARGUMENTS) {
        obey(&order);
        fflush(stdout);
    }
    return 0;
}
