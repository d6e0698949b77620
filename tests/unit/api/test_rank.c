/* Rankings through the public interface: the same on any number of threads, sorted, and what fails
 * does not end the rest. */
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char errors[4096];

static void keep(void *user, const struct fw_message *message)
{
    (void)user;
    size_t length = strlen(errors);
    snprintf(errors + length, sizeof(errors) - length, "%s ", message->code);
}

struct place {
    struct fw_context *context;
    struct fw_device *device;
    char path[4096], knl[4096], coarse[4096];
};

static int open_place(void **state)
{
    static struct place place;
    const char *source = getenv("FOREWARP_SOURCE");
    struct fw_context_options options = {
        .size = sizeof(options), .data = source ? source : ".", .message = keep};
    snprintf(place.path, sizeof(place.path), "%s/docs/examples/five.json", options.data);
    snprintf(place.knl, sizeof(place.knl), "%s/kernels/knl/matmul.knl", options.data);
    snprintf(place.coarse, sizeof(place.coarse), "%s/kernels/knl/matmul_coarse.knl", options.data);
    *state = &place;
    return fw_context_new(&place.context, &options) == FW_OK &&
                   fw_context_device(&place.device, place.context, "h200") == FW_OK
               ? 0
               : -1;
}

static int close_place(void **state)
{
    struct place *place = *state;
    fw_context_device_free(place->device);
    fw_context_free(place->context);
    return 0;
}

static struct fw_ranking *ranked(const struct place *place, const char *const *vary, size_t count,
                                 unsigned workers)
{
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = place->path,
                                        .vary = vary,
                                        .vary_count = count,
                                        .device = place->device,
                                        .workers = workers};
    struct fw_ranking *ranking;
    errors[0] = '\0';
    return fw_context_rank(&ranking, place->context, &settings) == FW_OK ? ranking : NULL;
}

static void threads_do_not_matter(void **state)
{
    static const char *const vary[] = {"threads=256,1024", "coarsening=1x1,1x2", "nx=1K,100,2K"};
    struct fw_render_options json = {.size = sizeof(json), .format = FW_FORMAT_JSON};
    struct fw_ranking *one = ranked(*state, vary, 3, 1), *many = ranked(*state, vary, 3, 7);
    char *first, *second;
    assert_non_null(one);
    assert_non_null(many);
    assert_int_equal(one->row_count, (9 + 11) * 2 * 3);
    assert_int_equal(one->failed, 0);
    for (size_t r = 1; r < one->row_count; r++)
        assert_true(one->rows[r - 1].group != one->rows[r].group ||
                    one->rows[r - 1].seconds <= one->rows[r].seconds);
    assert_int_equal(one->group_count, 3); /* sizes do different work */
    assert_string_equal(one->rows[0].model, "blend");
    assert_true(one->refined > 0 && one->refined < one->row_count);
    assert_int_equal(fw_ranking_render(&first, one, 0, &json), FW_OK);
    assert_int_equal(fw_ranking_render(&second, many, 0, &json), FW_OK);
    assert_string_equal(first, second);
    fw_text_free(first);
    fw_text_free(second);
    fw_ranking_free(one);
    fw_ranking_free(many);
}

/* NAN where a prediction has none of this kind.  Hit rates are no part of a ranking's rows. */
static double quantity(const struct fw_prediction *prediction, const struct fw_quantity_kind *kind)
{
    for (size_t q = 0; q < prediction->quantity_count; q++)
        if (!strcmp(prediction->quantities[q].kind->key, kind->key))
            return prediction->quantities[q].value;
    return NAN;
}

/* A row of a ranking in stages that may be the fastest is what a worker says of the same launch. */
static void rows_are_predictions(void **state)
{
    const struct place *place = *state;
    static const char *const vary[] = {"block=32x8,64x4", "nx=1000"};
    struct fw_ranking *ranking = ranked(place, vary, 2, 2);
    struct fw_program *program;
    const struct fw_kernel *kernel;
    struct fw_worker *worker;
    const struct fw_answer *answer;
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "blend"};
    assert_non_null(ranking);
    assert_string_equal(ranking->model, "blend");
    assert_int_equal(ranking->refined, ranking->row_count);
    assert_int_equal(fw_program_read(&program, place->context, place->path, NULL), FW_OK);
    assert_int_equal(fw_program_kernel(&kernel, program, NULL), FW_OK);
    assert_int_equal(fw_worker_new(&worker, program, kernel), FW_OK);
    for (size_t r = 0; r < ranking->row_count; r++) {
        const struct fw_rank_row *row = &ranking->rows[r];
        fw_worker_set_block(worker, row->block[0], row->block[1], row->block[2]);
        assert_int_equal(fw_worker_bind(worker, "nx=1000"), FW_OK);
        assert_int_equal(fw_worker_predict(&answer, worker, place->device, &settings), FW_OK);
        /* An account without lines is summed in another order, and trees have its shares. */
        assert_true(fabs(answer->predictions[0].seconds / row->seconds - 1) < 1e-9);
        assert_true(row->quantity_count > 0);
        for (size_t q = 0; q < row->quantity_count; q++)
            assert_true(quantity(&answer->predictions[0], row->quantities[q].kind) ==
                        row->quantities[q].value);
        assert_memory_equal(answer->grid, row->grid, sizeof(row->grid));
    }
    fw_worker_free(worker);
    fw_program_free(program);
    fw_ranking_free(ranking);
}

