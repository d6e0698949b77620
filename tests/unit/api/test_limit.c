/* Limits of time: whenever one cuts work short, the call is an error, nothing is lost, and the
 * next program gets its whole answer. */
#include "deadline.h"
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct heard {
    char code[16];
    char file[256];
    unsigned errors;
};

static void hear(void *user, const struct fw_message *message)
{
    struct heard *heard = user;
    if (message->severity != FW_MESSAGE_ERROR)
        return;
    heard->errors++;
    snprintf(heard->code, sizeof(heard->code), "%s", message->code);
    snprintf(heard->file, sizeof(heard->file), "%s", message->file ? message->file : "");
}

static struct fw_context *context_of(struct heard *heard, double question, double run)
{
    struct fw_context *context;
    struct fw_context_options options = {.size = sizeof(options),
                                         .data = getenv("FOREWARP_SOURCE"),
                                         .message = hear,
                                         .user = heard,
                                         .question_seconds = question,
                                         .run_seconds = run};
    assert_int_equal(fw_context_new(&context, &options), FW_OK);
    return context;
}

/* The answer as text, NULL when a call fails.  `rendering`: it was the last one, which has no
 * context to tell of an error. */
static char *answer_of(const struct fw_context *context, const char *name, bool predicts,
                       enum fw_status *status, bool *rendering)
{
    char path[4096];
    struct fw_program *program = NULL;
    const struct fw_kernel *kernel;
    struct fw_worker *worker = NULL;
    struct fw_device *device = NULL;
    const struct fw_answer *answer;
    const struct fw_render_options options = {.size = sizeof(options), .format = FW_FORMAT_JSON};
    const struct fw_predict_settings settings = {.size = sizeof(settings), .models = "traffic"};
    char *text = NULL;
    snprintf(path, sizeof(path), "%s%s", getenv("FOREWARP_SOURCE"), name);
    *status = fw_program_read(&program, context, path, NULL);
    if (!*status)
        *status = fw_program_kernel(&kernel, program, NULL);
    if (!*status)
        *status = fw_worker_new(&worker, program, kernel);
    if (!*status && predicts)
        *status = fw_context_device(&device, context, "h200");
    if (!*status && strstr(path, ".ptx")) {
        fw_worker_set_grid(worker, 64, 1, 1);
        fw_worker_set_block(worker, 256, 1, 1);
        *status = fw_worker_bind(worker, "3=10000");
    } else if (!*status) {
        *status = fw_worker_bind(worker, "n=1024");
    }
    if (!*status)
        *status = predicts ? fw_worker_predict(&answer, worker, device, &settings)
                           : fw_worker_count(&answer, worker, NULL);
    *rendering = *status == FW_OK;
    if (!*status)
        *status = fw_answer_render(&text, answer, &options);
    fw_worker_free(worker);
    fw_context_device_free(device);
    fw_program_free(program);
    return text;
}

/* The n-th look at the clock says that the time is over, for some n up to the last one. */
static void cut_everywhere(const char *path, bool predicts)
{
    struct heard heard = {0};
    struct fw_context *context = context_of(&heard, -1, 0);
    enum fw_status status;
    bool rendering;
    char *whole = answer_of(context, path, predicts, &status, &rendering);
    assert_int_equal(status, FW_OK);
    unsigned cut = 0;
    for (uint64_t n = 1; n < 100000; n += 1 + n / 16) {
        memset(&heard, 0, sizeof(heard));
        fw_deadline_pass_at(n);
        char *text = answer_of(context, path, predicts, &status, &rendering);
        fw_deadline_pass_at(0);
        if (status == FW_OK) {
            assert_string_equal(text, whole);
            fw_text_free(text);
            break;
        }
        cut++;
        assert_null(text);
        assert_int_equal(status, FW_ERROR_BUDGET);
        assert_string_equal(heard.code, rendering ? "" : "API090");
        assert_int_equal(heard.errors, !rendering);
    }
    assert_true(cut > 3);
    char *again = answer_of(context, path, predicts, &status, &rendering);
    assert_int_equal(status, FW_OK);
    assert_string_equal(again, whole);
    fw_text_free(again);
    fw_text_free(whole);
    fw_context_free(context);
}

static void ptx_is_cut_anywhere(void **state)
{
    (void)state;
    cut_everywhere("/tests/golden/kernels/saxpy.ptx", false);
}

static void loop_programs_are_cut_anywhere(void **state)
{
    (void)state;
    cut_everywhere("/kernels/knl/matmul_prefetch.knl", false);
}

static void predictions_are_cut_anywhere(void **state)
{
    (void)state;
    cut_everywhere("/tests/golden/kernels/saxpy.ptx", true);
}

static void a_run_that_is_over_answers_nothing(void **state)
{
    (void)state;
    struct heard heard = {0};
    struct fw_context *context = context_of(&heard, 0, 1e-9);
    enum fw_status status;
    bool rendering;
    assert_null(answer_of(context, "/tests/golden/kernels/saxpy.ptx", false, &status, &rendering));
    assert_int_equal(status, FW_ERROR_BUDGET);
    assert_string_equal(heard.code, "API090");
    fw_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ptx_is_cut_anywhere),
        cmocka_unit_test(predictions_are_cut_anywhere),
        cmocka_unit_test(loop_programs_are_cut_anywhere),
        cmocka_unit_test(a_run_that_is_over_answers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
