/* Every function of forewarp.h, called with each of its pointers missing in turn, and with texts
 * that are empty, counts without arrays and numbers that make no sense: FW_ERROR_USAGE and, where
 * there is a context, a message.  The header is read, so that a function that is not called here
 * fails the test. */
#include "forewarp.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry k(.param .u64 p, .param .u32 n, .param .f32 a) {\n"
                          "  ret;\n}\n";
static const char knl[] = "domain {[i]: 0 <= i < 8}\narray x: f32[8]\nx[i] = 1.0\n";

static unsigned errors; /* messages of errors */

static void hear(void *user, const struct fw_message *message)
{
    (void)user;
    errors += message->severity == FW_MESSAGE_ERROR;
    assert(message->code && message->text && message->rendered);
}

/* What all calls share. */
static struct fw_context *context;
static struct fw_program *program, *loops;
static const struct fw_kernel *kernel;
static struct fw_worker *worker;
static struct fw_device *device;
static const struct fw_answer *answer;

static void *forget(const void *pointer, int number, int missing)
{
    return number == missing ? NULL : (void *)(uintptr_t)pointer;
}
/* The argument `number` of a call; NULL when that is the one that is missing. */
#define P(number, pointer) forget(pointer, number, missing)

static void take(void *user, const char *name, const char *text, size_t length)
{
    (void)user, (void)name, (void)text, (void)length;
}

/* Results that were not asked to be made are still given back. */
static char *text;
static struct fw_store_change change;

