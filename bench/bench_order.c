/* What list scheduling does to the errors of the model trace: launches that an H200 ran, predicted
 * with instructions in the order that an assembler might choose, and in the order of PTX.
 *
 * usage: bench-order SOURCE
 * Prints the number, the mean and the median error of launches of 10 us or more, for the example
 * kernels (data/h200/kernels.jsonl) and for the half of the generated ones that models may be
 * found by; launches that depend on data are left out.  An error is |predicted / measured - 1|. */
#include "../tests/replay/example_launch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 };
static const double least_seconds = 10e-6;

struct errors {
    double off[2][MOST]; /* list scheduling, PTX's order */
    size_t count, differ;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct setup {
    const char *root, *sources, *ptx;
    struct fw_context *context;
    struct fw_device *device;
};

static void add(struct errors *errors, const struct setup *setup, const json_t *launch,
                double measured)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "trace"};
    struct example_launch example;
    const struct fw_answer *answer;
    double seconds[2];
    bool good =
        measured >= least_seconds && errors->count < MOST &&
        !json_is_true(json_object_get(launch, "data_dependent")) &&
        example_launch_open_in(&example, arena, setup->sources, setup->ptx, setup->context, launch);
    bool opened = good;
    settings.brief = true;
    for (int order = 0; order < 2 && good; order++) {
        settings.keep_order = order == 1;
        good = fw_worker_predict(&answer, example.worker, setup->device, &settings) == FW_OK;
        seconds[order] = good ? answer->predictions[0].seconds : 0;
        for (size_t u = 0; good && u < answer->unknown_count; u++)
            good = strcmp(answer->unknowns[u].reason, "sampled") == 0;
    }
    if (good) {
        for (int order = 0; order < 2; order++)
            errors->off[order][errors->count] = fabs(seconds[order] / measured - 1);
        errors->count++;
        errors->differ += fabs(seconds[1] / seconds[0] - 1) > 0.02;
    }
    if (opened)
        example_launch_close(&example);
    fw_arena_free(arena);
}

static void print(const char *name, struct errors *errors)
{
    static const char *const orders[] = {"list scheduling", "PTX's order"};
    for (int order = 0; order < 2 && errors->count; order++) {
        double sum = 0;
        qsort(errors->off[order], errors->count, sizeof(double), by_value);
        for (size_t e = 0; e < errors->count; e++)
            sum += errors->off[order][e];
        printf("%-18s %-16s %4zu launches: mean %5.1f %%, median %5.1f %%\n", name, orders[order],
               errors->count, 100 * sum / (double)errors->count,
               100 * errors->off[order][errors->count / 2]);
    }
    printf("%-18s %zu times differ by more than 2 %%\n", name, errors->differ);
}

static const json_t *find_launch(const json_t *launches, const char *file, const char *kernel,
                                 const char *size)
{
    for (size_t l = 0; l < json_array_size(launches); l++) {
        const json_t *launch = json_array_get(launches, l);
        if (strcmp(json_string_value(json_object_get(launch, "kernel")), kernel) == 0 &&
            strcmp(json_string_value(json_object_get(launch, "size")), size) == 0 &&
            (!file ||
             strncmp(json_string_value(json_object_get(launch, "file")), file, strlen(file)) == 0))
            return launch;
    }
    return NULL;
}

static void examples(struct errors *errors, const struct setup *setup, const json_t *launches,
                     FILE *data)
{
    json_t *row;
    while ((row = json_loadf(data, JSON_DISABLE_EOF_CHECK, NULL))) {
        const json_t *counters = json_object_get(row, "counters");
        const json_t *launch =
            find_launch(launches, NULL, json_string_value(json_object_get(row, "kernel")),
                        json_string_value(json_object_get(row, "size")));
        if (launch)
            add(errors, setup, launch,
                json_number_value(json_object_get(counters, "gpu__time_duration.sum")));
        json_decref(row);
    }
}

static void generated(struct errors *errors, const struct setup *setup, const json_t *launches,
                      FILE *data)
{
    json_t *row;
    while ((row = json_loadf(data, JSON_DISABLE_EOF_CHECK, NULL))) {
        const char *name = json_string_value(json_object_get(row, "name"));
        const char *record = json_string_value(json_object_get(row, "record"));
        const json_t *times = json_object_get(row, "pipelined");
        char file[64], kernel[64], size[16];
        if (record && name && strcmp(record, "measurement") == 0 &&
            sscanf(name, "%63s %63s %15s", file, kernel, size) == 3) {
            const json_t *launch = find_launch(launches, file, kernel, size);
            if (launch)
                add(errors, setup, launch,
                    json_number_value(json_object_get(times, "median_seconds")));
        }
        json_decref(row);
    }
}

int main(int count, char **arguments)
{
    static struct errors of_examples, of_generated;
    struct fw_arena *arena = fw_arena_new(0);
    struct setup setup;
    if (count < 2) {
        fprintf(stderr, "usage: bench-order SOURCE\n");
        return 2;
    }
    const char *root = arguments[1];
    struct fw_context_options options = {.size = sizeof(options), .data = root};
    if (fw_context_new(&setup.context, &options) ||
        fw_context_device(&setup.device, setup.context, "h200"))
        return 1;
    setup.sources = fw_arena_printf(arena, "%s/kernels", root);
    setup.ptx = fw_arena_printf(arena, "%s/tests/golden/kernels", root);
    json_t *launches =
        json_load_file(fw_arena_printf(arena, "%s/kernels/launches.json", root), 0, NULL);
    FILE *data = fopen(fw_arena_printf(arena, "%s/data/h200/kernels.jsonl", root), "r");
    if (data && launches)
        examples(&of_examples, &setup, launches, data);
    print("example kernels", &of_examples);
    if (data)
        fclose(data);
    json_decref(launches);
    const char *folder = fw_arena_printf(arena, "%s/data/h200/generated/found", root);
    setup.sources = setup.ptx = folder;
    launches = json_load_file(fw_arena_printf(arena, "%s/launches.json", folder), 0, NULL);
    data = fopen(fw_arena_printf(arena, "%s.txt", folder), "r");
    if (data && launches)
        generated(&of_generated, &setup, launches, data);
    print("generated kernels", &of_generated);
    if (data)
        fclose(data);
    json_decref(launches);
    fw_context_device_free(setup.device);
    fw_context_free(setup.context);
    fw_arena_free(arena);
    return 0;
}
