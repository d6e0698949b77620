#include "run_kernel.h"

#include "compile.h"
#include "emulate.h"
#include "pipeline.h"
#include "ptx_reader.h"
#include "run_device.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct run_kernel {
    enum run_way way;
    struct fw_arena *arena;
    const struct fw_emission *emission;
    void *library; /* plain C */
    void (*call)(void **arguments);
    struct fw_module *module; /* emulator */
    struct fw_sink sink;
    char message[256];
};

static const struct {
    const char *text;
    enum fw_emit_target target;
} ways[] = {
#define X(name, text, target) {text, target},
    RUN_WAYS(X)
#undef X
};

const char *run_way_text(enum run_way way)
{
    return ways[way].text;
}

enum fw_emit_target run_way_target(enum run_way way)
{
    return ways[way].target;
}

static void keep(void *user, const struct fw_diagnostic *diagnostic)
{
    struct run_kernel *kernel = user;
    snprintf(kernel->message, sizeof(kernel->message), "%.200s", diagnostic->message);
}

/* ---- plain C ---- */

/* "void forewarp_call(void **a) { name(a[0], *(int *)a[1]); }" */
static char *with_call(struct fw_arena *arena, const struct fw_emission *emission)
{
    struct fw_buffer buffer = fw_buffer_new(arena);
    fw_buffer_printf(&buffer, "%s\nvoid forewarp_call(void **a)\n{\n    %s(", emission->text,
                     emission->name);
    for (size_t i = 0; i < emission->arguments.count; i++)
        fw_buffer_printf(&buffer, emission->arguments.at[i].array ? "%sa[%zu]" : "%s*(int *)a[%zu]",
                         i ? ", " : "", i);
    fw_buffer_printf(&buffer, ");\n}\n");
    return buffer.text;
}

static bool run_child(const char *const *arguments)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static bool make_plain(struct run_kernel *kernel, char *reason)
{
    const char *root = getenv("TMPDIR");
    char *folder = fw_arena_printf(kernel->arena, "%s/forewarp-emit-XXXXXX", root ? root : "/tmp");
    if (!mkdtemp(folder)) {
        snprintf(reason, 256, "no scratch folder");
        return false;
    }
    char *source = fw_arena_printf(kernel->arena, "%s/kernel.c", folder);
    char *library = fw_arena_printf(kernel->arena, "%s/kernel.so", folder);
    FILE *file = fopen(source, "w");
    bool written = file && fputs(with_call(kernel->arena, kernel->emission), file) >= 0;
    written = file && fclose(file) == 0 && written;
    const char *const command[] = {"gcc",     "-std=c17",
                                   "-O1",     "-Wall",
                                   "-Wextra", "-Wno-unused-parameter",
                                   "-Werror", "-ffp-contract=off",
                                   "-shared", "-fPIC",
                                   "-o",      library,
                                   source,    "-lm",
                                   NULL};
    bool made = written && run_child(command);
    if (made)
        kernel->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = kernel->library ? dlsym(kernel->library, "forewarp_call") : NULL;
    memcpy(&kernel->call, &symbol, sizeof(symbol));
    unlink(source);
    unlink(library);
    rmdir(folder);
    if (!symbol)
        snprintf(reason, 256, "gcc did not take the text");
    return symbol != NULL;
}

static bool launch_plain(struct run_kernel *kernel, struct run_argument *arguments, size_t count)
{
    void *list[64];
    for (size_t i = 0; i < count; i++)
        list[i] = arguments[i].memory ? arguments[i].memory : &arguments[i].value;
    kernel->call(list);
    return true;
}

/* ---- OpenCL: by the program run-device ---- */

static struct {
    const char *program;
    FILE *to, *from;
    struct run_device_reply hello;
} device;

void run_use_device(const char *program)
{
    device.program = program;
}

