/* Serving: time of one request of a kernel that is bound, from its line to the reply's, beside the
 * 50 microseconds that a scheduler may wait: a launch that was not asked for before, by each model,
 * and one that was.  Medians and the ninth decile over launches; then requests a second of a
 * stream.
 *
 * usage: bench-serve SOURCE [LAUNCHES [DATA]]    DATA: a folder with profiles and models, such as a
 *        forest of train --absolute or --ratio-to roofline; then the model forest alone, and all
 *        launches of data/h200/forest/examples.jsonl, each behind another of its kernel: median,
 *        ninth decile, the same of files by their medians, and the slowest by file, in processor
 *        time */
#include "forewarp.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { USUAL_LAUNCHES = 501, FEW_LAUNCHES = 51, MOST_LAUNCHES = 100001 };

static const double required = 50e-6;

static const char *const subjects[] = {"saxpy", "stencil2d", "matmul_tiled"};

/* A launch of so many blocks, which differs from that of any other number. */
static void write_request(char *line, size_t size, size_t subject, const char *folder, int blocks)
{
    const char *name = subjects[subject];
    if (subject == 0)
        snprintf(
            line, size,
            "{\"file\": \"%s/%s.ptx\", \"grid\": %d, \"block\": 256, \"arguments\": {\"3\": %d}}",
            folder, name, blocks, 256 * blocks);
    else if (subject == 1)
        snprintf(
            line, size,
            "{\"file\": \"%s/%s.ptx\", \"kernel\": \"stencil2d\", \"grid\": [64, %d], \"block\": "
            "[32, 8], \"arguments\": {\"2\": 2050, \"3\": %d}}",
            folder, name, blocks, 8 * blocks + 2);
    else
        snprintf(
            line, size,
            "{\"file\": \"%s/%s.ptx\", \"grid\": [64, %d], \"block\": [16, 16], \"arguments\": "
            "{\"3\": %d, \"4\": 1024, \"5\": 1024}}",
            folder, name, blocks, 16 * blocks);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One request; its seconds, negative when it failed. */
static double ask(struct fw_service *service, const char *line)
{
    const char *reply;
    double begin = now();
    if (fw_service_ask(&reply, service, 1, line, strlen(line)) != FW_OK)
        return -1;
    double seconds = now() - begin;
    if (strstr(reply, "\"error\"")) {
        fprintf(stderr, "%s%s", line, reply);
        return -1;
    }
    return seconds;
}

static void show(const char *name, const char *what, double *seconds, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += seconds[i];
    qsort(seconds, (size_t)count, sizeof(*seconds), by_value);
    double median = seconds[count / 2];
    printf("%-14s %-22s %9.1f us  %9.1f us  %9.0f requests/s   x %.2f of 50 us\n", name, what,
           1e6 * median, 1e6 * seconds[count * 9 / 10], count / sum, median / required);
}

static int measure(const struct fw_context *context, const struct fw_device *device,
                   const char *folder, size_t subject, const char *model, int count,
                   double *seconds)
{
    struct fw_predict_settings predict = {.size = sizeof(predict), .models = model};
    struct fw_service_settings settings = {
        .size = sizeof(settings), .device = device, .predict = &predict};
    struct fw_service *service;
    char line[1024];
    int repeat = 0;
    if (fw_service_new(&service, context, &settings) != FW_OK)
        return 1;
    for (; repeat < 2; repeat++) { /* what was not asked for before, then the same again */
        int good = 0;
        for (int i = 0; i <= count; i++) {
            write_request(line, sizeof(line), subject, folder, 64 + i);
            double took = ask(service, line);
            if (took < 0)
                break;
            if (i) /* the first of all reads the program */
                seconds[good++] = took;
        }
        if (good < count)
            break;
        if (repeat == 0)
            show(subjects[subject], model, seconds, count);
        else if (strcmp(model, "traffic") == 0)
            show(subjects[subject], "asked for before", seconds, count);
    }
    fw_service_free(service);
    return repeat < 2;
}

/* ---- launches of a list ---- */

struct asked {
    char file[256];
    double seconds;
};

static int slowest_first(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* Processor time of one request; negative when it failed. */
static double ask_alone(struct fw_service *service, const char *line)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    if (ask(service, line) < 0)
        return -1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* Asks a launch of a list, whose lines begin with a name and a file, behind others of its kernel
 * with more blocks. */
static bool ask_launch(struct asked *asked, struct fw_service *service, const char *folder,
                       const char *line)
{
    enum { BEFORE = 2 };
    static char request[1 << 16];
    const char *file = strstr(line, "\"file\": \""), *grid = strstr(line, "\"grid\": [");
    const char *end = file ? strchr(file + strlen("\"file\": \""), '"') : NULL;
    if (!end || !grid || grid < end)
        return false;
    const char *name = end;
    while (name[-1] != '/' && name[-1] != '"')
        name--;
    grid += strlen("\"grid\": [");
    snprintf(asked->file, sizeof(asked->file), "%.*s", (int)(end - name), name);
    char *rest;
    long blocks = strtol(grid, &rest, 10);
    for (int more = BEFORE; more >= 0; more--) {
        snprintf(request, sizeof(request), "{\"file\": \"%s/%s%.*s%ld%s", folder, asked->file,
                 (int)(grid - end), end, blocks + more, rest);
        asked->seconds = ask_alone(service, request);
        if (asked->seconds < 0)
            return false;
    }
    return true;
}

/* Whether a launch is the slowest of its file. */
static bool is_first(const struct asked *all, int a)
{
    int before = 0;
    while (strcmp(all[before].file, all[a].file) != 0)
        before++;
    return before == a;
}

/* Files by the median of their launches, which lie slowest first. */
static void show_files(const struct asked *all, int count)
{
    enum { MOST_FILES = 1024 };
    static double medians[MOST_FILES];
    int files = 0;
    for (int a = 0; a < count && files < MOST_FILES; a++) {
        int same = 0, seen = 0;
        if (!is_first(all, a))
            continue;
        for (int b = 0; b < count; b++)
            same += strcmp(all[a].file, all[b].file) == 0;
        for (int b = 0; b < count; b++)
            if (strcmp(all[a].file, all[b].file) == 0 && seen++ == (same - 1) / 2)
                medians[files] = all[b].seconds;
        files++;
    }
    qsort(medians, (size_t)files, sizeof(*medians), by_value);
    if (files)
        printf("%d files, by their medians: median %.1f us, 9 of 10 %.1f us, slowest %.1f us\n",
               files, 1e6 * medians[files / 2], 1e6 * medians[files * 9 / 10],
               1e6 * medians[files - 1]);
}

static int measure_list(const struct fw_context *context, const struct fw_device *device,
                        const char *source, const char *folder)
{
    enum { MOST_ASKED = 4096, SHOWN = 5 };
    static struct asked all[MOST_ASKED];
    static char line[1 << 15];
    struct fw_predict_settings predict = {.size = sizeof(predict), .models = "forest"};
    struct fw_service_settings settings = {
        .size = sizeof(settings), .device = device, .predict = &predict};
    struct fw_service *service;
    int count = 0, failed = 0;
    snprintf(line, sizeof(line), "%s/data/h200/forest/examples.jsonl", source);
    FILE *list = fopen(line, "r");
    if (!list || fw_service_new(&service, context, &settings) != FW_OK) {
        if (list)
            fclose(list);
        return 1;
    }
    while (count < MOST_ASKED && fgets(line, sizeof(line), list)) {
        bool good = ask_launch(&all[count], service, folder, line);
        count += good;
        failed += !good;
    }
    fclose(list);
    fw_service_free(service);
    qsort(all, (size_t)count, sizeof(*all), slowest_first);
    if (count)
        printf("%d launches of examples: median %.1f us, 9 of 10 %.1f us, %d failed\n", count,
               1e6 * all[count / 2].seconds, 1e6 * all[count / 10].seconds, failed);
    show_files(all, count);
    for (int a = 0, shown = 0; a < count && shown < SHOWN; a++) {
        if (!is_first(all, a))
            continue;
        printf("%-24s %9.1f us\n", all[a].file, 1e6 * all[a].seconds);
        shown++;
    }
    return failed > 0;
}

int main(int count, char **arguments)
{
    static const char *const models[] = {"roofline", "traffic", "trace", "forest", "blend"};
    struct fw_context_options options = {.size = sizeof(options)};
    struct fw_context *context;
    struct fw_device *device;
    char folder[4096];
    int launches = count > 2 ? atoi(arguments[2]) : USUAL_LAUNCHES, failed = 0;
    const char *source = count > 1 ? arguments[1] : ".";
    snprintf(folder, sizeof(folder), "%s/tests/golden/kernels", source);
    options.data = count > 3 ? arguments[3] : source;
    if (launches < 10 || launches > MOST_LAUNCHES || fw_context_new(&context, &options) != FW_OK)
        return 2;
    double *seconds = malloc((size_t)launches * sizeof(*seconds));
    if (!seconds || fw_context_device(&device, context, "h200") != FW_OK)
        return 2;
    printf("%-14s %-22s %12s  %12s\n", "kernel", "model", "median", "9 of 10");
    for (size_t s = 0; s < sizeof(subjects) / sizeof(subjects[0]); s++)
        for (size_t m = 0; m < sizeof(models) / sizeof(models[0]); m++) {
            if (count > 3 && strcmp(models[m], "forest") != 0)
                continue;
            bool slow = strcmp(models[m], "roofline") != 0 && strcmp(models[m], "traffic") != 0;
            int asked = slow && launches > FEW_LAUNCHES ? FEW_LAUNCHES : launches;
            failed |= measure(context, device, folder, s, models[m], asked, seconds);
        }
    if (count > 3)
        failed |= measure_list(context, device, source, folder);
    free(seconds);
    fw_context_device_free(device);
    fw_context_free(context);
    return failed;
}