static void failures_are_rows(void **state)
{
    static const char *const vary[] = {"nx=1K,2,-5", "block=2048x1,64x4"};
    struct fw_ranking *ranking = ranked(*state, vary, 2, 3);
    assert_non_null(ranking);
    assert_int_equal(ranking->row_count, 6);
    assert_int_equal(ranking->failed, 5);
    assert_null(ranking->rows[0].failure);
    for (size_t r = 1; r < 6; r++)
        assert_non_null(ranking->rows[r].failure);
    assert_string_equal(errors, "");
    fw_ranking_free(ranking);
}

/* The kernel language: variants are made by the threads that predict them, each its own. */
static void constants_vary(void **state)
{
    static const char *const vary[] = {"n=1K,2K,1000", "-DTILE=16,24,0,32"};
    struct place place = **(struct place **)state;
    struct fw_program_options options = {.size = sizeof(options), .compiler = "no-such-compiler"};
    struct fw_predict_settings predict = {.size = sizeof(predict), .models = "roofline"};
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = place.knl,
                                        .options = &options,
                                        .vary = vary,
                                        .vary_count = 2,
                                        .device = place.device,
                                        .predict = &predict,
                                        .workers = 1};
    struct fw_render_options json = {.size = sizeof(json), .format = FW_FORMAT_JSON};
    struct fw_ranking *ranking;
    char *first, *text;
    errors[0] = '\0';
    assert_int_equal(fw_context_rank(&ranking, place.context, &settings), FW_OK);
    assert_int_equal(ranking->row_count, 12);
    /* No size is a multiple of 24, 1000 is none of 16 and 32, and nothing is one of 0. */
    assert_int_equal(ranking->failed, 3 + 3 + 2);
    assert_string_equal(errors, "");
    assert_int_equal(fw_ranking_render(&first, ranking, 0, &json), FW_OK);
    for (unsigned workers = 2; workers < 40; workers += 17) {
        struct fw_ranking *other;
        settings.workers = workers;
        assert_int_equal(fw_context_rank(&other, place.context, &settings), FW_OK);
        assert_int_equal(fw_ranking_render(&text, other, 0, &json), FW_OK);
        assert_string_equal(first, text);
        fw_text_free(text);
        fw_ranking_free(other);
    }
    fw_text_free(first);
    fw_ranking_free(ranking);
}

/* A row is what a worker says of the program with these definitions. */
static void rows_of_constants_are_predictions(void **state)
{
    static const char *const vary[] = {"-DTILE=8,32", "-DCOARSE=2"};
    struct place place = **(struct place **)state;
    struct fw_program_options options = {.size = sizeof(options), .compiler = "no-such-compiler"};
    struct fw_predict_settings predict = {.size = sizeof(predict), .models = "roofline"};
    const char *const binding = "n=512";
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = place.coarse,
                                        .options = &options,
                                        .vary = vary,
                                        .vary_count = 2,
                                        .bindings = &binding,
                                        .binding_count = 1,
                                        .device = place.device,
                                        .predict = &predict};
    struct fw_ranking *ranking;
    assert_int_equal(fw_context_rank(&ranking, place.context, &settings), FW_OK);
    assert_int_equal(ranking->failed, 0);
    for (size_t r = 0; r < ranking->row_count; r++) {
        const struct fw_rank_row *row = &ranking->rows[r];
        char texts[2][32];
        const char *const defines[] = {texts[0], texts[1]};
        struct fw_program *program;
        struct fw_worker *worker;
        const struct fw_kernel *kernel;
        const struct fw_answer *answer;
        for (size_t n = 0; n < 2; n++)
            snprintf(texts[n], sizeof(texts[n]), "%s=%s", ranking->names[n] + 2, row->values[n]);
        options.defines = defines;
        options.define_count = 2;
        assert_int_equal(fw_program_read(&program, place.context, place.coarse, &options), FW_OK);
        assert_int_equal(fw_program_kernel(&kernel, program, NULL), FW_OK);
        assert_int_equal(fw_worker_new(&worker, program, kernel), FW_OK);
        assert_int_equal(fw_worker_bind(worker, binding), FW_OK);
        assert_int_equal(fw_worker_predict(&answer, worker, place.device, &predict), FW_OK);
        assert_true(answer->predictions[0].seconds == row->seconds);
        assert_memory_equal(answer->block, row->block, sizeof(row->block));
        assert_memory_equal(answer->grid, row->grid, sizeof(row->grid));
        assert_int_equal(answer->kernel->constant_count, 2);
        assert_int_equal(answer->kernel->constants[0].value, atoi(row->values[0]));
        fw_worker_free(worker);
        fw_program_free(program);
    }
    fw_ranking_free(ranking);
}

static void nonsense_is_refused(void **state)
{
    static const char *const wrong[] = {"block",     "block=",        "=3",
                                        "threads=7", "block=1x1x1x1", "coarsening=0",
                                        "mx=1,2",    "-D=3",          "coarsening=1x1x9"};
    for (size_t w = 0; w < sizeof(wrong) / sizeof(wrong[0]); w++) {
        assert_null(ranked(*state, &wrong[w], 1, 1));
        assert_string_not_equal(errors, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_matter),
                                       cmocka_unit_test(rows_are_predictions),
                                       cmocka_unit_test(failures_are_rows),
                                       cmocka_unit_test(constants_vary),
                                       cmocka_unit_test(rows_of_constants_are_predictions),
                                       cmocka_unit_test(nonsense_is_refused)};
    return cmocka_run_group_tests(tests, open_place, close_place);
}