static enum fw_status call_context_new(int missing)
{
    struct fw_context *made = NULL;
    enum fw_status status = fw_context_new(P(0, &made), NULL);
    fw_context_free(made);
    return status;
}
static enum fw_status call_program_read(int missing)
{
    struct fw_program *made = NULL;
    enum fw_status status = fw_program_read(P(0, &made), P(1, context), P(2, "missing.ptx"), NULL);
    return status;
}
static enum fw_status call_program_parse(int missing)
{
    struct fw_program *made = NULL;
    return fw_program_parse(P(0, &made), P(1, context), P(2, "a.ptx"), P(3, "x"), 1, NULL);
}
static enum fw_status call_program_read_many(int missing)
{
    struct fw_program_item item = {.path = P(2, "missing.ptx")};
    return fw_program_read_many(P(0, &item), 1, P(1, context), 1);
}
static enum fw_status call_program_kernel(int missing)
{
    const struct fw_kernel *found;
    return fw_program_kernel(P(0, &found), P(1, program), NULL);
}
static enum fw_status call_program_dump(int missing)
{
    return fw_program_dump(P(0, &text), P(1, program), NULL, P(2, "cfg"));
}
static enum fw_status call_program_emit(int missing)
{
    return fw_program_emit(P(0, &text), P(1, loops), NULL, NULL);
}
static enum fw_status call_text_printable(int missing)
{
    return fw_text_printable(P(0, &text), P(1, "a"), false);
}
static enum fw_status call_context_device(int missing)
{
    struct fw_device *found = NULL;
    enum fw_status status = fw_context_device(P(0, &found), P(1, context), P(2, "h200"));
    fw_context_device_free(found);
    return status;
}
static enum fw_status call_context_device_list(int missing)
{
    return fw_context_device_list(P(0, &text), P(1, context), false);
}
static enum fw_status call_context_device_show(int missing)
{
    return fw_context_device_show(P(0, &text), P(1, context), P(2, device), false);
}
static enum fw_status call_context_probe_plan(int missing)
{
    struct fw_probe_settings settings = {.size = sizeof(settings), .recording = P(2, "missing")};
    return fw_context_probe_plan(P(0, context), P(1, &settings), missing == 3 ? NULL : take, NULL);
}
static enum fw_status call_context_probe_profile(int missing)
{
    struct fw_probe_settings settings = {.size = sizeof(settings), .recording = P(3, "missing")};
    return fw_context_probe_profile(P(0, &text), P(1, context), P(2, &settings));
}
static enum fw_status call_context_device_blank(int missing)
{
    struct fw_device *found = NULL;
    return fw_context_device_blank(P(0, &found), P(1, context), P(2, "missing"));
}
static enum fw_status call_worker_features(int missing)
{
    return fw_worker_features(P(0, &answer), P(1, worker), NULL, NULL);
}
static enum fw_status call_worker_predict_many(int missing)
{
    struct fw_batch_results results = {.size = sizeof(results)};
    struct fw_batch_settings settings = {.size = sizeof(settings)};
    return fw_worker_predict_many(P(0, &results), P(1, worker), P(2, device), P(3, &settings));
}
static enum fw_status call_worker_features_many(int missing)
{
    double value;
    struct fw_batch_settings settings = {.size = sizeof(settings)};
    struct fw_feature_settings features = {.size = sizeof(features)};
    return fw_worker_features_many(P(0, &value), NULL, P(1, worker), NULL, P(2, &settings),
                                   P(3, &features));
}
static enum fw_status call_context_feature_list(int missing)
{
    return fw_context_feature_list(P(0, &text), P(1, context), false);
}
static enum fw_status call_context_feature_table(int missing)
{
    const char *const lists[] = {P(3, "missing")};
    struct fw_feature_table_settings settings = {
        .size = sizeof(settings), .launches = lists, .launch_count = 1};
    return fw_context_feature_table(P(0, &text), P(1, context), P(2, &settings));
}
static enum fw_status call_context_calibrate(int missing)
{
    struct fw_calibrate_settings settings = {
        .size = sizeof(settings), .model = P(3, "missing"), .table = P(4, "missing")};
    return fw_context_calibrate(P(0, &text), NULL, P(1, context), P(2, &settings));
}
static enum fw_status call_context_evaluate_calibration(int missing)
{
    struct fw_calibrate_settings settings = {
        .size = sizeof(settings), .model = P(3, "missing"), .table = P(4, "missing")};
    return fw_context_evaluate_calibration(P(0, &text), P(1, context), P(2, &settings));
}
static enum fw_status call_context_calibrate_for(int missing)
{
    struct fw_calibrate_for_settings settings = {
        .size = sizeof(settings), .model = P(3, "missing"), .file = P(4, "missing")};
    return fw_context_calibrate_for(P(0, &text), P(1, context), P(2, &settings));
}
static enum fw_status call_context_train(int missing)
{
    const char *const lists[] = {P(5, "missing")};
    struct fw_train_settings settings = {
        .size = sizeof(settings), .launches = lists, .launch_count = 1, .device = P(4, device)};
    size_t length;
    return fw_context_train(P(0, &text), P(1, &length), P(2, context), P(3, &settings));
}
static enum fw_status call_context_evaluate_forest(int missing)
{
    const char *const lists[] = {P(4, "missing")};
    struct fw_train_settings settings = {
        .size = sizeof(settings), .launches = lists, .launch_count = 1, .device = P(3, device)};
    return fw_context_evaluate_forest(P(0, &text), P(1, context), P(2, &settings));
}
static enum fw_status call_answer_render(int missing)
{
    return fw_answer_render(P(0, &text), P(1, answer), NULL);
}
static enum fw_status call_answer_timeline_svg(int missing)
{
    return fw_answer_timeline_svg(P(0, &text), P(1, answer));
}
static enum fw_status call_worker_new(int missing)
{
    struct fw_worker *made = NULL;
    enum fw_status status = fw_worker_new(P(0, &made), P(1, program), P(2, kernel));
    fw_worker_free(made);
    return status;
}
static enum fw_status call_worker_set_global(int missing)
{
    return fw_worker_set_global(P(0, worker), 32, 1, 1);
}
static enum fw_status call_worker_bind(int missing)
{
    return fw_worker_bind(P(0, worker), P(1, "n=1"));
}
static enum fw_status call_cache_state_new(int missing)
{
    struct fw_cache_state *state = NULL;
    enum fw_status status = fw_cache_state_new(P(0, &state));
    fw_cache_state_free(state);
    return status;
}
static enum fw_status call_worker_bind_integer(int missing)
{
    return fw_worker_bind_integer(P(0, worker), 1, 1);
}
static enum fw_status call_worker_bind_number(int missing)
{
    return fw_worker_bind_number(P(0, worker), 2, 1);
}
static enum fw_status call_worker_count(int missing)
{
    return fw_worker_count(P(0, &answer), P(1, worker), NULL);
}
static enum fw_status call_worker_predict(int missing)
{
    return fw_worker_predict(P(0, &answer), P(1, worker), P(2, device), NULL);
}
static enum fw_status call_worker_emulate(int missing)
{
    return fw_worker_emulate(P(0, &answer), P(1, worker), NULL);
}
static enum fw_status call_worker_trace(int missing)
{
    return fw_worker_trace(P(0, &answer), P(1, worker), NULL, NULL);
}
static enum fw_status call_context_rank(int missing)
{
    struct fw_ranking *made = NULL;
    struct fw_rank_settings settings = {
        .size = sizeof(settings), .path = P(3, "missing.ptx"), .device = P(4, device)};
    return fw_context_rank(P(0, &made), P(1, context), P(2, &settings));
}
static enum fw_status call_ranking_render(int missing)
{
    static const struct fw_rank_row row = {.failure = "none"};
    struct fw_ranking ranking = {.kernel = "k",
                                 .file = "f",
                                 .language = "ptx",
                                 .device = "d",
                                 .device_title = "d",
                                 .model = "m",
                                 .cache = "warm",
                                 .rows = &row,
                                 .row_count = 1,
                                 .failed = 1};
    return fw_ranking_render(P(0, &text), P(1, &ranking), 1, NULL);
}
static struct fw_page *page; /* of main */
static enum fw_status call_page_new(int missing)
{
    struct fw_page *made = NULL;
    return fw_page_new(P(0, &made), P(1, context), NULL);
}
static enum fw_status call_page_add(int missing)
{
    return fw_page_add(P(0, page), P(1, worker), P(2, device), P(3, "name"), NULL);
}
static enum fw_status call_page_add_ranking(int missing)
{
    static const struct fw_ranking ranking = {.kernel = "k", .file = "f"};
    return fw_page_add_ranking(P(0, page), P(1, &ranking));
}
static enum fw_status call_page_render(int missing)
{
    return fw_page_render(P(0, &text), P(1, page));
}
static enum fw_status call_context_devices(int missing)
{
    struct fw_devices *devices = NULL;
    return fw_context_devices(P(0, &devices), P(1, context), P(2, "missing"));
}
static enum fw_status call_context_diff(int missing)
{
    static const struct fw_diff_input sides[] = {{.name = "a", .path = "missing"},
                                                 {.name = "b", .path = "missing"}};
    return fw_context_diff(P(0, &text), P(1, context), P(2, sides), 2, NULL);
}
static enum fw_status call_context_is_answer(int missing)
{
    bool is;
    return fw_context_is_answer(P(0, &is), P(1, context), P(2, "missing"));
}
static enum fw_status call_answers_render(int missing)
{
    static const struct fw_device_answer row = {.device = "d", .failure = "none"};
    return fw_answers_render(P(0, &text), P(1, &row), 1, NULL);
}
static enum fw_status call_service_new(int missing)
{
    struct fw_service *service = NULL;
    return fw_service_new(P(0, &service), P(1, context), NULL);
}
static enum fw_status call_service_ask(int missing)
{
    struct fw_service *service = NULL;
    const char *reply;
    if (fw_service_new(&service, context, NULL) != FW_OK)
        exit(1);
    enum fw_status status = fw_service_ask(P(0, &reply), P(1, service), 1, P(2, "{}"), 2);
    fw_service_free(service);
    return status;
}
static enum fw_status call_context_count_set(int missing)
{
    return fw_context_count_set(P(0, &text), P(1, context), P(2, "{ [i] : 0 <= i < 4 }"), NULL, 0,
                                NULL);
}
static enum fw_status call_context_generate(int missing)
{
    return fw_context_generate(P(0, &text), P(1, context), NULL);
}
static enum fw_status call_launch_list_read(int missing)
{
    struct fw_launch_list *list = NULL;
    return fw_launch_list_read(P(0, &list), P(1, context), P(2, "missing.json"));
}
static enum fw_status call_context_measure(int missing)
{
    struct fw_measure_result result;
    struct fw_measure_settings settings = {.size = sizeof(settings),
                                           .from = P(3, "missing"),
                                           .program = P(4, "missing"),
                                           .store = P(5, "missing/store")};
    return fw_context_measure(P(0, &result), P(1, context), P(2, &settings));
}
static enum fw_status call_context_store_import(int missing)
{
    return fw_context_store_import(P(0, &change), P(1, context), P(2, "missing/store"),
                                   P(3, "missing"), NULL);
}
static enum fw_status call_context_store_counters(int missing)
{
    return fw_context_store_counters(P(0, &change), P(1, context), P(2, "missing/store"),
                                     P(3, "missing"), NULL, P(4, "name"));
}
static enum fw_status call_context_store_export(int missing)
{
    return fw_context_store_export(P(0, &change), P(1, context), P(2, "missing/store"),
                                   P(3, "missing"), NULL);
}
static enum fw_status call_context_store_rebuild(int missing)
{
    return fw_context_store_rebuild(P(0, &change), P(1, context), P(2, "missing/store"),
                                    P(3, "missing"));
}
static enum fw_status call_context_store_list(int missing)
{
    return fw_context_store_list(P(0, &text), P(1, context), P(2, "missing/store"), false);
}

