/* The model trace: time and memory of one prediction, over all launches of the example kernels.
 *
 * usage: bench-trace SOURCE [KERNEL | triton]
 * Predicts each launch of kernels/launches.json on the profile h200 from the PTX of
 * tests/golden/kernels: medians of processor time over a few predictions of one worker, which binds
 * anew for each. Prints the median, the 90th percentile and the slowest ones beside what is
 * required, and the most memory that a process took which read one kernel and predicted it.  With
 * KERNEL: its launches, each on a line.  Behind them the kernels of data/h200/triton, attention
 * apart, by the models trace, traffic and blend. */
#include "../tests/replay/example_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1024, REPEATS = 5, SHOWN = 8 };

struct row {
    char kernel[64], size[8];
    bool predicted;
    double seconds; /* of a prediction */
    double memory;  /* bytes of the process */
};

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int slowest_first(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* The median time of a prediction; below 0: there is none. */
static double predict(const char *root, const json_t *launch)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_context_options options = {.size = sizeof(options), .data = root};
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "trace"};
    struct fw_context *context;
    struct fw_device *device;
    struct example_launch example;
    const struct fw_answer *answer;
    double seconds[REPEATS], median = -1;
    if (fw_context_new(&context, &options) || fw_context_device(&device, context, "h200"))
        exit(1);
    bool good = example_launch_open(&example, arena, root, context, launch);
    for (int r = 0; r < REPEATS && good; r++) {
        double start = now();
        good = fw_worker_predict(&answer, example.worker, device, &settings) == FW_OK;
        seconds[r] = now() - start;
    }
    if (good) {
        qsort(seconds, REPEATS, sizeof(*seconds), by_value);
        median = seconds[REPEATS / 2];
    }
    example_launch_close(&example);
    fw_context_device_free(device);
    fw_context_free(context);
    fw_arena_free(arena);
    return median;
}

/* In a process of its own, so that its memory is known. */
static struct row measure(const char *root, const json_t *launch)
{
    struct row row = {.seconds = -1};
    struct rusage usage;
    int ends[2], status;
    snprintf(row.kernel, sizeof(row.kernel), "%s",
             json_string_value(json_object_get(launch, "kernel")));
    snprintf(row.size, sizeof(row.size), "%s", json_string_value(json_object_get(launch, "size")));
    if (pipe(ends) != 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        double seconds = predict(root, launch);
        _exit(write(ends[1], &seconds, sizeof(seconds)) == (ssize_t)sizeof(seconds) ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &row.seconds, sizeof(row.seconds)) != (ssize_t)sizeof(row.seconds))
        row.seconds = -1;
    close(ends[0]);
    wait4(child, &status, 0, &usage);
    row.predicted = row.seconds >= 0;
    row.memory = (double)usage.ru_maxrss * 1024;
    return row;
}

/* ---- kernels of Triton ---- */

/* Binds a launch of data/h200/triton/spaces.jsonl: sizes and strides of a product, the length of
 * attention. */
static void bind_triton(struct fw_worker *worker, const json_t *row)
{
    const bool product =
        strcmp(json_string_value(json_object_get(row, "kernel")), "matmul_f16") == 0;
    const json_t *grid = json_object_get(row, "grid");
    uint32_t size[3] = {1, 1, 1};
    for (size_t d = 0; d < json_array_size(grid) && d < 3; d++)
        size[d] = (uint32_t)json_integer_value(json_array_get(grid, d));
    fw_worker_set_grid(worker, size[0], size[1], size[2]);
    fw_worker_set_block(worker,
                        32 * (uint32_t)json_integer_value(json_object_get(row, "num_warps")), 1, 1);
    fw_worker_set_shared(worker, (uint64_t)json_integer_value(json_object_get(row, "shared")));
    for (int p = product ? 3 : 4; p < (product ? 9 : 5); p++) {
        char bound[64];
        snprintf(bound, sizeof(bound), "%d=%lld", p,
                 (long long)json_integer_value(json_object_get(row, "size")));
        fw_worker_bind(worker, bound);
    }
}

/* The median time of a prediction of the kernel of a row; below 0: its PTX is not kept. */
static double predict_triton(const char *root, const struct fw_context *context,
                             const struct fw_device *device, const json_t *row, const char *model)
{
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = model};
    char path[4096];
    struct fw_program *program;
    const struct fw_kernel *kernel;
    const struct fw_answer *answer;
    struct fw_worker *worker;
    double seconds[REPEATS];
    snprintf(path, sizeof(path), "%s/data/h200/triton/kernels/%s.ptx", root,
             json_string_value(json_object_get(row, "name")));
    if (access(path, R_OK) != 0)
        return -1;
    if (fw_program_read(&program, context, path, NULL) ||
        fw_program_kernel(&kernel, program, json_string_value(json_object_get(row, "kernel"))) ||
        fw_worker_new(&worker, program, kernel))
        exit(1);
    bind_triton(worker, row);
    for (int r = 0; r < REPEATS; r++) {
        double start = now();
        if (fw_worker_predict(&answer, worker, device, &settings))
            exit(1);
        seconds[r] = now() - start;
    }
    fw_worker_free(worker);
    fw_program_free(program);
    qsort(seconds, REPEATS, sizeof(*seconds), by_value);
    return seconds[REPEATS / 2];
}

