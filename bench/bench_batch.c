/* Predicting 10,000 launches one by one, and in one call: processor seconds of
 * each round, a line each, for
 * bench/python_batch.py, which has the same launches predicted from Python beside it.
 * usage: bench-batch SOURCE [ROUNDS] */
#include "forewarp.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LAUNCHES = 10000 };

static uint32_t grids[LAUNCHES][3];
static int64_t lengths[LAUNCHES];
static double seconds[LAUNCHES];

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at); /* others may use the processors */
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void show(void *user, const struct fw_message *message)
{
    (void)user;
    fputs(message->rendered, stderr);
}

/* The sum of the predicted seconds. */
static double one_by_one(struct fw_worker *worker, const struct fw_device *device)
{
    const struct fw_predict_settings brief = {.size = sizeof(brief), .brief = true};
    const struct fw_answer *answer;
    double sum = 0;
    for (size_t l = 0; l < LAUNCHES; l++) {
        fw_worker_set_grid(worker, grids[l][0], grids[l][1], 1);
        if (fw_worker_bind_integer(worker, 3, lengths[l]) ||
            fw_worker_predict(&answer, worker, device, &brief))
            exit(1);
        sum += answer->predictions[0].seconds;
    }
    return sum;
}

static double in_one_call(struct fw_worker *worker, const struct fw_device *device)
{
    const struct fw_predict_settings brief = {.size = sizeof(brief), .brief = true};
    const struct fw_batch_column vary[] = {{3, lengths, NULL}};
    const struct fw_batch_settings settings = {.size = sizeof(settings),
                                               .count = LAUNCHES,
                                               .grids = grids[0],
                                               .columns = vary,
                                               .column_count = 1,
                                               .predict = &brief};
    const struct fw_batch_results results = {.size = sizeof(results), .seconds = seconds};
    double sum = 0;
    if (fw_worker_predict_many(&results, worker, device, &settings))
        exit(1);
    for (size_t l = 0; l < LAUNCHES; l++)
        sum += seconds[l];
    return sum;
}

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    struct fw_context_options options = {
        .size = sizeof(options), .data = arguments[1], .message = show};
    struct fw_context *context;
    struct fw_program *program;
    struct fw_device *device;
    const struct fw_kernel *kernel;
    struct fw_worker *worker;
    char path[4096];
    snprintf(path, sizeof(path), "%s/tests/golden/kernels/saxpy.ptx", arguments[1]);
    if (fw_context_new(&context, &options) || fw_program_read(&program, context, path, NULL) ||
        fw_program_kernel(&kernel, program, NULL) || fw_worker_new(&worker, program, kernel) ||
        fw_context_device(&device, context, "h200") || fw_worker_bind(worker, "2=1"))
        return 1;
    fw_worker_set_block(worker, 256, 1, 1);
    for (uint32_t l = 0; l < LAUNCHES; l++) {
        grids[l][0] = 64 + l % 997;
        grids[l][1] = grids[l][2] = 1;
        lengths[l] = 256 * (int64_t)grids[l][0] - l % 13;
    }
    one_by_one(worker, device); /* to warm up */
    for (int r = 0; r < (count > 2 ? atoi(arguments[2]) : 5); r++) {
        double begin = now(), sum = one_by_one(worker, device), middle = now();
        double other = in_one_call(worker, device), end = now();
        printf("%.6f %.6f %.17g%s\n", middle - begin, end - middle, sum,
               sum == other ? "" : " NOT THE SAME");
    }
    fw_worker_free(worker);
    fw_program_free(program);
    fw_context_device_free(device);
    fw_context_free(context);
    return 0;
}
