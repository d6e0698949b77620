/* Profiles that lack a figure: each of the H200's is taken away in turn.  What is asked then fails
 * with a message that names it, or gives times that are numbers above 0; and a limiter that is gone
 * is named. */
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 };

static char told[LONGEST];

static void keep(void *user, const struct fw_message *message)
{
    (void)user;
    snprintf(told, sizeof(told), "%s", message->text);
}

/* One kernel at one launch. */
struct asked {
    const char *file, *block, *grid;
    const char *bindings[4];
};

static const struct asked kernels[] = {
    {"docs/examples/star25.json", NULL, NULL, {NULL}},
    {"tests/golden/kernels/saxpy.ptx", "256", "4096", {"3=1M", NULL}},
    {"tests/golden/kernels/reduce.ptx", "256", "1024", {"2=262144", NULL}}};

static const char *const levels[] = {"l1", "l2", "dram", "latency"};

enum {
    KERNELS = sizeof(kernels) / sizeof(kernels[0]),
    LEVELS = sizeof(levels) / sizeof(levels[0])
};

struct place {
    struct fw_context *context;
    const char *source;
    struct fw_program *programs[KERNELS];
    const struct fw_kernel *records[KERNELS];
    bool has[KERNELS][LEVELS]; /* with all figures the level has a term */
};

static void set_sizes(struct fw_worker *worker, const struct asked *asked)
{
    if (asked->block)
        fw_worker_set_block(worker, (uint32_t)atoi(asked->block), 1, 1);
    if (asked->grid)
        fw_worker_set_grid(worker, (uint32_t)atoi(asked->grid), 1, 1);
    for (size_t b = 0; asked->bindings[b]; b++)
        assert_int_equal(fw_worker_bind(worker, asked->bindings[b]), FW_OK);
}

static bool says(const struct fw_prediction *prediction, const char *what)
{
    for (size_t l = 0; l < prediction->not_modelled_count; l++)
        if (strstr(prediction->not_modelled[l], what))
            return true;
    return false;
}

static void check_terms(const struct fw_prediction *prediction, const char *figure)
{
    if (!(isfinite(prediction->seconds) && prediction->seconds > 0))
        fail_msg("without %s %s gives %g seconds", figure, prediction->model, prediction->seconds);
    for (size_t t = 0; t < prediction->term_count; t++)
        if (!(isfinite(prediction->terms[t].seconds) && prediction->terms[t].seconds >= 0))
            fail_msg("without %s %s is %g seconds", figure, prediction->terms[t].name,
                     prediction->terms[t].seconds);
}

static bool has_term(const struct fw_prediction *prediction, const char *name)
{
    for (size_t t = 0; t < prediction->term_count; t++)
        if (strcmp(prediction->terms[t].name, name) == 0)
            return true;
    return false;
}

/* Asks both models for a kernel on a device without a figure (NULL: with all). */
static void ask(struct place *place, size_t k, const struct fw_device *device, const char *figure)
{
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "traffic,roofline"};
    struct fw_worker *worker;
    const struct fw_answer *answer;
    assert_int_equal(fw_worker_new(&worker, place->programs[k], place->records[k]), FW_OK);
    set_sizes(worker, &kernels[k]);
    told[0] = '\0';
    enum fw_status status = fw_worker_predict(&answer, worker, device, &settings);
    bool traffic_answers = !status && strcmp(answer->predictions[0].model, "traffic") == 0;
    if (!traffic_answers && !(figure && strstr(told, figure))) /* the other model may answer */
        fail_msg("%s: without %s: status %d, \"%s\"", kernels[k].file, figure ? figure : "nothing",
                 status, told);
    for (size_t p = 0; !status && p < answer->prediction_count; p++)
        check_terms(&answer->predictions[p], figure ? figure : "nothing");
    const struct fw_prediction *traffic = traffic_answers ? &answer->predictions[0] : NULL;
    for (size_t l = 0; traffic && l < LEVELS; l++)
        if (!figure)
            place->has[k][l] = has_term(traffic, levels[l]);
        else if (place->has[k][l] && !has_term(traffic, levels[l]) && !says(traffic, figure))
            fail_msg("without %s there is no %s, and nothing says so", figure, levels[l]);
    fw_worker_free(worker);
}

static void all_figures_but_one(void **state)
{
    struct place *place = *state;
    struct fw_device *device;
    char path[LONGEST], file[] = "/tmp/missing-XXXXXX.json";
    int made = mkstemps(file, 5);
    snprintf(path, sizeof(path), "%s/profiles/h200.json", place->source);
    json_t *profile = json_load_file(path, 0, NULL);
    json_t *figures = json_object_get(profile, "figures");
    unsigned read = 0, refused = 0;
    assert_int_equal(fw_context_device(&device, place->context, path), FW_OK);
    for (size_t k = 0; k < KERNELS; k++)
        ask(place, k, device, NULL);
    fw_context_device_free(device);
    assert_true(made >= 0);
    assert_true(json_is_object(figures));
    json_t *names = json_object();
    json_object_update(names, figures);
    const char *name;
    json_t *value;
    json_object_foreach(names, name, value)
    {
        json_object_del(figures, name);
        assert_int_equal(json_dump_file(profile, file, 0), 0);
        snprintf(path, sizeof(path), "%s", file);
        told[0] = '\0';
        if (fw_context_device(&device, place->context, path) == FW_OK) {
            for (size_t k = 0; k < KERNELS; k++)
                ask(place, k, device, name);
            fw_context_device_free(device);
            read++;
        } else {
            assert_non_null(strstr(told, name)); /* no device is one without it */
            refused++;
        }
        json_object_set(figures, name, value);
    }
    json_decref(names);
    json_decref(profile);
    close(made);
    unlink(file);
    print_message("%u figures taken away, %u needed to be a device\n", read, refused);
    assert_true(read > 80);
}

static int open_place(void **state)
{
    static struct place place;
    const char *source = getenv("FOREWARP_SOURCE");
    place.source = source ? source : ".";
    struct fw_context_options options = {
        .size = sizeof(options), .data = place.source, .message = keep};
    *state = &place;
    if (fw_context_new(&place.context, &options) != FW_OK)
        return -1;
    for (size_t k = 0; k < KERNELS; k++) {
        char path[LONGEST];
        snprintf(path, sizeof(path), "%s/%s", place.source, kernels[k].file);
        if (fw_program_read(&place.programs[k], place.context, path, NULL) != FW_OK ||
            fw_program_kernel(&place.records[k], place.programs[k], NULL) != FW_OK) {
            print_error("%s: %s\n", path, told);
            return -1;
        }
    }
    return 0;
}

static int close_place(void **state)
{
    struct place *place = *state;
    for (size_t k = 0; k < KERNELS; k++)
        fw_program_free(place->programs[k]);
    fw_context_free(place->context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_figures_but_one)};
    return cmocka_run_group_tests(tests, open_place, close_place);
}
