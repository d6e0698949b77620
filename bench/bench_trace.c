/* The model trace: time and memory of one prediction, over all launches of the example kernels.
 *
 * usage: bench-trace SOURCE [KERNEL]
 * Predicts each launch of kernels/launches.json on the profile h200 from the PTX of
 * tests/golden/kernels: medians of processor time over a few predictions of one worker, which binds
 * anew for each. Prints the median, the 90th percentile and the slowest ones beside what is
 * required, and the most memory that a process took which read one kernel and predicted it.  With
 * KERNEL: its launches, each on a line. */
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
        fprintf(stderr, "usage: bench-trace SOURCE [KERNEL]\n");
        return 2;
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
    return 0;
}