/* `context`: the number of the pointer without which there is nobody to tell; -1: there never is
 * anybody. */
static const struct row {
    const char *name;
    enum fw_status (*call)(int missing);
    int pointers, context;
} rows[] = {
#define ROW(name, pointers, context)                                                               \
    {                                                                                              \
        "fw_" #name, call_##name, pointers, context                                                \
    }
    ROW(context_new, 1, -1),
    ROW(program_read, 3, 1),
    ROW(program_parse, 4, 1),
    ROW(program_read_many, 3, 1),
    ROW(program_kernel, 2, 1),
    ROW(program_dump, 3, 1),
    ROW(program_emit, 2, 1),
    ROW(text_printable, 2, -1),
    ROW(context_device, 3, 1),
    ROW(context_device_blank, 3, 1),
    ROW(context_devices, 3, 1),
    ROW(context_diff, 3, 1),
    ROW(context_is_answer, 3, 1),
    ROW(answers_render, 2, -1),
    ROW(service_new, 2, 1),
    ROW(service_ask, 3, -1),
    ROW(worker_features, 2, 1),
    ROW(context_feature_list, 2, 1),
    ROW(context_feature_table, 4, 1),
    ROW(context_device_list, 2, 1),
    ROW(context_device_show, 3, 1),
    ROW(context_probe_plan, 4, 0),
    ROW(context_probe_profile, 4, 1),
    ROW(context_calibrate, 5, 1),
    ROW(context_evaluate_calibration, 5, 1),
    ROW(context_calibrate_for, 5, 1),
    ROW(context_train, 6, 2),
    ROW(context_evaluate_forest, 5, 1),
    ROW(answer_render, 2, -1),
    ROW(answer_timeline_svg, 2, -1),
    ROW(worker_new, 3, 1),
    ROW(worker_set_global, 1, 0),
    ROW(worker_bind, 2, 0),
    ROW(cache_state_new, 1, -1),
    ROW(worker_bind_integer, 1, 0),
    ROW(worker_bind_number, 1, 0),
    ROW(worker_count, 2, 1),
    ROW(worker_predict, 3, 1),
    ROW(worker_predict_many, 4, 1),
    ROW(worker_features_many, 4, 1),
    ROW(worker_emulate, 2, 1),
    ROW(worker_trace, 2, 1),
    ROW(context_rank, 5, 1),
    ROW(ranking_render, 2, -1),
    ROW(page_new, 2, 1),
    ROW(page_add, 4, 0),
    ROW(page_add_ranking, 2, 0),
    ROW(page_render, 2, 1),
    ROW(context_count_set, 3, 1),
    ROW(context_generate, 2, 1),
    ROW(launch_list_read, 3, 1),
    ROW(context_measure, 6, 1),
    ROW(context_store_import, 4, 1),
    ROW(context_store_counters, 5, 1),
    ROW(context_store_export, 4, 1),
    ROW(context_store_rebuild, 4, 1),
    ROW(context_store_list, 3, 1)};

