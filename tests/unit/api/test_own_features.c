/* Features that the caller adds: in questions, and in cost models. */
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char kernel_text[] = "domain [n] -> {[i]: 0 <= i < n}\n"
                                  "assume n >= 256 and n mod 256 = 0\n"
                                  "array x, y: f32\n"
                                  "y[i] = 2*x[i] + y[i]\n"
                                  "split i 256 outer=block.0 inner=thread.0\n";

/* Bytes that all rows of device memory load and store. */
static double bytes(void *user, const struct fw_answer *counted)
{
    double sum = 0;
    for (size_t r = 0; r < counted->counts->memory_count; r++)
        if (strcmp(counted->counts->memory[r].space, "global") == 0)
            sum += counted->counts->memory[r].count.value * counted->counts->memory[r].bytes;
    return sum * *(const double *)user;
}

static double unknown(void *user, const struct fw_answer *counted)
{
    (void)user;
    (void)counted;
    return NAN;
}

static double one = 1;
static char last[16];

static void keep(void *user, const struct fw_message *message)
{
    (void)user;
    if (message->severity == FW_MESSAGE_ERROR)
        snprintf(last, sizeof(last), "%s", message->code);
}

static struct fw_context *new_context(void)
{
    static const struct fw_own_feature features[] = {{.name = "f_bytes_of_mine",
                                                      .granularity = "thread",
                                                      .unit = "B",
                                                      .value = bytes,
                                                      .user = &one},
                                                     {.name = "f_unknown", .value = unknown}};
    const struct fw_context_options options = {
        .size = sizeof(options), .message = keep, .features = features, .feature_count = 2};
    struct fw_context *context;
    assert_int_equal(fw_context_new(&context, &options), FW_OK);
    return context;
}

static struct fw_worker *new_worker(struct fw_program **program, const struct fw_context *context,
                                    const char *name, const char *text)
{
    const struct fw_kernel *kernel;
    struct fw_worker *worker;
    assert_int_equal(fw_program_parse(program, context, name, text, strlen(text), NULL), FW_OK);
    assert_int_equal(fw_program_kernel(&kernel, *program, NULL), FW_OK);
    assert_int_equal(fw_worker_new(&worker, *program, kernel), FW_OK);
    return worker;
}

static void a_question_has_the_callers_values(void **state)
{
    static const char *const names[] = {"f_bytes_of_mine", "f_threads"}, *const absent[] = {
                                                                             "f_unknown"};
    const struct fw_feature_settings settings = {
        .size = sizeof(settings), .names = names, .count = 2};
    const struct fw_feature_settings without = {
        .size = sizeof(without), .names = absent, .count = 1};
    struct fw_context *context = new_context();
    struct fw_program *program;
    struct fw_worker *worker = new_worker(&program, context, "mine.knl", kernel_text);
    const struct fw_answer *answer;
    (void)state;
    assert_int_equal(fw_worker_bind(worker, "n=1024"), FW_OK);
    assert_int_equal(fw_worker_features(&answer, worker, NULL, &settings), FW_OK);
    assert_true(answer->features[0].value == 3 * 4 * 1024);
    assert_string_equal(answer->features[0].granularity, "thread");
    assert_string_equal(answer->features[0].unit, "B");
    assert_true(answer->features[1].value == 1024);
    assert_int_equal(fw_worker_features(&answer, worker, NULL, &without), FW_ERROR_INPUT);
    assert_string_equal(last, "FEAT005");
    fw_worker_free(worker);
    fw_program_free(program);
    fw_context_free(context);
}

static void a_cost_model_takes_them(void **state)
{
    static const char calibration[] = "calibration 1\n"
                                      "output f_seconds\n"
                                      "cost = p_byte * f_bytes_of_mine\n"
                                      "value p_byte = 1e-9\n";
    char path[] = "/tmp/own-features-XXXXXX";
    int file = mkstemp(path);
    const struct fw_predict_settings settings = {.size = sizeof(settings), .calibration = path};
    struct fw_context *context = new_context();
    struct fw_program *program;
    struct fw_worker *worker = new_worker(&program, context, "mine.knl", kernel_text);
    struct fw_device *device;
    const struct fw_answer *answer;
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, calibration, strlen(calibration)), strlen(calibration));
    close(file);
    assert_int_equal(fw_context_device_blank(&device, context, "box"), FW_OK);
    assert_int_equal(fw_worker_bind(worker, "n=1024"), FW_OK);
    assert_int_equal(fw_worker_predict(&answer, worker, device, &settings), FW_OK);
    assert_string_equal(answer->predictions[0].model, "cost");
    assert_true(fabs(answer->predictions[0].seconds - 12288e-9) < 1e-15);
    unlink(path);
    fw_context_device_free(device);
    fw_worker_free(worker);
    fw_program_free(program);
    fw_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_has_the_callers_values),
        cmocka_unit_test(a_cost_model_takes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
