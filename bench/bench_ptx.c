/* How long reading PTX takes: `bench-ptx` for a generated text of 2 MB, `bench-ptx FILE..` for
 * files. Prints bytes, instructions, the median of eleven readings, and the arena's bytes. */
#include "arena.h"
#include "ptx_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { TRIALS = 11, GENERATED = 2 * 1000 * 1000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void print(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_arena *arena = fw_arena_new(0);
    (void)user;
    fputs(fw_diagnostic_render(arena, diagnostic), stderr);
    fw_arena_free(arena);
}

/* One kernel of the kind that nvcc writes for a matrix product, numbered. */
static void generate_kernel(struct fw_buffer *text, unsigned number)
{
    fw_buffer_printf(
        text,
        ".visible .entry kernel%u(\n\t.param .u64 .ptr .align 1 kernel%u_param_0,\n"
        "\t.param .u32 kernel%u_param_1\n)\n.maxntid 256, 1, 1\n{\n\t.reg .pred \t%%p<3>;\n"
        "\t.reg .f32 \t%%f<400>;\n\t.reg .b32 \t%%r<16>;\n\t.reg .b64 \t%%rd<200>;\n\n"
        "\t.loc\t1 %u 0\n\tld.param.u64 \t%%rd1, [kernel%u_param_0];\n"
        "\tld.param.u32 \t%%r1, [kernel%u_param_1];\n\tmov.u32 \t%%r2, %%tid.x;\n"
        "\tcvta.to.global.u64 \t%%rd2, %%rd1;\n\tmov.u32 \t%%r3, 0;\n"
        "\tmov.f32 \t%%f1, 0f00000000;\n$L__BB%u_1:\n",
        number, number, number, number, number, number, number);
    for (unsigned i = 1; i < 100; i++)
        fw_buffer_printf(
            text,
            "\t.loc\t1 %u 9\n\tmul.wide.s32 \t%%rd%u, %%r3, 4;\n"
            "\tadd.s64 \t%%rd%u, %%rd2, %%rd%u;\n\tld.global.nc.f32 \t%%f%u, [%%rd%u+%u];\n"
            "\tfma.rn.f32 \t%%f1, %%f%u, %%f%u, %%f1;\n",
            i, i + 2, i + 100 - 1, i + 2, 3 * i, i + 100 - 1, 4 * i, 3 * i, 3 * i);
    fw_buffer_printf(text,
                     "\tadd.s32 \t%%r3, %%r3, 1;\n\tsetp.lt.s32 \t%%p1, %%r3, %%r1;\n"
                     "\t@%%p1 bra \t$L__BB%u_1;\n\tst.global.f32 \t[%%rd2], %%f1;\n\tret;\n}\n",
                     number);
}

static void measure(const struct fw_source *source)
{
    double seconds[TRIALS];
    size_t used = 0;
    unsigned long instructions = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_module *module;
        const struct fw_sink sink = {print, NULL};
        double start = now();
        if (fw_ptx_read(&module, arena, source, &sink) != FW_OK)
            exit(1);
        seconds[trial] = now() - start;
        used = fw_arena_used(arena);
        instructions = 0;
        for (uint32_t i = 0; i < module->function_count; i++)
            instructions += module->functions[i]->instruction_count;
        fw_arena_free(arena);
    }
    qsort(seconds, TRIALS, sizeof(*seconds), compare);
    printf("%-28s %9zu bytes %8lu instructions  median %.6f s  arena %zu bytes\n", source->name,
           source->length, instructions, seconds[TRIALS / 2], used);
}

static void measure_file(const char *name)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer text = fw_buffer_new(arena);
    char chunk[1 << 16];
    size_t got;
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        exit(3);
    }
    while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0)
        fw_buffer_add(&text, chunk, got);
    fclose(file);
    measure(&(struct fw_source){name, text.text, text.length});
    fw_arena_free(arena);
}

int main(int count, char **arguments)
{
    struct rusage usage;
    for (int i = 1; i < count; i++)
        measure_file(arguments[i]);
    if (count == 1) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_buffer text = fw_buffer_new(arena);
        fw_buffer_printf(&text,
                         ".version 8.3\n.target sm_90\n.address_size 64\n.file 1 \"a.cu\"\n");
        for (unsigned i = 0; text.length < GENERATED; i++)
            generate_kernel(&text, i);
        measure(&(struct fw_source){"generated", text.text, text.length});
        fw_arena_free(arena);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("sizeof: operand %zu, instruction %zu; peak memory of the process %ld KiB\n",
           sizeof(struct fw_operand), sizeof(struct fw_instruction), usage.ru_maxrss);
    return 0;
}
