/* Speed of cost models: a fit of 500 measurements and 15 parameters, in the linear form and in that
 * of full overlap (from 8 starts), the choice among all forms, one prediction of a calibrated
 * model, and features of a matrix product, of its domains and of its PTX.  Prints medians beside
 * their targets: 50 ms for a fit, 5 microseconds for a prediction. usage: bench-calibrate   in the
 * source tree */
#include "cost_fit.h"

#include "forewarp.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 500, MEMORY = 6, ON_CHIP = 6, RUNS = 11, PREDICTIONS = 100000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static double uniform(struct fw_random *random)
{
    return (double)(fw_random_next(random) >> 11) * 0x1p-53;
}

/* Twelve costs of memory and chip, two of overhead, and the edge of the overlap. */
static const char *make_model(struct fw_arena *arena, const char *overlap)
{
    struct fw_buffer out = fw_buffer_new(arena);
    fw_buffer_printf(&out, "output f_time\noverlap %s\noverhead = p_launch + p_group * f_groups",
                     overlap);
    for (int m = 0; m < MEMORY + ON_CHIP; m++)
        fw_buffer_printf(&out, "%s p_%d * f_%d",
                         m == 0        ? "\nmemory ="
                         : m == MEMORY ? "\non_chip ="
                                       : " +",
                         m, m);
    return out.text;
}

static const char *make_table(struct fw_arena *arena)
{
    struct fw_buffer out = fw_buffer_new(arena);
    struct fw_random random = {1};
    fw_buffer_printf(&out, "kernel,f_groups");
    for (int m = 0; m < MEMORY + ON_CHIP; m++)
        fw_buffer_printf(&out, ",f_%d", m);
    fw_buffer_printf(&out, ",f_time\n");
    for (int r = 0; r < ROWS; r++) {
        double costs[2] = {0, 0}, groups = floor(1e5 * uniform(&random));
        fw_buffer_printf(&out, "k%d,%.9g", r, groups);
        for (int m = 0; m < MEMORY + ON_CHIP; m++) {
            double work = uniform(&random) < 0.5 ? 0 : pow(10, 6 + 3 * uniform(&random));
            costs[m >= MEMORY] += work * (1 + m) * 1e-12;
            fw_buffer_printf(&out, ",%.9g", work);
        }
        double most = fmax(costs[0], costs[1]);
        fw_buffer_printf(&out, ",%.9g\n",
                         (most + 5e-6 + 1e-9 * groups) * (1 + 0.02 * (uniform(&random) - 0.5)));
    }
    return out.text;
}

static double time_fit(const char *overlap, struct fw_cost_calibration **last,
                       struct fw_arena *keep)
{
    double seconds[RUNS];
    for (int run = 0; run < RUNS; run++) {
        struct fw_arena *arena = run + 1 == RUNS ? keep : fw_arena_new(0);
        const char *model_text = make_model(arena, overlap), *table_text = make_table(arena);
        struct fw_source *sources = FW_ARRAY(arena, struct fw_source, 2);
        const struct fw_cost_settings settings = {0};
        struct fw_cost_model *model;
        struct fw_cost_table *table;
        sources[0] = (struct fw_source){"model", model_text, strlen(model_text)};
        sources[1] = (struct fw_source){"table", table_text, strlen(table_text)};
        if (fw_cost_model_read(&model, arena, &sources[0], NULL) ||
            fw_cost_table_read(&table, arena, &sources[1], NULL))
            exit(1);
        double begin = now();
        if (fw_cost_calibrate(last, arena, model, table, &settings, NULL))
            exit(1);
        seconds[run] = now() - begin;
        if (arena != keep)
            fw_arena_free(arena);
    }
    qsort(seconds, RUNS, sizeof(*seconds), ascending);
    return seconds[RUNS / 2];
}

/* Milliseconds for features of a kernel by its file, a new program and worker each run; then at new
 * sizes with the same worker. */
