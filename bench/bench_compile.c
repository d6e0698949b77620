/* How long compiling takes: `bench-compile [--compiler NAME] [--data FOLDER] [--target SM] FILE..`
 * compiles the files one after the other, then on all processors into an empty cache, then from the
 * cache; prints seconds for all and the median of a file, and names the files that fail. */
#include "child.h"
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    if (diagnostic->severity != FW_NOTE)
        fputs(fw_diagnostic_render(arena, diagnostic), stderr);
    fw_arena_free(arena);
}

static bool is_opencl(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".cl") == 0;
}

/* Compiles all files once on `workers` threads; prints the time. */
static size_t time_all(const char *what, struct fw_compile_job *jobs, size_t count,
                       unsigned workers, const struct fw_sink *sink)
{
    struct fw_arena *arena = fw_arena_new(0);
    size_t good = 0, cached = 0;
    double start = now();
    fw_compile_batch(jobs, count, workers, arena, NULL, sink);
    double seconds = now() - start;
    for (size_t i = 0; i < count; i++) {
        good += jobs[i].status == FW_OK;
        cached += jobs[i].status == FW_OK && jobs[i].compiled.cached;
    }
    printf("%-22s %zu of %zu compiled, %zu of them from the cache, in %.3f s: %.1f ms a file\n",
           what, good, count, cached, seconds, 1e3 * seconds / (double)count);
    fw_arena_free(arena);
    return good;
}

/* One at a time, without the batch's threads: the median of a file. */
static void time_each(const char *what, const struct fw_compile_job *jobs, size_t count)
{
    double *seconds = calloc(count, sizeof(*seconds));
    for (size_t i = 0; seconds && i < count; i++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_compiled compiled;
        double start = now();
        fw_compile(&compiled, arena, &jobs[i].input, &jobs[i].options, NULL);
        seconds[i] = now() - start;
        fw_arena_free(arena);
    }
    if (seconds) {
        qsort(seconds, count, sizeof(*seconds), compare);
        printf("%-22s median %.1f ms, longest %.1f ms a file\n", what, 1e3 * seconds[count / 2],
               1e3 * seconds[count - 1]);
    }
    free(seconds);
}

int main(int argc, char **argv)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_sink sink = {print, NULL};
    struct fw_compile_options options = {.data = "data/compile"};
    int first = 1;
    for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
        if (strcmp(argv[first], "--compiler") == 0)
            options.compiler = argv[first + 1];
        else if (strcmp(argv[first], "--data") == 0)
            options.data = argv[first + 1];
        else
            options.target = (unsigned)atoi(argv[first + 1]);
    }
    size_t count = (size_t)(argc - first);
    const char *scratch = fw_scratch_new(arena);
    if (count == 0 || !scratch) {
        fputs("usage: bench-compile [--compiler NAME] [--data FOLDER] [--target SM] FILE..\n",
              stderr);
        return 2;
    }
    struct fw_compile_job *jobs = FW_ARRAY(arena, struct fw_compile_job, count);
    struct fw_compiler *compiler = FW_NEW(arena, struct fw_compiler);
    options.language = is_opencl(argv[first]) ? FW_LANGUAGE_OPENCL : FW_LANGUAGE_CUDA;
    double start = now();
    if (fw_compiler_find(compiler, arena, &options, &sink) != FW_OK)
        return 3;
    printf("%s %s, found in %.1f ms\n", compiler->path, compiler->version, 1e3 * (now() - start));
    options.found = compiler;
    for (size_t i = 0; i < count; i++) {
        jobs[i].input.path = argv[first + (int)i];
        jobs[i].options = options;
    }
    time_each("one after the other", jobs, count);
    for (size_t i = 0; i < count; i++)
        jobs[i].options.cache = scratch;
    size_t good = time_all("all processors, new", jobs, count, 0, &sink);
    time_all("all processors, cached", jobs, count, 0, NULL);
    time_each("one by one, cached", jobs, count);
    for (size_t i = 0; i < count; i++)
        if (jobs[i].status != FW_OK)
            printf("failed: %s\n", jobs[i].input.path);
    fw_scratch_remove(scratch);
    fw_arena_free(arena);
    return good == count ? 0 : 1;
}
