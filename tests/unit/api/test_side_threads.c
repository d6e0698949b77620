/* A prediction that another thread works on, too, is the same text, and ends at the same limits. */
#include "deadline.h"
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Launches whose answers have parts for two threads: ends of what data decide, loops that are
 * simulated at two shares of their trips, and the files of the models for all of them. */
static const struct subject {
    const char *file, *arguments[4];
    uint32_t grid, block;
} subjects[] = {{"spmv_csr", {"5=1000001"}, 3907, 256},
                {"thomas", {"2=4", "3=2000001", "4=400"}, 7813, 256},
                {"saxpy", {"2=1.5", "3=1000000"}, 3907, 256}};

enum { SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

static void ignore(void *user, const struct fw_message *message)
{
    (void)user;
    (void)message;
}

/* The answer as text, by a context of its own; NULL: the time was over (`pass_at`: at which look at
 * it, of this thread; 0: never). */
static char *answer_of(const struct subject *subject, bool side_work, uint64_t pass_at)
{
    char path[4096];
    struct fw_context *context;
    struct fw_program *program;
    const struct fw_kernel *kernel;
    struct fw_worker *worker;
    struct fw_device *device;
    const struct fw_answer *answer;
    char *text = NULL;
    const struct fw_context_options options = {
        .size = sizeof(options), .data = getenv("FOREWARP_SOURCE"), .message = ignore};
    const struct fw_render_options rendering = {.size = sizeof(rendering),
                                                .format = FW_FORMAT_JSON};
    const struct fw_predict_settings settings = {.size = sizeof(settings), .side_work = side_work};
    snprintf(path, sizeof(path), "%s/tests/golden/kernels/%s.ptx", getenv("FOREWARP_SOURCE"),
             subject->file);
    assert_int_equal(fw_context_new(&context, &options), FW_OK);
    assert_int_equal(fw_program_read(&program, context, path, NULL), FW_OK);
    assert_int_equal(fw_program_kernel(&kernel, program, NULL), FW_OK);
    assert_int_equal(fw_worker_new(&worker, program, kernel), FW_OK);
    assert_int_equal(fw_context_device(&device, context, "h200"), FW_OK);
    fw_worker_set_grid(worker, subject->grid, 1, 1);
    fw_worker_set_block(worker, subject->block, 1, 1);
    for (int a = 0; a < 4 && subject->arguments[a]; a++)
        assert_int_equal(fw_worker_bind(worker, subject->arguments[a]), FW_OK);
    fw_deadline_pass_at(pass_at);
    const enum fw_status status = fw_worker_predict(&answer, worker, device, &settings);
    fw_deadline_pass_at(0);
    if (!status)
        assert_int_equal(fw_answer_render(&text, answer, &rendering), FW_OK);
    else
        assert_int_equal(status, FW_ERROR_BUDGET);
    fw_worker_free(worker);
    fw_context_device_free(device);
    fw_program_free(program);
    fw_context_free(context);
    return text;
}

static void test_answers_are_the_same(void **state)
{
    (void)state;
    for (size_t s = 0; s < SUBJECTS; s++) {
        char *alone = answer_of(&subjects[s], false, 0);
        assert_non_null(alone);
        for (int round = 0; round < 3; round++) {
            char *beside = answer_of(&subjects[s], true, 0);
            assert_non_null(beside);
            assert_string_equal(alone, beside);
            fw_text_free(beside);
        }
        fw_text_free(alone);
    }
}

/* Wherever the time is over, there is no answer, and the other thread has ended. */
static void test_limits_end_both(void **state)
{
    (void)state;
    for (size_t s = 0; s < SUBJECTS; s++) {
        char *whole = answer_of(&subjects[s], false, 0);
        for (uint64_t at = 1; at < 1000000; at *= 3) {
            char *text = answer_of(&subjects[s], true, at);
            if (!text)
                continue;
            assert_string_equal(text, whole);
            fw_text_free(text);
            break; /* there are no more looks at the clock than these */
        }
        fw_text_free(whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers_are_the_same),
                                       cmocka_unit_test(test_limits_end_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
