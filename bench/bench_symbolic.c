/* Formulas of every example kernel: the time and memory of a whole `forewarp count --json`, with
 * the grid open (block sizes alone stated) and with the whole launch bound, beside the same process
 * with --numbers.
 *
 * usage: bench-symbolic FOREWARP SOURCE [KERNEL]
 *   FOREWARP: the built program; SOURCE: the source tree; KERNEL: this kernel alone.
 * Prints, for each kernel: medians of whole processes' processor time in milliseconds, the peak of
 * memory, how many rows have a formula and how long the longest is; then how many kernels miss the
 * target. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 5, ARGUMENTS_MOST = 64, TARGET_MILLISECONDS = 100, TARGET_MEGABYTES = 64 };

struct figures {
    double milliseconds; /* median */
    double megabytes;    /* peak */
    unsigned with, without;
    size_t longest;
};

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* One run, its output into a file; seconds of processor time, which other work on the machine
 * disturbs less than time on the clock. */
static double run(char *const arguments[], const char *output, double *bytes)
{
    struct rusage usage;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int none = open("/dev/null", O_WRONLY);
        dup2(out, STDOUT_FILENO);
        dup2(none, STDERR_FILENO);
        execv(arguments[0], arguments);
        _exit(127);
    }
    wait4(child, &status, 0, &usage);
    *bytes = (double)usage.ru_maxrss * 1024;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fprintf(stderr, "%s %s failed\n", arguments[0], arguments[2]);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void look_at_rows(const json_t *rows, struct figures *figures)
{
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const char *text = json_string_value(json_object_get(json_array_get(rows, r), "symbolic"));
        figures->with += text != NULL;
        figures->without += text == NULL;
        if (text && strlen(text) > figures->longest)
            figures->longest = strlen(text);
    }
}

static struct figures measure(char *const arguments[], const char *output)
{
    struct figures figures = {0};
    double times[RUNS], bytes;
    for (int r = 0; r < RUNS; r++) {
        times[r] = run(arguments, output, &bytes);
        if (bytes / 1e6 > figures.megabytes)
            figures.megabytes = bytes / 1e6;
    }
    qsort(times, RUNS, sizeof(*times), ascending);
    figures.milliseconds = times[RUNS / 2] * 1e3;
    json_t *answer = json_load_file(output, 0, NULL);
    look_at_rows(json_object_get(answer, "operations"), &figures);
    look_at_rows(json_object_get(answer, "memory"), &figures);
    json_decref(answer);
    return figures;
}

/* "32,4,1" */
static void sizes(char text[64], const json_t *list)
{
    snprintf(text, 64, "%d,%d,%d", (int)json_integer_value(json_array_get(list, 0)),
             (int)json_integer_value(json_array_get(list, 1)),
             (int)json_integer_value(json_array_get(list, 2)));
}

/* Measures one launch in the three ways; whether it meets the targets. */
static int bench_launch(char *program, const char *folder, const json_t *launch, const char *output)
{
    char *arguments[ARGUMENTS_MOST], path[1024], block[64], grid[64], bindings[24][128];
    int count = 0, bound = 0;
    const char *name;
    json_t *value;
    snprintf(path, sizeof(path), "%s/%s", folder,
             json_string_value(json_object_get(launch, "file")));
    char *dot = strrchr(path, '.');
    if (dot)
        snprintf(dot, sizeof(path) - (size_t)(dot - path), ".ptx");
    sizes(block, json_object_get(launch, "block"));
    sizes(grid, json_object_get(launch, "grid"));
    char *kernel = strdup(json_string_value(json_object_get(launch, "kernel")));
    char *fixed[] = {program, "count", path, "--json", "-k", kernel, "-b", block};
    for (; count < (int)(sizeof(fixed) / sizeof(*fixed)); count++)
        arguments[count] = fixed[count];
    arguments[count] = NULL;
    struct figures open_grid = measure(arguments, output);
    arguments[count++] = "-g";
    arguments[count++] = grid;
    json_object_foreach(json_object_get(launch, "arguments"), name, value)
    {
        if (bound == 24 || !json_is_integer(value) || strstr(folder, "kernels"))
            continue;
        snprintf(bindings[bound], sizeof(bindings[bound]), "%s=%lld", name,
                 (long long)json_integer_value(value));
        arguments[count++] = "-s";
        arguments[count++] = bindings[bound++];
    }
    arguments[count] = NULL;
    struct figures stated = measure(arguments, output);
    arguments[count++] = "--numbers";
    arguments[count] = NULL;
    struct figures numbers = measure(arguments, output);
    double worst_time =
        open_grid.milliseconds > stated.milliseconds ? open_grid.milliseconds : stated.milliseconds;
    double worst_memory =
        open_grid.megabytes > stated.megabytes ? open_grid.megabytes : stated.megabytes;
    printf("%-28s %8.1f %6.1f  %8.1f %6.1f  %8.1f %6.1f  %3u/%-3u %6zu %6zu\n", kernel,
           open_grid.milliseconds, open_grid.megabytes, stated.milliseconds, stated.megabytes,
           numbers.milliseconds, numbers.megabytes, open_grid.with,
           open_grid.with + open_grid.without, open_grid.longest, stated.longest);
    free(kernel);
    return worst_time < TARGET_MILLISECONDS && worst_memory < TARGET_MEGABYTES;
}

int main(int argc, char **argv)
{
    static const char *const lists[][2] = {
        {"kernels/launches.json", "tests/golden/kernels"},
        {"tests/golden/triton/launches.json", "tests/golden/triton"}};
    char path[1024], folder[1024], output[] = "/tmp/bench-symbolic-XXXXXX";
    unsigned kernels = 0, missed = 0;
    if (argc < 3 || mkstemp(output) < 0)
        return 2;
    printf("%-28s %15s  %15s  %15s  %7s %13s\n", "", "grid open", "launch bound", "numbers alone",
           "rows", "longest");
    printf("%-28s %8s %6s  %8s %6s  %8s %6s  %7s %6s %6s\n", "kernel", "ms", "MB", "ms", "MB", "ms",
           "MB", "w. form.", "open", "bound");
    for (int list = 0; list < 2; list++) {
        snprintf(path, sizeof(path), "%s/%s", argv[2], lists[list][0]);
        snprintf(folder, sizeof(folder), "%s/%s", argv[2], lists[list][1]);
        json_t *launches = json_load_file(path, 0, NULL);
        for (size_t i = 0; i < json_array_size(launches); i++) {
            const json_t *launch = json_array_get(launches, i);
            const char *size = json_string_value(json_object_get(launch, "size"));
            const char *kernel = json_string_value(json_object_get(launch, "kernel"));
            if ((size && strcmp(size, "small") != 0) || (argc > 3 && strcmp(kernel, argv[3]) != 0))
                continue;
            kernels++;
            missed += !bench_launch(argv[1], folder, launch, output);
            fflush(stdout);
        }
        json_decref(launches);
    }
    unlink(output);
    printf("%u kernels; %u miss the target of %d ms and %d MB for a whole process\n", kernels,
           missed, TARGET_MILLISECONDS, TARGET_MEGABYTES);
    return 0;
}
