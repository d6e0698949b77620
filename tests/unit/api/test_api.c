/* The public interface: what it promises beyond what the command line shows. */
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grid-stride: y[i] += x[i] for i < n, with n the third argument. */
static const char add[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry add(.param .u64 x, .param .u64 y, .param .u32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .f32 %f<3>;\n.reg .b32 %r<6>;\n.reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\n"
    "ld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n"
    "@%p1 bra DONE;\nmul.wide.s32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
    "add.s64 %rd5, %rd2, %rd3;\nld.global.f32 %f1, [%rd4];\n"
    "ld.global.f32 %f2, [%rd5];\nadd.f32 %f1, %f1, %f2;\n"
    "st.global.f32 [%rd5], %f1;\nDONE:\nret;\n}\n";

struct heard {
    int errors;
    char code[16];
};

static void hear(void *user, const struct fw_message *message)
{
    struct heard *heard = user;
    heard->errors += message->severity == FW_MESSAGE_ERROR;
    snprintf(heard->code, sizeof(heard->code), "%s", message->code);
}

struct bench {
    struct heard heard;
    struct fw_context *context;
    struct fw_program *program;
    const struct fw_kernel *kernel;
    struct fw_worker *worker;
};

static void set_up(struct bench *bench, size_t memory)
{
    memset(bench, 0, sizeof(*bench));
    struct fw_context_options options = {.size = sizeof(options),
                                         .data = getenv("FOREWARP_SOURCE"),
                                         .memory = memory,
                                         .message = hear,
                                         .user = &bench->heard};
    struct fw_program_options language = {.size = sizeof(language), .language = FW_PROGRAM_PTX};
    assert_int_equal(fw_context_new(&bench->context, &options), FW_OK);
    if (memory)
        return;
    assert_int_equal(
        fw_program_parse(&bench->program, bench->context, "add.ptx", add, strlen(add), &language),
        FW_OK);
    assert_int_equal(fw_program_kernel(&bench->kernel, bench->program, NULL), FW_OK);
    assert_int_equal(fw_worker_new(&bench->worker, bench->program, bench->kernel), FW_OK);
}

static void tear_down(struct bench *bench)
{
    fw_worker_free(bench->worker);
    fw_program_free(bench->program);
    fw_context_free(bench->context);
}

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

static const struct fw_operation_row *row_of(const struct fw_counts *counts, const char *operation,
                                             const char *type)
{
    for (size_t r = 0; r < counts->operation_count; r++)
        if (strcmp(counts->operations[r].operation, operation) == 0 &&
            strcmp(counts->operations[r].type, type) == 0)
            return &counts->operations[r];
    return NULL;
}

static int64_t additions(struct fw_worker *worker, uint32_t blocks, int64_t n)
{
    const struct fw_answer *answer;
    fw_worker_set_grid(worker, blocks, 1, 1);
    assert_int_equal(fw_worker_bind_integer(worker, 2, n), FW_OK);
    assert_int_equal(fw_worker_count(&answer, worker, NULL), FW_OK);
    const struct fw_operation_row *row = row_of(answer->counts, "add", "f32");
    assert_non_null(row);
    assert_true(row->count.exact);
    return row->count.integer;
}

static void test_a_worker_is_rebound(void **state)
{
    struct bench bench;
    (void)state;
    set_up(&bench, 0);
    fw_worker_set_block(bench.worker, 256, 1, 1);
    for (int64_t n = 0; n < 3000; n += 37)
        assert_int_equal(additions(bench.worker, 8, n), n < 2048 ? n : 2048);
    fw_worker_clear(bench.worker);
    const struct fw_answer *answer;
    assert_int_equal(fw_worker_count(&answer, bench.worker, NULL), FW_ERROR_USAGE);
    assert_null(answer);
    assert_string_equal(bench.heard.code, "API012");
    tear_down(&bench);
}

static void test_rows_without_their_argument_are_not_numbers(void **state)
{
    struct bench bench;
    const struct fw_answer *answer;
    (void)state;
    set_up(&bench, 0);
    fw_worker_set_block(bench.worker, 256, 1, 1);
    fw_worker_set_grid(bench.worker, 8, 1, 1);
    assert_int_equal(fw_worker_count(&answer, bench.worker, NULL), FW_OK);
    const struct fw_operation_row *row = row_of(answer->counts, "add", "f32");
    assert_false(row->count.known);
    assert_int_equal(row->need_count, 1);
    assert_string_equal(row->needs[0], "n");
    row = row_of(answer->counts, "setp", "s32");
    assert_true(row->count.known && row->count.exact);
    assert_int_equal(row->count.integer, 2048);
    tear_down(&bench);
}

static void test_numbers_beyond_63_bits_are_digits(void **state)
{
    struct bench bench;
    const struct fw_answer *answer;
    (void)state;
    set_up(&bench, 0);
    fw_worker_set_block(bench.worker, 1024, 1, 1);
    fw_worker_set_grid(bench.worker, 2147483647, 65535, 65535);
    assert_int_equal(fw_worker_bind(bench.worker, "n=1G"), FW_OK);
    assert_int_equal(fw_worker_count(&answer, bench.worker, NULL), FW_OK);
    const struct fw_operation_row *row = row_of(answer->counts, "setp", "s32");
    assert_string_equal(row->count.digits, "9444444733164249676800");
    assert_int_equal(row_of(answer->counts, "add", "f32")->count.integer,
                     (int64_t)1073741824 * 65535 * 65535);
    tear_down(&bench);
}

static void test_extents_and_strides(void **state)
{
    struct bench bench;
    const struct fw_answer *answer;
    bool found = false;
    (void)state;
    set_up(&bench, 0);
    fw_worker_set_block(bench.worker, 256, 1, 1);
    fw_worker_set_grid(bench.worker, 8, 1, 1);
    assert_int_equal(fw_worker_bind(bench.worker, "2=2000"), FW_OK);
    assert_int_equal(fw_worker_count(&answer, bench.worker, NULL), FW_OK);
    for (size_t r = 0; r < answer->counts->memory_count; r++) {
        const struct fw_memory_row *row = &answer->counts->memory[r];
        if (strcmp(row->space, "global") != 0)
            continue;
        found = true;
        assert_true(row->has_thread_strides && row->has_block_strides && row->has_extent);
        assert_int_equal(row->thread_strides[0], 1);
        assert_int_equal(row->block_strides[0], 256);
        assert_int_equal(row->low, 0);
        assert_int_equal(row->high, 8000);
    }
    assert_true(found);
    tear_down(&bench);
}

/* On a made-up device whose rates are round: terms by hand. */
static void test_roofline_by_hand(void **state)
{
    struct bench bench;
    const struct fw_answer *answer;
    struct fw_device *device;
    char path[] = "/tmp/forewarp-test-XXXXXX.json";
    (void)state;
    set_up(&bench, 0);
    int file = mkstemps(path, 5);
    FILE *stream = fdopen(file, "w");
    fputs(
        "{\"forewarp_profile\": 1, \"name\": \"round\", \"title\": \"Round\", \"figures\": {"
        "\"multiprocessors\": {\"value\": 4, \"unit\": \"1\", \"source\": \"spec\"},"
        "\"sm_clock\": {\"value\": 1e9, \"unit\": \"hertz\", \"source\": \"spec\"},"
        "\"sector_bytes\": {\"value\": 32, \"unit\": \"bytes\", \"source\": \"spec\"},"
        "\"lanes_load_store\": {\"value\": 32, \"unit\": \"results/cycle\", \"source\": \"spec\"},"
        "\"dram_bandwidth\": {\"value\": 1e9, \"unit\": \"bytes/s\", \"source\": \"spec\"}}}",
        stream);
    fclose(stream);
    assert_int_equal(fw_context_device(&device, bench.context, path), FW_OK);
    remove(path);
    fw_worker_set_block(bench.worker, 256, 1, 1);
    fw_worker_set_grid(bench.worker, 8, 1, 1);
    assert_int_equal(fw_worker_bind(bench.worker, "n=2000"), FW_OK);
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "roofline"};
    assert_int_equal(fw_worker_predict(&answer, bench.worker, device, &settings), FW_OK);
    const struct fw_prediction *prediction = &answer->predictions[0];
    assert_string_equal(prediction->limiter, "dram");
    assert_true(near(prediction->seconds, 24000 / 1e9, 1e-12)); /* x and y read, y written */
    assert_false(prediction->has_overhead);
    assert_int_equal(prediction->term_count, 2);
    assert_string_equal(prediction->terms[1].name, "load_store");
    assert_true(near(prediction->terms[1].seconds, 6000 / (32 * 4 * 1e9), 1e-15));
    assert_string_equal(answer->device, "round");
    /* Every missing figure is named. */
    size_t named = 0;
    for (size_t l = 0; l < prediction->not_modelled_count; l++)
        named += strncmp(prediction->not_modelled[l], "The profile has no ", 19) == 0;
    assert_true(named >= 3);
    /* Seven blocks on four multiprocessors: the busiest has two. */
    fw_worker_set_grid(bench.worker, 7, 1, 1);
    assert_int_equal(fw_worker_predict(&answer, bench.worker, device, NULL), FW_OK);
    assert_true(near(answer->predictions[0].terms[1].seconds, 3 * 1792 * (8.0 / 7) / (32 * 4 * 1e9),
                     1e-15));
    fw_context_device_free(device);
    tear_down(&bench);
}

static void test_memory_that_runs_out_is_an_answer(void **state)
{
    struct bench bench;
    struct fw_program_options language = {.size = sizeof(language), .language = FW_PROGRAM_PTX};
    int refused = 0, read = 0;
    (void)state;
    for (size_t memory = 2000; memory < 400000; memory += 7919) {
        set_up(&bench, memory);
        enum fw_status status =
            fw_program_parse(&bench.program, bench.context, "add.ptx", add, strlen(add), &language);
        if (!status)
            status = fw_program_kernel(&bench.kernel, bench.program, NULL);
        if (!status)
            status = fw_worker_new(&bench.worker, bench.program, bench.kernel);
        if (!status) {
            const struct fw_answer *answer;
            fw_worker_set_block(bench.worker, 256, 1, 1);
            fw_worker_set_grid(bench.worker, 8, 1, 1);
            status = fw_worker_count(&answer, bench.worker, NULL);
        }
        assert_true(status == FW_OK || status == FW_ERROR_MEMORY);
        refused += status == FW_ERROR_MEMORY;
        read += status == FW_OK;
        tear_down(&bench);
    }
    assert_true(refused > 0 && read > 0);
}

static void test_an_older_callers_options_are_taken(void **state)
{
    struct bench bench;
    struct fw_context *context;
    (void)state;
    set_up(&bench, 0);
    struct fw_context_options older = {.size = offsetof(struct fw_context_options, memory),
                                       .memory = 1}; /* beyond its size: not looked at */
    assert_int_equal(fw_context_new(&context, &older), FW_OK);
    struct fw_program *program;
    struct fw_program_options language = {.size = sizeof(language), .language = FW_PROGRAM_PTX};
    assert_int_equal(fw_program_parse(&program, context, "add.ptx", add, strlen(add), &language),
                     FW_OK);
    fw_program_free(program);
    fw_context_free(context);
    tear_down(&bench);
}

/* One kernel, many threads, a worker each. */
struct share {
    struct bench *bench;
    int64_t wrong;
    int64_t seed;
};

static void *count_many(void *user)
{
    struct share *share = user;
    struct fw_worker *worker;
    const struct fw_answer *answer;
    if (fw_worker_new(&worker, share->bench->program, share->bench->kernel))
        return NULL;
    fw_worker_set_block(worker, 128, 1, 1);
    fw_worker_set_grid(worker, 10, 1, 1);
    for (int64_t i = 0; i < 200; i++) {
        int64_t n = (i * 7 + share->seed) % 1500;
        fw_worker_bind_integer(worker, 2, n);
        if (fw_worker_count(&answer, worker, NULL) ||
            row_of(answer->counts, "add", "f32")->count.integer != (n < 1280 ? n : 1280))
            share->wrong++;
    }
    fw_worker_free(worker);
    return NULL;
}

static void test_threads_share_a_kernel(void **state)
{
    enum { THREADS = 4 };
    struct bench bench;
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    (void)state;
    set_up(&bench, 0);
    for (int t = 0; t < THREADS; t++) {
        shares[t] = (struct share){&bench, 0, t * 31};
        pthread_create(&threads[t], NULL, count_many, &shares[t]);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(shares[t].wrong, 0);
    }
    tear_down(&bench);
}

static void test_statuses_are_the_librarys_own(void **state)
{
    extern const int library_statuses[7];
    static const int here[7] = {
        FW_OK,           FW_ERROR_INPUT,    FW_ERROR_USAGE, FW_ERROR_MACHINE,
        FW_ERROR_MEMORY, FW_ERROR_OVERFLOW, FW_ERROR_BUDGET};
    (void)state;
    assert_memory_equal(here, library_statuses, sizeof(here));
}

/* The kernel language: numbers at a thousand sets of values, and from two workers at a time. */
static const char product[] = "domain {[i, j, k]: 0 <= i < n and 0 <= j < m and 0 <= k < 4}\n"
                              "assume n >= 1 and m mod 2 = 0\narray a, b: f32\n"
                              "c[i, j] = sum(k, a[i, k]*b[k, j])\n"
                              "split j 32 outer=block.0 inner=thread.0\n";

static void *count_loops(void *user)
{
    struct bench *bench = user;
    struct fw_worker *worker;
    bool right = fw_worker_new(&worker, bench->program, bench->kernel) == FW_OK;
    struct fw_count_settings settings = {.size = sizeof(settings), .contract = true};
    for (int64_t n = 1; n < 100 && right; n++) {
        const struct fw_answer *answer;
        right = fw_worker_bind_integer(worker, 0, n) == FW_OK &&
                fw_worker_bind_integer(worker, 1, 2 * n) == FW_OK &&
                fw_worker_count(&answer, worker, &settings) == FW_OK &&
                answer->grid[0] == (2 * n + 31) / 32 && answer->block[0] == 32 &&
                answer->counts->flops.integer == 2 * n * 2 * n * 4 &&
                answer->counts->operations[0].count.integer == n * 4 * ((2 * n + 31) / 32) &&
                strcmp(answer->counts->operations[0].operation, "madd") == 0 &&
                strcmp(answer->kernel->layer, "domain") == 0;
    }
    fw_worker_free(worker);
    return right ? user : NULL;
}

static void the_kernel_language_is_counted_from_several_threads(void **state)
{
    struct bench bench = {.program = NULL};
    struct fw_context_options options = {
        .size = sizeof(options), .message = hear, .user = &bench.heard};
    struct fw_program_options language = {.size = sizeof(language), .language = FW_PROGRAM_LOOPS};
    const struct fw_answer *answer;
    pthread_t threads[3];
    (void)state;
    assert_int_equal(fw_context_new(&bench.context, &options), FW_OK);
    assert_int_equal(fw_program_parse(&bench.program, bench.context, "product.knl", product,
                                      strlen(product), &language),
                     FW_OK);
    assert_int_equal(fw_program_kernel(&bench.kernel, bench.program, NULL), FW_OK);
    assert_int_equal(fw_worker_new(&bench.worker, bench.program, bench.kernel), FW_OK);
    for (int t = 0; t < 3; t++)
        pthread_create(&threads[t], NULL, count_loops, &bench);
    for (int t = 0; t < 3; t++) {
        void *right;
        pthread_join(threads[t], &right);
        assert_non_null(right);
    }
    /* A value that the assumptions exclude, then a launch that the tags do not state. */
    assert_int_equal(fw_worker_bind(bench.worker, "m=7"), FW_OK);
    assert_int_equal(fw_worker_count(&answer, bench.worker, NULL), FW_ERROR_USAGE);
    assert_string_equal(bench.heard.code, "API016");
    assert_int_equal(fw_worker_bind(bench.worker, "m=8"), FW_OK);
    fw_worker_set_block(bench.worker, 64, 1, 1);
    assert_int_equal(fw_worker_count(&answer, bench.worker, NULL), FW_ERROR_USAGE);
    assert_string_equal(bench.heard.code, "API014");
    tear_down(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_worker_is_rebound),
        cmocka_unit_test(test_rows_without_their_argument_are_not_numbers),
        cmocka_unit_test(test_numbers_beyond_63_bits_are_digits),
        cmocka_unit_test(test_extents_and_strides),
        cmocka_unit_test(test_roofline_by_hand),
        cmocka_unit_test(test_memory_that_runs_out_is_an_answer),
        cmocka_unit_test(test_an_older_callers_options_are_taken),
        cmocka_unit_test(test_threads_share_a_kernel),
        cmocka_unit_test(test_statuses_are_the_librarys_own),
        cmocka_unit_test(the_kernel_language_is_counted_from_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