/* Those that give no status: called with NULL in test_handles. */
static const char *const silent[] = {"fw_version",
                                     "fw_context_free",
                                     "fw_program_free",
                                     "fw_text_free",
                                     "fw_program_kernel_count",
                                     "fw_program_kernel_name",
                                     "fw_context_device_free",
                                     "fw_context_device_capability",
                                     "fw_context_device_name",
                                     "fw_devices_free",
                                     "fw_devices_count",
                                     "fw_devices_item",
                                     "fw_service_free",
                                     "fw_service_totals",
                                     "fw_worker_set_registers",
                                     "fw_worker_set_compiled",
                                     "fw_cache_state_free",
                                     "fw_worker_set_static_shared",
                                     "fw_worker_free",
                                     "fw_worker_kernel",
                                     "fw_worker_clear",
                                     "fw_worker_set_grid",
                                     "fw_worker_set_block",
                                     "fw_worker_set_shared",
                                     "fw_model_name",
                                     "fw_model_summary",
                                     "fw_ranking_free",
                                     "fw_page_free",
                                     "fw_launch_list_free",
                                     "fw_launch_list_count",
                                     "fw_launch_list_item"};

static void test_missing(void)
{
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        for (int missing = 0; missing < rows[r].pointers; missing++) {
            errors = 0;
            enum fw_status status = rows[r].call(missing);
            bool told = rows[r].context >= 0 && rows[r].context != missing;
            if (status != FW_ERROR_USAGE || errors != told) {
                printf("%s without its pointer %d: status %d, %u errors told\n", rows[r].name,
                       missing, status, errors);
                exit(1);
            }
        }
}

