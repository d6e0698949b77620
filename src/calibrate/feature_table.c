#include "feature_table.h"

#include "launches_reader.h"
#include "session.h"

#include <math.h>
#include <string.h>

/* The program and worker of the launch before: launches of one kernel stand together. */
struct making {
    const struct fw_context *context;
    const struct fw_feature_table_question *question;
    struct fw_feature_table *table;
    struct fw_buffer *csv;
    const char *file, *kernel_name;
    const struct fw_launch_item *defines_of;
    struct fw_program *program;
    struct fw_worker *worker;
};

static void close_program(struct making *making)
{
    fw_session_worker_free(making->worker);
    fw_session_program_free(making->program);
    making->worker = NULL;
    making->program = NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_defines(const struct fw_launch_item *a, const struct fw_launch_item *b)
{
    bool same = a->define_count == b->define_count;
    for (size_t d = 0; d < a->define_count && same; d++)
        same = strcmp(a->defines[d], b->defines[d]) == 0;
    return same;
}

static enum fw_status open_kernel(struct making *making, const struct fw_launch_item *item)
{
    const char *file = item->knl ? item->knl : item->file;
    const struct fw_program_options options = {
        .size = sizeof(options), .defines = item->defines, .define_count = item->define_count};
    const struct fw_kernel *kernel;
    if (!file) {
        fw_session_error(making->context, "CAL005", "%s, line %u: the launch names no file",
                         making->question->path, item->line);
        return FW_ERROR_INPUT;
    }
    if (making->worker && same_text(making->file, file) &&
        same_text(making->kernel_name, item->kernel) && same_defines(making->defines_of, item))
        return FW_OK;
    close_program(making);
    making->file = file;
    making->kernel_name = item->kernel;
    making->defines_of = item;
    enum fw_status status =
        fw_session_program_read(&making->program, making->context, file, &options);
    if (!status)
        status = fw_session_program_kernel(&kernel, making->program, item->kernel);
    if (!status)
        status = fw_session_worker_new(&making->worker, making->program, kernel);
    return status;
}

static enum fw_status bind(struct fw_worker *worker, const struct fw_launch_item *item)
{
    fw_session_worker_clear(worker);
    if (!item->knl) {
        fw_session_worker_set_block(worker, item->block[0], item->block[1], item->block[2]);
        fw_session_worker_set_grid(worker, item->grid[0], item->grid[1], item->grid[2]);
        if (item->shared)
            fw_session_worker_set_shared(worker, item->shared);
        fw_session_worker_set_compiled(worker, item->compiled_registers,
                                       item->compiled_spill_bytes);
    }
    enum fw_status status = FW_OK;
    for (size_t b = 0; b < item->binding_count && !status; b++)
        status = fw_session_worker_bind(worker, item->bindings[b]);
    return status;
}

/* A cell of CSV: names may contain commas, quotes and ends of lines, or begin like a comment. */
static void add_text(struct fw_buffer *csv, const char *text)
{
    if (!strpbrk(text, ",\"\n\r") && *text != '#') {
        fw_buffer_printf(csv, "%s", text);
        return;
    }
    fw_buffer_add(csv, "\"", 1);
    for (; *text; text++)
        fw_buffer_printf(csv, *text == '"' ? "\"\"" : "%c", *text);
    fw_buffer_add(csv, "\"", 1);
}

/* Whether counts lean on what nobody knows; what was sampled has a standard error instead. */
static bool leans(const struct fw_answer *answer)
{
    for (size_t u = 0; u < answer->unknown_count; u++)
        if (strcmp(answer->unknowns[u].reason, "sampled") != 0 &&
            strcmp(answer->unknowns[u].reason, "pointer") != 0)
            return true;
    return false;
}

/* False: the launch has no row. */
static bool find_output(double *output, struct making *making, const struct fw_launch_item *item)
{
    const struct fw_feature_table_question *question = making->question;
    if (!question->output)
        return true;
    const struct fw_measurement *found = fw_measurements_find(question->measurements, item->name);
    double value = NAN;
    if (found && !found->failed)
        fw_measurement_output(&value, found, question->output);
    if (found && found->failed)
        making->table->failed++;
    else if (isnan(value))
        making->table->unmeasured++;
    *output = value;
    return !isnan(value);
}

/* The measured value of a feature that is no kernel's own; false: it is counted. */
static bool find_measured(double *value, const struct making *making,
                          const struct fw_launch_item *item, const char *feature)
{
    const struct fw_measurements *measurements = making->question->measurements;
    const struct fw_measurement *found =
        measurements ? fw_measurements_find(measurements, item->name) : NULL;
    return found && !found->failed && fw_measurement_output(value, found, feature) &&
           !isnan(*value);
}

/* The features of a launch, those that are counted among them by the worker. */
static enum fw_status find_features(double *values, bool *leaning, struct making *making,
                                    const struct fw_launch_item *item)
{
    const struct fw_feature_table_question *question = making->question;
    const struct fw_answer *answer;
    const char **counted = FW_ARRAY(making->csv->arena, const char *, question->feature_count + 1);
    size_t count = 0, next = 0;
    for (size_t f = 0; f < question->feature_count; f++)
        if (!find_measured(&values[f], making, item, question->features[f]))
            counted[count++] = question->features[f];
    const struct fw_feature_settings settings = {
        .size = sizeof(settings), .names = counted, .count = count};
    enum fw_status status = open_kernel(making, item);
    if (!status)
        status = bind(making->worker, item);
    if (!status && count)
        status = fw_session_worker_features(&answer, making->worker, question->device, &settings);
    for (size_t f = 0; f < question->feature_count && !status; f++)
        if (next < count && counted[next] == question->features[f])
            values[f] = answer->features[next++].value;
    *leaning = !status && count && leans(answer);
    return status;
}

static enum fw_status add_row(struct making *making, const struct fw_launch_item *item)
{
    const struct fw_feature_table_question *question = making->question;
    double *values = FW_ARRAY(making->csv->arena, double, question->feature_count + 1), output = 0;
    bool leaning = false;
    if (!find_output(&output, making, item))
        return FW_OK;
    enum fw_status status = find_features(values, &leaning, making, item);
    if (status) {
        fw_session_error(making->context, "CAL006", "%s, line %u: no features of %s",
                         question->path, item->line, item->name);
        return status;
    }
    add_text(making->csv, item->name);
    for (size_t f = 0; f < question->feature_count; f++)
        fw_buffer_printf(making->csv, ",%.17g", values[f]);
    if (question->output)
        fw_buffer_printf(making->csv, ",%.17g", output);
    fw_buffer_add(making->csv, "\n", 1);
    making->table->rows++;
    making->table->leaning += leaning;
    return FW_OK;
}

static void add_head(struct making *making)
{
    const struct fw_feature_table_question *question = making->question;
    const char *device = question->measurements ? question->measurements->device : NULL;
    if (device) /* a comment is one line */
        fw_buffer_printf(making->csv, "# device: %.*s\n", (int)strcspn(device, "\r\n"), device);
    fw_buffer_printf(making->csv, "kernel");
    for (size_t f = 0; f < question->feature_count; f++) {
        fw_buffer_add(making->csv, ",", 1);
        add_text(making->csv, question->features[f]);
    }
    if (question->output) {
        fw_buffer_add(making->csv, ",", 1);
        add_text(making->csv, question->output);
    }
    fw_buffer_add(making->csv, "\n", 1);
}

static enum fw_status add_rows(void *user)
{
    struct making *making = user;
    const struct fw_launch_items *launches = making->question->launches;
    enum fw_status status = FW_OK;
    for (size_t i = 0; i < launches->count && !status; i++)
        status = add_row(making, &launches->at[i]);
    return status;
}

static void close_making(void *user)
{
    close_program(user);
}

enum fw_status fw_feature_table_make(struct fw_feature_table *table, struct fw_buffer *csv,
                                     const struct fw_context *context,
                                     const struct fw_feature_table_question *question)
{
    struct making making = {.context = context, .question = question, .table = table, .csv = csv};
    const struct fw_measurement none = {0};
    double value;
    *table = (struct fw_feature_table){0};
    if (question->output && !fw_measurement_output(&value, &none, question->output)) {
        fw_session_error(context, "CAL003",
                         "the output %s is not what is measured: f_cl_wall_time..., "
                         "f_cuda_wall_time..., f_seconds..., f_watts..., f_joules...",
                         question->output);
        return FW_ERROR_USAGE;
    }
    add_head(&making);
    enum fw_status status = fw_arena_finally(csv->arena, add_rows, close_making, &making);
    if (!status && !table->rows) {
        fw_session_error(context, "CAL004", "no launch of %s was measured (%zu failed)",
                         question->path, table->failed);
        return FW_ERROR_INPUT;
    }
    return status;
}