static void measure_triton(const char *root)
{
    static const char *const models[] = {"trace", "traffic", "blend"};
    enum { MODELS = 3, KINDS = 2 };
    static double seconds[MODELS][KINDS][MOST];
    size_t count[KINDS] = {0};
    char path[4096], line[4096];
    struct fw_context_options options = {.size = sizeof(options), .data = root};
    struct fw_context *context;
    struct fw_device *device;
    snprintf(path, sizeof(path), "%s/data/h200/triton/spaces.jsonl", root);
    FILE *file = fopen(path, "r");
    if (!file || fw_context_new(&context, &options) || fw_context_device(&device, context, "h200"))
        exit(1);
    while (fgets(line, sizeof(line), file)) {
        json_t *row = json_loads(line, 0, NULL);
        const char *kernel = json_string_value(json_object_get(row, "kernel"));
        const int kind = kernel && strcmp(kernel, "attention") != 0;
        double found = 0;
        for (int m = 0; m < MODELS && found >= 0 && count[kind] < MOST; m++)
            seconds[m][kind][count[kind]] = found =
                predict_triton(root, context, device, row, models[m]);
        count[kind] += found > 0;
        json_decref(row);
    }
    fclose(file);
    for (int k = 0; k < KINDS; k++)
        for (int m = 0; m < MODELS && count[k]; m++) {
            qsort(seconds[m][k], count[k], sizeof(double), by_value);
            printf("%-9s by %-8s %7.2f ms, worst of %zu %7.2f ms%s\n", k ? "products" : "attention",
                   models[m], seconds[m][k][count[k] / 2] * 1e3, count[k],
                   seconds[m][k][count[k] - 1] * 1e3, k ? "" : " (required: at most 20 ms)");
        }
    fw_context_device_free(device);
    fw_context_free(context);
}

static void print_row(const struct row *row)
{
    if (row->predicted)
        printf("  %-32s %-6s %9.2f ms %7.1f MB\n", row->kernel, row->size, row->seconds * 1e3,
               row->memory / 1e6);
    else
        printf("  %-32s %-6s not predicted\n", row->kernel, row->size);
}

int main(int count, char **arguments)
{
    static struct row rows[MOST];
    static double seconds[MOST];
    char path[4096];
    size_t measured = 0, failed = 0;
    double memory = 0;
    if (count < 2) {
        fprintf(stderr, "usage: bench-trace SOURCE [KERNEL | triton]\n");
        return 2;
    }
    if (count > 2 && strcmp(arguments[2], "triton") == 0) {
        measure_triton(arguments[1]);
        return 0;
    }
    snprintf(path, sizeof(path), "%s/kernels/launches.json", arguments[1]);
    json_t *launches = json_load_file(path, 0, NULL);
    for (size_t l = 0; l < json_array_size(launches) && measured < MOST; l++) {
        const json_t *launch = json_array_get(launches, l);
        const char *kernel = json_string_value(json_object_get(launch, "kernel"));
        if (count > 2 && strcmp(kernel, arguments[2]) != 0)
            continue;
        struct row row = measure(arguments[1], launch);
        if (count > 2 || !row.predicted)
            print_row(&row);
        failed += !row.predicted;
        if (row.predicted)
            rows[measured++] = row;
        memory = row.memory > memory ? row.memory : memory;
    }
    json_decref(launches);
    if (!measured)
        return 1;
    for (size_t r = 0; r < measured; r++)
        seconds[r] = rows[r].seconds;
    qsort(seconds, measured, sizeof(*seconds), by_value);
    printf("%zu launches, %zu not predicted\n", measured, failed);
    printf("median          %9.2f ms (required: at most   5 ms)\n", seconds[measured / 2] * 1e3);
    printf("90th percentile %9.2f ms\n", seconds[measured * 9 / 10] * 1e3);
    printf("worst           %9.2f ms (required: at most 200 ms)\n", seconds[measured - 1] * 1e3);
    printf("memory          %9.1f MB (required: at most 100 MB)\n", memory / 1e6);
    qsort(rows, measured, sizeof(*rows), slowest_first);
    for (size_t r = 0; r < SHOWN && r < measured && count == 2; r++)
        print_row(&rows[r]);
    if (count == 2)
        measure_triton(arguments[1]);
    return 0;
}
