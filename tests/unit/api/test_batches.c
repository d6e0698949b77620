/* Many launches in one call: the same numbers as one by one, and rows that fail alone. */
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 40 };

struct bench {
    struct fw_context *context;
    struct fw_program *program;
    struct fw_worker *worker;
    struct fw_device *device;
};

static int set_up(void **state)
{
    static struct bench bench;
    const char *source = getenv("FOREWARP_SOURCE");
    char path[4096];
    const struct fw_kernel *kernel;
    struct fw_context_options options = {.size = sizeof(options), .data = source};
    snprintf(path, sizeof(path), "%s/tests/golden/kernels/saxpy.ptx", source);
    *state = &bench;
    return fw_context_new(&bench.context, &options) ||
           fw_program_read(&bench.program, bench.context, path, NULL) ||
           fw_program_kernel(&kernel, bench.program, NULL) ||
           fw_worker_new(&bench.worker, bench.program, kernel) ||
           fw_context_device(&bench.device, bench.context, "h200");
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    fw_worker_free(bench->worker);
    fw_program_free(bench->program);
    fw_context_device_free(bench->device);
    fw_context_free(bench->context);
    return 0;
}

static uint32_t grids[LAUNCHES][3], blocks[LAUNCHES][3];
static int64_t lengths[LAUNCHES];
static double scales[LAUNCHES];

/* Every seventh has a block that no device runs. */
static bool is_bad(size_t l)
{
    return l % 7 == 3;
}

static void fill(struct fw_batch_settings *settings, struct fw_batch_column columns[2])
{
    for (size_t l = 0; l < LAUNCHES; l++) {
        uint32_t threads = is_bad(l) ? 2048 : 64u << l % 4;
        lengths[l] = (int64_t)(100000 + 977 * l);
        scales[l] = 2.5;
        blocks[l][0] = threads;
        grids[l][0] = (uint32_t)(lengths[l] / threads + 1);
        blocks[l][1] = blocks[l][2] = grids[l][1] = grids[l][2] = 1;
    }
    columns[0] = (struct fw_batch_column){.argument = 3, .integers = lengths};
    columns[1] = (struct fw_batch_column){.argument = 2, .numbers = scales};
    *settings = (struct fw_batch_settings){.size = sizeof(*settings),
                                           .count = LAUNCHES,
                                           .grids = grids[0],
                                           .blocks = blocks[0],
                                           .columns = columns,
                                           .column_count = 2};
}

static const struct fw_answer *one(struct bench *bench, size_t l)
{
    const struct fw_answer *answer;
    fw_worker_set_block(bench->worker, blocks[l][0], 1, 1);
    fw_worker_set_grid(bench->worker, grids[l][0], 1, 1);
    assert_int_equal(fw_worker_bind_integer(bench->worker, 3, lengths[l]), FW_OK);
    assert_int_equal(fw_worker_predict(&answer, bench->worker, bench->device, NULL), FW_OK);
    return answer;
}

static void test_same_as_one_by_one(void **state)
{
    struct bench *bench = *state;
    static const char *const keys[] = {"dram_read_bytes", "no_such_key"};
    static double seconds[LAUNCHES], watts[LAUNCHES], volumes[LAUNCHES][2];
    static int32_t statuses[LAUNCHES];
    static char limiters[LAUNCHES][FW_LIMITER_BYTES];
    struct fw_batch_column columns[2];
    struct fw_batch_settings settings;
    struct fw_batch_results results = {.size = sizeof(results),
                                       .statuses = statuses,
                                       .seconds = seconds,
                                       .watts = watts,
                                       .limiters = limiters[0],
                                       .quantities = volumes[0]};
    fill(&settings, columns);
    settings.quantities = keys;
    settings.quantity_count = 2;
    assert_int_equal(fw_worker_predict_many(&results, bench->worker, bench->device, &settings),
                     FW_ERROR_USAGE);
    for (size_t l = 0; l < LAUNCHES; l++) {
        assert_true(isnan(volumes[l][1]));
        if (is_bad(l)) {
            assert_int_equal(statuses[l], FW_ERROR_USAGE);
            assert_true(isnan(seconds[l]) && isnan(watts[l]) && isnan(volumes[l][0]));
            assert_string_equal(limiters[l], "");
            continue;
        }
        const struct fw_prediction *best = one(bench, l)->predictions;
        double read = NAN;
        for (size_t q = 0; q < best->quantity_count; q++)
            if (strcmp(best->quantities[q].kind->key, keys[0]) == 0)
                read = best->quantities[q].value;
        assert_int_equal(statuses[l], FW_OK);
        assert_true(seconds[l] == best->seconds && volumes[l][0] == read);
        assert_true(best->has_watts ? watts[l] == best->watts : isnan(watts[l]));
        assert_string_equal(limiters[l], best->limiter);
    }
}

static void test_features(void **state)
{
    struct bench *bench = *state;
    static const char *const names[] = {"f_thread_groups", "f_op_float32_madd"};
    static double values[LAUNCHES][2];
    static int32_t statuses[LAUNCHES];
    struct fw_batch_column columns[2];
    struct fw_batch_settings settings;
    struct fw_feature_settings asked = {.size = sizeof(asked), .names = names, .count = 2};
    fill(&settings, columns);
    enum fw_status status =
        fw_worker_features_many(values[0], statuses, bench->worker, NULL, &settings, &asked);
    assert_int_equal(status, FW_ERROR_USAGE);
    for (size_t l = 0; l < LAUNCHES; l++) {
        const struct fw_answer *answer;
        assert_int_equal(statuses[l], is_bad(l) ? FW_ERROR_USAGE : FW_OK);
        assert_true(isnan(values[l][0]) == is_bad(l));
        if (is_bad(l))
            continue;
        fw_worker_set_block(bench->worker, blocks[l][0], 1, 1);
        fw_worker_set_grid(bench->worker, grids[l][0], 1, 1);
        assert_int_equal(fw_worker_bind_integer(bench->worker, 3, lengths[l]), FW_OK);
        assert_int_equal(fw_worker_features(&answer, bench->worker, NULL, &asked), FW_OK);
        assert_true(values[l][0] == answer->features[0].value);
        assert_true(values[l][1] == answer->features[1].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_as_one_by_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_features, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
