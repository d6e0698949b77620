/* The whole program's time and memory, and the time of one rebinding, beside what is required.
 *
 * usage: bench-program FOREWARP SOURCE
 *   FOREWARP: the built program; SOURCE: the source tree.
 * Prints medians over runs; the required figures stand beside the measured ones. */
#include "forewarp.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 21, REBINDINGS = 20000 };

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* One run of a program with its output thrown away: seconds, and the peak of its memory in bytes.
 */
static double run(char *const arguments[], double *memory)
{
    struct rusage usage;
    double start = now();
    int status;
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        execv(arguments[0], arguments);
        _exit(127);
    }
    wait4(child, &status, 0, &usage);
    *memory = (double)usage.ru_maxrss * 1024;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fprintf(stderr, "%s %s failed\n", arguments[0], arguments[1]);
    return now() - start;
}

static void whole(const char *name, char *const arguments[], double seconds, double bytes)
{
    double times[RUNS], memory = 0;
    int runs = seconds > 0.5 ? 5 : RUNS;
    for (int r = 0; r < runs; r++)
        times[r] = run(arguments, &memory);
    qsort(times, (size_t)runs, sizeof(*times), ascending);
    printf("%-44s %9.2f ms (required: under %4.0f ms) %7.1f MB (required: under %3.0f MB)\n", name,
           times[runs / 2] * 1e3, seconds * 1e3, memory / 1e6, bytes / 1e6);
}

/* A module of about two megabytes: the example kernel again and again under new names. */
static void write_large(const char *path, const char *small)
{
    FILE *in = fopen(small, "rb"), *out = fopen(path, "wb");
    char *text = calloc(1, 1 << 20);
    size_t length = in && text ? fread(text, 1, (1 << 20) - 1, in) : 0;
    char *entry = strstr(text, ".visible .entry"), *end = strstr(text, "\t.file");
    if (!entry || !out)
        exit(1);
    if (!end)
        end = text + length;
    fwrite(text, 1, (size_t)(entry - text), out);
    for (long k = 0; ftell(out) < 2000000; k++) {
        for (char *at = entry; at < end; at++) {
            if (strncmp(at, "matmul_tiled", 12) == 0) {
                fprintf(out, "matmul_tiled_%ld", k);
                at += 11;
            } else {
                fputc(*at, out);
            }
        }
    }
    fwrite(end, 1, (size_t)(text + length - end), out);
    fclose(in);
    fclose(out);
    free(text);
}

/* Ten thousand launches of the example kernel, no two alike. */
static void write_launches(const char *path)
{
    enum { LAUNCHES = 10000 };
    FILE *out = fopen(path, "wb");
    if (!out)
        exit(1);
    for (int l = 0; l < LAUNCHES; l++)
        fprintf(out,
                "{\"kernel\": \"matmul_tiled\", \"grid\": [%d, 64, 1], \"block\": [16, 16, 1], "
                "\"arguments\": {\"3\": %d, \"4\": %d, \"5\": 900}}\n",
                64 + l % 7, 1000 + l, 1000 + l % 13);
    fclose(out);
}

static void rebinding(const char *source, const char *file, const char *const *bindings,
                      size_t binding_count, uint32_t size, bool predicts)
{
    struct fw_context_options options = {.size = sizeof(options), .data = source};
    struct fw_context *context;
    struct fw_program *program;
    struct fw_device *device;
    const struct fw_kernel *kernel;
    struct fw_worker *worker;
    const struct fw_answer *answer;
    struct fw_count_settings brief = {.size = sizeof(brief), .brief = true};
    char path[4096];
    double times[5], check = 0;
    snprintf(path, sizeof(path), "%s/tests/golden/kernels/%s", source, file);
    if (fw_context_new(&context, &options) || fw_program_read(&program, context, path, NULL) ||
        fw_program_kernel(&kernel, program, NULL) || fw_worker_new(&worker, program, kernel) ||
        fw_context_device(&device, context, "h200"))
        exit(1);
    fw_worker_set_block(worker, 16, 16, 1);
    for (size_t b = 0; b < binding_count; b++)
        fw_worker_bind(worker, bindings[b]);
    for (int round = 0; round < 5; round++) {
        double start = now();
        for (uint32_t i = 0; i < REBINDINGS / 5; i++) {
            fw_worker_set_grid(worker, size + i % 7, size, 1);
            fw_worker_bind_integer(worker, 3, 1000 + i);
            if (predicts && fw_worker_predict(&answer, worker, device, NULL) == FW_OK)
                check += answer->predictions[0].seconds;
            else if (!predicts && fw_worker_count(&answer, worker, &brief) == FW_OK)
                check += answer->counts->total.count.value;
        }
        times[round] = (now() - start) / (REBINDINGS / 5);
    }
    qsort(times, 5, sizeof(*times), ascending);
    printf("%-44s %9.2f us (required: under   20 us)%s\n", fw_worker_kernel(worker)->name,
           times[2] * 1e6, check > 0 ? "" : " NOTHING COUNTED");
    fw_worker_free(worker);
    fw_program_free(program);
    fw_context_device_free(device);
    fw_context_free(context);
}

