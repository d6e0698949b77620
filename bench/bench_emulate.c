/* How fast the emulator runs: thread-instructions a second on one core, the median of several runs.
 * usage: bench-emulate [runs [PTX [KERNEL [MACHINE]]]]; PTX: bench/emulate/speed.ptx, KERNEL: '' is
 * all, MACHINE: portable, avx2, avx512 */
#include "emulate.h"
#include "pipeline.h"
#include "ptx_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void report(void *user, const struct fw_diagnostic *diagnostic)
{
    char *text = fw_diagnostic_render(user, diagnostic);
    fputs(text, stderr);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static char *read_text(struct fw_arena *arena, const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = fw_arena_alloc(arena, *length + 1);
    *length = fread(text, 1, *length, file);
    fclose(file);
    return text;
}

static const struct {
    const char *kernel;
    uint32_t grid[3], block[3];
    const char *arguments[6];
} cases[] = {
    {"saxpy",
     {64, 1, 1},
     {256, 1, 1},
     {"#0=f32[65536]:random", "#1=f32[65536]:random", "#2=0.5", "#3=65536", "#4=64"}},
    {"matmul",
     {16, 16, 1},
     {16, 16, 1},
     {"#0=f32[65536]", "#1=f32[65536]:random", "#2=f32[65536]:random", "#3=256"}},
    {"nbody", {8, 1, 1}, {128, 1, 1}, {"#0=f32[4096]", "#1=f32[4096]:random", "#2=1024"}},
    {"stencil", {2, 8, 1}, {64, 16, 1}, {"#0=f32[2097152]", "#1=f32[2097152]:random", "#2=128"}},
    {"mandelbrot", {8, 16, 1}, {16, 8, 1}, {"#0=s32[16384]", "#1=128", "#2=500"}},
    {"hash", {64, 1, 1}, {256, 1, 1}, {"#0=u32[16384]", "#1=500"}},
};

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int run_case(struct fw_module *module, size_t which, unsigned runs, const char *machine,
                    const struct fw_sink *sink, struct fw_arena *arena)
{
    struct fw_function *function = fw_module_kernel(module, cases[which].kernel);
    struct fw_emulate_argument arguments[6];
    struct fw_emulate_launch launch = {.arguments = arguments};
    const struct fw_emulate_options options = {.machine = machine};
    double rates[64];
    if (!function)
        return 1;
    memcpy(launch.grid, cases[which].grid, sizeof launch.grid);
    memcpy(launch.block, cases[which].block, sizeof launch.block);
    for (; launch.argument_count < 6 && cases[which].arguments[launch.argument_count];
         launch.argument_count++)
        if (fw_emulate_argument_parse(&arguments[launch.argument_count], arena,
                                      cases[which].arguments[launch.argument_count], sink))
            return 1;
    uint64_t executed = 0;
    for (unsigned r = 0; r < runs; r++) {
        struct fw_emulation *emulation;
        struct fw_emulate_result result;
        if (fw_emulation_new(&emulation, function, &launch, &options, sink))
            return 1;
        const double start = now();
        const enum fw_status status = fw_emulation_run(&result, emulation);
        rates[r] = (double)result.thread_instructions / (now() - start) * 1e-6;
        executed = result.thread_instructions;
        fw_emulation_free(emulation);
        if (status)
            return 1;
    }
    qsort(rates, runs, sizeof *rates, ascending);
    printf("%-12s %12llu thread-instructions  %8.0f million a second (%.0f to %.0f)\n",
           cases[which].kernel, (unsigned long long)executed, rates[runs / 2], rates[0],
           rates[runs - 1]);
    return 0;
}

int main(int argc, char **argv)
{
    const unsigned runs = argc > 1 ? (unsigned)atoi(argv[1]) : 7;
    const char *path = argc > 2 ? argv[2] : "bench/emulate/speed.ptx";
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_sink sink = {report, arena};
    struct fw_source source = {.name = path};
    struct fw_module *module;
    source.text = read_text(arena, path, &source.length);
    if (!source.text || runs == 0 || runs > 64 || fw_ptx_read(&module, arena, &source, &sink)) {
        fprintf(stderr, "cannot read %s\n", path);
        return 1;
    }
    int failed = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fw_function *function = fw_module_kernel(module, cases[i].kernel);
        if (argc > 3 && *argv[3] && strcmp(argv[3], cases[i].kernel) != 0)
            continue;
        if (function &&
            fw_ir_prepare(module->arena, function, FW_IR_MOST_INSTRUCTIONS, &sink) != FW_OK)
            return 1;
        failed |= run_case(module, i, runs, argc > 4 ? argv[4] : NULL, &sink, arena);
    }
    fw_arena_free(arena);
    return failed;
}