static void test_handles(void)
{
    fw_context_free(NULL);
    fw_program_free(NULL);
    fw_text_free(NULL);
    fw_context_device_free(NULL);
    fw_worker_free(NULL);
    fw_ranking_free(NULL);
    fw_page_free(NULL);
    fw_launch_list_free(NULL);
    fw_worker_clear(NULL);
    fw_worker_set_grid(NULL, 1, 1, 1);
    fw_worker_set_block(NULL, 1, 1, 1);
    fw_worker_set_shared(NULL, 1);
    fw_worker_set_registers(NULL, 1);
    fw_worker_set_compiled(NULL, 1, 0);
    fw_worker_set_static_shared(NULL, 1);
    fw_devices_free(NULL);
    fw_service_free(NULL);
    assert(!fw_devices_count(NULL) && !fw_devices_item(NULL, 0) && !fw_context_device_name(NULL));
    assert(!fw_service_totals(NULL));
    assert(fw_program_kernel_count(NULL) == 0 && !fw_program_kernel_name(NULL, 0));
    assert(fw_context_device_capability(NULL) == 0 && !fw_worker_kernel(NULL));
    assert(fw_launch_list_count(NULL) == 0 && !fw_launch_list_item(NULL, 0));
    assert(fw_version() && fw_model_name(0) && fw_model_summary(0) && !fw_model_name(99));
}

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        errors = 0;                                                                                \
        enum fw_status status = (call);                                                            \
        if (status != FW_ERROR_USAGE || errors != 1) {                                             \
            printf("%d: %s: status %d, %u errors told\n", __LINE__, #call, status, errors);        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void test_values(void)
{
    static const double numbers[] = {-1, NAN, INFINITY, -INFINITY};
    static const char *const hole[] = {"n=1", NULL};
    struct fw_program *made;
    struct fw_measure_result result;
    struct fw_program_options none = {.size = 0}, macros = {.size = sizeof(macros)};
    struct fw_predict_settings predict = {.size = sizeof(predict)};
    struct fw_measure_settings measure = {
        .size = sizeof(measure), .from = "missing", .program = "missing", .store = "missing/store"};
    REFUSED(fw_program_read(&made, context, "", NULL));
    REFUSED(fw_program_read(&made, context, "a.ptx", &none));
    macros.define_count = 1;
    REFUSED(fw_program_read(&made, context, "a.ptx", &macros));
    macros.defines = hole;
    macros.define_count = 2;
    REFUSED(fw_program_read(&made, context, "a.ptx", &macros));
    macros = (struct fw_program_options){.size = sizeof(macros), .compiler = ""};
    REFUSED(fw_program_read(&made, context, "a.cu", &macros));
    macros = (struct fw_program_options){.size = sizeof(macros),
                                         .language = (enum fw_program_language)77};
    REFUSED(fw_program_read(&made, context, "a.cu", &macros));
    REFUSED(fw_program_dump(&text, program, NULL, ""));
    REFUSED(fw_worker_bind(worker, ""));
    REFUSED(fw_worker_bind_integer(worker, SIZE_MAX, 1));
    REFUSED(fw_context_device(&device, context, ""));
    REFUSED(fw_context_count_set(&text, context, "{ [i] }", NULL, 3, NULL));
    REFUSED(fw_context_store_import(&change, context, "missing/store", "missing", ""));
    REFUSED(fw_context_store_import(&change, context, "missing/store", "missing", "../../evil"));
    REFUSED(fw_context_store_list(&text, context, "", false));
    for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
        predict.clock = numbers[n];
        REFUSED(fw_worker_predict(&answer, worker, device, &predict));
        if (numbers[n] < 0 || isnan(numbers[n]) || isinf(numbers[n])) {
            measure.settle_seconds = numbers[n];
            REFUSED(fw_context_measure(&result, context, &measure));
            measure.settle_seconds = 0;
            measure.limit_seconds = numbers[n];
            REFUSED(fw_context_measure(&result, context, &measure));
            measure.limit_seconds = 0;
        }
        if (!(numbers[n] == -1))
            REFUSED(fw_worker_bind_number(worker, 2, numbers[n]));
    }
    predict = (struct fw_predict_settings){.size = sizeof(predict), .models = ""};
    REFUSED(fw_worker_predict(&answer, worker, device, &predict));
    struct fw_batch_column column = {.argument = 99, .integers = (int64_t[]){1}};
    struct fw_batch_settings batch = {
        .size = sizeof(batch), .count = 1, .columns = &column, .column_count = 1};
    const struct fw_batch_results results = {.size = sizeof(results)};
    REFUSED(fw_worker_predict_many(&results, worker, device, &batch));
    column = (struct fw_batch_column){.argument = 1};
    REFUSED(fw_worker_predict_many(&results, worker, device, &batch));
    batch.columns = NULL;
    REFUSED(fw_worker_predict_many(&results, worker, device, &batch));
    measure.campaign = "a\nb";
    REFUSED(fw_context_measure(&result, context, &measure));
}

static bool is_called(const char *name, size_t length)
{
    bool found = false;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        found |= strlen(rows[r].name) == length && memcmp(rows[r].name, name, length) == 0;
    for (size_t s = 0; s < sizeof(silent) / sizeof(silent[0]); s++)
        found |= strlen(silent[s]) == length && memcmp(silent[s], name, length) == 0;
    return found;
}

/* Every name that opens a list of parameters in the header, comments left out. */
static void test_complete(const char *source)
{
    char header[4096];
    static char all[1 << 20];
    snprintf(header, sizeof(header), "%s/include/forewarp.h", source);
    FILE *file = fopen(header, "r");
    assert(file);
    all[fread(all, 1, sizeof(all) - 1, file)] = '\0';
    fclose(file);
    unsigned functions = 0;
    for (const char *at = all; *at;) {
        size_t word = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (strncmp(at, "/*", 2) == 0) {
            at = strstr(at, "*/") + 2;
            continue;
        }
        if (word > 3 && strncmp(at, "fw_", 3) == 0 && at[word] == '(') {
            functions++;
            if (!is_called(at, word)) {
                printf("%.*s is not called by this test\n", (int)word, at);
                exit(1);
            }
        }
        at += word ? word : 1;
    }
    assert(functions == sizeof(rows) / sizeof(rows[0]) + sizeof(silent) / sizeof(silent[0]));
}

int main(void)
{
    struct fw_context_options options = {
        .size = sizeof(options), .data = getenv("FOREWARP_SOURCE"), .message = hear};
    struct fw_context_options empty = {.size = sizeof(empty), .data = ""};
    struct fw_context *none;
    assert(options.data);
    assert(fw_context_new(&none, &empty) == FW_ERROR_USAGE && !none);
    assert(fw_context_new(&context, &options) == FW_OK);
    assert(fw_context_device(&device, context, "h200") == FW_OK);
    assert(fw_program_parse(&program, context, "a.ptx", ptx, sizeof(ptx) - 1, NULL) == FW_OK);
    assert(fw_program_parse(&loops, context, "a.knl", knl, sizeof(knl) - 1, NULL) == FW_OK);
    assert(fw_program_kernel(&kernel, program, NULL) == FW_OK);
    assert(fw_worker_new(&worker, program, kernel) == FW_OK);
    fw_worker_set_grid(worker, 1, 1, 1);
    fw_worker_set_block(worker, 32, 1, 1);
    assert(fw_worker_count(&answer, worker, NULL) == FW_OK);
    assert(fw_page_new(&page, context, "a page") == FW_OK);
    test_missing();
    test_handles();
    fw_page_free(page);
    struct fw_device *kept = device;
    test_values();
    test_complete(options.data);
    fw_worker_free(worker);
    fw_program_free(loops);
    fw_program_free(program);
    fw_context_device_free(kept);
    fw_context_free(context);
    printf("arguments: all is well\n");
    return 0;
}