/* The kernel language: counts of the tiled multiplication at one size after another. */
static void rebinding_loops(const char *source)
{
    struct fw_context_options options = {.size = sizeof(options), .data = source};
    struct fw_count_settings brief = {.size = sizeof(brief), .brief = true};
    struct fw_context *context;
    struct fw_program *program;
    const struct fw_kernel *kernel;
    struct fw_worker *worker;
    const struct fw_answer *answer;
    char path[4096];
    double times[5], check = 0;
    snprintf(path, sizeof(path), "%s/tests/golden/knl/matmul.knl", source);
    if (fw_context_new(&context, &options) || fw_program_read(&program, context, path, NULL) ||
        fw_program_kernel(&kernel, program, NULL) || fw_worker_new(&worker, program, kernel))
        exit(1);
    for (int round = 0; round < 5; round++) {
        double start = now();
        for (uint32_t i = 0; i < REBINDINGS / 5; i++) {
            for (size_t p = 0; p < 3; p++)
                fw_worker_bind_integer(worker, p, 1000 + i);
            if (fw_worker_count(&answer, worker, &brief) == FW_OK)
                check += answer->counts->flops.value;
        }
        times[round] = (now() - start) / (REBINDINGS / 5);
    }
    qsort(times, 5, sizeof(*times), ascending);
    printf("%-44s %9.2f us (required: under   20 us)%s\n", "matmul.knl", times[2] * 1e6,
           check > 2e9 * REBINDINGS ? "" : " NOTHING COUNTED");
    fw_worker_free(worker);
    fw_program_free(program);
    fw_context_free(context);
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: bench-program FOREWARP SOURCE\n");
        return 2;
    }
    char small[4096], medium[4096], large[] = "/tmp/forewarp-bench-XXXXXX.ptx";
    char launches[] = "/tmp/forewarp-bench-XXXXXX.json";
    snprintf(small, sizeof(small), "%s/tests/golden/kernels/saxpy.ptx", arguments[2]);
    snprintf(medium, sizeof(medium), "%s/tests/golden/kernels/matmul_tiled.ptx", arguments[2]);
    setenv("FOREWARP_DATA", arguments[2], 1);
    close(mkstemps(large, 4));
    write_large(large, medium);
    close(mkstemps(launches, 5));
    write_launches(launches);
    whole("count, 50 lines of PTX",
          (char *[]){arguments[1], "count", small, "-g", "3907", "-b", "256", "-s", "3=1M", NULL},
          0.02, 30e6);
    whole("count --json, with formulas, 50 lines",
          (char *[]){arguments[1], "count", small, "-g", "3907", "-b", "256", "-s", "3=1M",
                     "--json", NULL},
          0.02, 30e6);
    whole("predict, 50 lines of PTX",
          (char *[]){arguments[1], "predict", small, "-g", "3907", "-b", "256", "-s", "3=1M", "-d",
                     "h200", NULL},
          0.02, 30e6);
    whole("count, one kernel of 2 MB of PTX",
          (char *[]){arguments[1], "count", large, "-k", "matmul_tiled_7", "-g", "129,129", "-b",
                     "16,16", "-s", "3=2050", "-s", "4=2050", "-s", "5=2050", NULL},
          1, 250e6);
    whole("predict, one kernel of 2 MB of PTX",
          (char *[]){arguments[1], "predict", large, "-k", "matmul_tiled_7", "-g", "129,129", "-b",
                     "16,16", "-s", "3=2050", "-s", "4=2050", "-s", "5=2050", "-d", "h200", NULL},
          1, 250e6);
    whole("predict --json, 10,000 launches",
          (char *[]){arguments[1], "predict", medium, "--launches", launches, "--json", "-d",
                     "h200", NULL},
          1, 250e6);
    whole("count --json, 10,000 launches",
          (char *[]){arguments[1], "count", medium, "--launches", launches, "--json", NULL}, 1,
          250e6);
    remove(launches);
    printf("rebinding and counting, without strides\n");
    rebinding(arguments[2], "saxpy.ptx", NULL, 0, 16, false);
    rebinding(arguments[2], "matmul_tiled.ptx", (const char *[]){"4=2050", "5=2050"}, 2, 129,
              false);
    printf("rebinding and predicting\n");
    rebinding(arguments[2], "saxpy.ptx", NULL, 0, 16, true);
    rebinding(arguments[2], "matmul_tiled.ptx", (const char *[]){"4=2050", "5=2050"}, 2, 129, true);
    remove(large);
    rebinding_loops(arguments[2]);
    return 0;
}