static void time_features(const char *path, const char *const *sizes, size_t size_count,
                          uint32_t blocks)
{
    static const char *const names[] = {
        "f_op_float32_madd",
        "f_mem_access_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:0}",
        "f_mem_access_global_float32_load_afr:>1",
        "f_mem_access_local_float32",
        "f_sync_barrier_local",
        "f_thread_groups"};
    enum { AGAIN = 100 };
    const struct fw_feature_settings settings = {
        .size = sizeof(settings), .names = names, .count = sizeof(names) / sizeof(*names)};
    const struct fw_context_options options = {.size = sizeof(options)};
    double first[RUNS], again[RUNS];
    for (int run = 0; run < RUNS; run++) {
        struct fw_context *context;
        struct fw_program *program;
        const struct fw_kernel *kernel;
        struct fw_worker *worker;
        const struct fw_answer *answer = NULL;
        if (fw_context_new(&context, &options))
            exit(1);
        double begin = now();
        if (fw_program_read(&program, context, path, NULL) ||
            fw_program_kernel(&kernel, program, NULL) || fw_worker_new(&worker, program, kernel))
            exit(1);
        if (blocks) {
            fw_worker_set_grid(worker, blocks, blocks, 1);
            fw_worker_set_block(worker, 16, 16, 1);
        }
        for (int a = 0; a <= AGAIN; a++) {
            char text[64];
            for (size_t s = 0; s < size_count; s++) {
                snprintf(text, sizeof(text), "%s=%d", sizes[s], 1024 + 16 * (blocks ? 0 : a));
                if (fw_worker_bind(worker, text))
                    exit(1);
            }
            if (fw_worker_features(&answer, worker, NULL, &settings))
                exit(1);
            if (a == 0) {
                first[run] = now() - begin;
                begin = now();
            }
        }
        again[run] = (now() - begin) / AGAIN;
        fw_worker_free(worker);
        fw_program_free(program);
        fw_context_free(context);
    }
    qsort(first, RUNS, sizeof(*first), ascending);
    qsort(again, RUNS, sizeof(*again), ascending);
    printf("%zu features of %-38s first %8.3f ms, again %8.3f ms\n", settings.count, path,
           first[RUNS / 2] * 1e3, again[RUNS / 2] * 1e3);
}

int main(void)
{
    static const char *const loop_sizes[] = {"n"}, *const code_sizes[] = {"3", "4", "5"};
    static const char *const forms[] = {"none", "full", "partial", "auto"};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_cost_calibration *made = NULL;
    printf("%d measurements\n", ROWS);
    for (int f = 0; f < 4; f++) {
        double seconds = time_fit(forms[f], &made, arena);
        printf("  overlap %-8s %2zu parameters %8.2f ms %s  RMS %.2f %%\n", forms[f],
               made->chosen->estimate_count, seconds * 1e3,
               f < 3 ? "(target 50 ms)" : "              ", 100 * made->chosen->rms);
    }
    const char *text = fw_cost_calibration_text(arena, made, "bench", NULL);
    struct fw_source source = {"calibration", text, strlen(text)};
    struct fw_cost_model *model;
    struct fw_cost_predictor predictor;
    double features[64], sum = 0, seconds[RUNS];
    if (fw_cost_model_read(&model, arena, &source, NULL))
        return 1;
    fw_cost_predictor_new(&predictor, arena, model);
    double *scratch = FW_ARRAY(arena, double, fw_cost_scratch(&predictor.program, 1));
    for (int f = 0; f < 64; f++)
        features[f] = 1e6;
    for (int run = 0; run < RUNS; run++) {
        double begin = now();
        for (int p = 0; p < PREDICTIONS; p++) {
            features[0] = p;
            sum += fw_cost_predict(&predictor, features, scratch);
        }
        seconds[run] = (now() - begin) / PREDICTIONS;
    }
    qsort(seconds, RUNS, sizeof(*seconds), ascending);
    printf("one prediction %.3f us (target 5 us; %g)\n", seconds[RUNS / 2] * 1e6, sum);
    fw_arena_free(arena);
    time_features("kernels/knl/matmul_prefetch.knl", loop_sizes, 1, 0);
    time_features("tests/golden/kernels/matmul_tiled.ptx", code_sizes, 3, 64);
    return 0;
}