static void start_device(void)
{
    int down[2], up[2];
    snprintf(device.hello.reason, sizeof(device.hello.reason), "%s did not start", device.program);
    signal(SIGPIPE, SIG_IGN);
    if (pipe(down) || pipe(up))
        return;
    pid_t child = fork();
    if (child == 0) {
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[1]);
        close(up[0]);
        execl(device.program, device.program, (char *)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    device.to = fdopen(down[1], "wb");
    device.from = fdopen(up[0], "rb");
    if (child < 0 || fread(&device.hello, sizeof(device.hello), 1, device.from) != 1)
        device.hello.good = false;
}

static bool hear_device(char *reason)
{
    struct run_device_reply reply = {false, "the program of the OpenCL device ended"};
    bool heard = fflush(device.to) == 0 && fread(&reply, sizeof(reply), 1, device.from) == 1;
    if (!heard || !reply.good)
        snprintf(reason, 256, "%s", reply.reason);
    return heard && reply.good;
}

static void tell_device(const void *at, size_t bytes)
{
    if (bytes)
        fwrite(at, bytes, 1, device.to); /* what fails is seen by who waits for the reply */
}

static bool make_device(struct run_kernel *kernel, char *reason)
{
    struct run_device_order order = {.text_length = strlen(kernel->emission->text)};
    snprintf(order.name, sizeof(order.name), "%s", kernel->emission->name);
    tell_device(&order, sizeof(order));
    tell_device(kernel->emission->text, order.text_length);
    return hear_device(reason);
}

static bool launch_device(const int64_t grid[3], const int64_t block[3],
                          struct run_argument *arguments, size_t count, char *reason)
{
    struct run_device_order order = {.count = (uint32_t)count};
    for (unsigned a = 0; a < 3; a++) {
        order.local[a] = (size_t)block[a];
        order.global[a] = (size_t)(grid[a] * block[a]);
    }
    for (size_t i = 0; i < count; i++)
        order.arguments[i] = (struct run_device_argument){arguments[i].memory != NULL,
                                                          arguments[i].value, arguments[i].bytes};
    tell_device(&order, sizeof(order));
    for (size_t i = 0; i < count; i++)
        if (arguments[i].memory)
            tell_device(arguments[i].memory, arguments[i].bytes);
    bool done = hear_device(reason);
    for (size_t i = 0; done && i < count; i++)
        if (arguments[i].memory)
            done = arguments[i].bytes == 0 ||
                   fread(arguments[i].memory, arguments[i].bytes, 1, device.from) == 1;
    return done;
}

/* ---- the emulator ---- */

static struct fw_compile_options options_of(enum run_way way, const char *data)
{
    return (struct fw_compile_options){
        .language = way == RUN_EMULATED ? FW_LANGUAGE_OPENCL : FW_LANGUAGE_CUDA, .data = data};
}

static bool make_emulated(struct run_kernel *kernel, const char *data, char *reason)
{
    struct fw_compile_options options = options_of(kernel->way, data);
    const char *text = kernel->emission->text;
    struct fw_compile_input input = {kernel->way == RUN_EMULATED ? "kernel.cl" : "kernel.cu", text,
                                     strlen(text)};
    struct fw_compiled compiled;
    struct fw_source *source = FW_NEW(kernel->arena, struct fw_source);
    if (fw_compile(&compiled, kernel->arena, &input, &options, &kernel->sink) != FW_OK) {
        snprintf(reason, 256, "%s", kernel->message);
        return false;
    }
    *source = (struct fw_source){"kernel.ptx", compiled.ptx, compiled.ptx_length};
    if (fw_ptx_read(&kernel->module, kernel->arena, source, &kernel->sink) != FW_OK) {
        snprintf(reason, 256, "%s", kernel->message);
        return false;
    }
    struct fw_function *function = fw_module_kernel(kernel->module, NULL);
    if (fw_ir_prepare(kernel->arena, function, FW_IR_MOST_INSTRUCTIONS, &kernel->sink) != FW_OK) {
        snprintf(reason, 256, "%s", kernel->message);
        return false;
    }
    return true;
}

static void *memory_of(const struct fw_emulation *emulation, size_t parameter)
{
    size_t count = 0;
    const struct fw_emulate_buffer *buffers = fw_emulation_buffers(emulation, &count);
    for (size_t i = 0; i < count; i++)
        if (buffers[i].parameter == parameter)
            return buffers[i].memory;
    return NULL;
}

static bool launch_emulated(struct run_kernel *kernel, const int64_t grid[3],
                            const int64_t block[3], struct run_argument *arguments, size_t count,
                            char *reason)
{
    struct fw_emulate_argument list[64];
    struct fw_emulate_launch launch = {.arguments = list, .argument_count = count};
    struct fw_emulation *emulation = NULL;
    struct fw_emulate_result result;
    memset(list, 0, sizeof(list));
    for (unsigned a = 0; a < 3; a++) {
        launch.grid[a] = (uint32_t)grid[a];
        launch.block[a] = (uint32_t)block[a];
    }
    for (size_t i = 0; i < count; i++) {
        list[i].position = (uint32_t)i;
        list[i].is_buffer = arguments[i].memory != NULL;
        list[i].is_number = !list[i].is_buffer;
        list[i].number = arguments[i].value;
        list[i].type = arguments[i].type;
        list[i].count = arguments[i].bytes / (fw_type_bits(arguments[i].type) / 8);
    }
    const struct fw_function *function = fw_module_kernel(kernel->module, NULL);
    enum fw_status status = fw_emulation_new(&emulation, function, &launch, NULL, &kernel->sink);
    for (size_t i = 0; i < count && status == FW_OK; i++)
        if (arguments[i].memory)
            memcpy(memory_of(emulation, i), arguments[i].memory, arguments[i].bytes);
    if (status == FW_OK)
        status = fw_emulation_run(&result, emulation);
    for (size_t i = 0; i < count && status == FW_OK; i++)
        if (arguments[i].memory)
            memcpy(arguments[i].memory, memory_of(emulation, i), arguments[i].bytes);
    fw_emulation_free(emulation);
    if (status != FW_OK)
        snprintf(reason, 256, "%s", kernel->message);
    return status == FW_OK;
}

/* ---- all ---- */

bool run_available(enum run_way way, const char *data, char *reason)
{
    if (way == RUN_PLAIN)
        return true;
    if (way == RUN_DEVICE) {
        if (!device.to && device.program)
            start_device();
        snprintf(reason, 256, "%s", device.hello.reason);
        return device.hello.good;
    }
    struct run_kernel quiet = {.way = way};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_compile_options options = options_of(way, data);
    struct fw_compiler compiler;
    const struct fw_sink sink = {keep, &quiet};
    bool found = fw_compiler_find(&compiler, arena, &options, &sink) == FW_OK;
    snprintf(reason, 256, "%s", quiet.message);
    fw_arena_free(arena);
    return found;
}

struct run_kernel *run_kernel_new(enum run_way way, const struct fw_emission *emission,
                                  const char *data, char *reason)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct run_kernel *kernel = FW_NEW(arena, struct run_kernel);
    kernel->way = way;
    kernel->arena = arena;
    kernel->emission = emission;
    kernel->sink = (struct fw_sink){keep, kernel};
    bool made = way == RUN_PLAIN    ? make_plain(kernel, reason)
                : way == RUN_DEVICE ? make_device(kernel, reason)
                                    : make_emulated(kernel, data, reason);
    if (made)
        return kernel;
    run_kernel_free(kernel);
    return NULL;
}

bool run_kernel_launch(struct run_kernel *kernel, const int64_t grid[3], const int64_t block[3],
                       struct run_argument *arguments, size_t count, char *reason)
{
    if (count > 64)
        return false;
    if (kernel->way == RUN_PLAIN)
        return launch_plain(kernel, arguments, count);
    if (kernel->way == RUN_DEVICE)
        return launch_device(grid, block, arguments, count, reason);
    return launch_emulated(kernel, grid, block, arguments, count, reason);
}

void run_kernel_free(struct run_kernel *kernel)
{
    if (kernel->library)
        dlclose(kernel->library);
    fw_arena_free(kernel->arena);
}
