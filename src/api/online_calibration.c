/* On-line calibration: measurement kernels for what a cost model's features do not count of a
 * kernel. */
#include "api_check.h"
#include "cost_model.h"
#include "coverage.h"
#include "generate.h"

#include <string.h>

struct work {
    const struct fw_context *context;
    struct fw_calibrate_for_settings settings;
    struct fw_arena *arena, *scratch;
    struct fw_poly *poly;
    struct fw_program *program;
    struct fw_worker *worker;
    const struct fw_kernel *kernel;
    fw_coverage rows;
    FW_VECTOR(struct fw_generate_part) sizes, parts;
    size_t kernels; /* written */
    char *text;     /* result */
};

/* ---- the launch ---- */

/* "n=2K,3K": the parameter's values; the first is the launch's that accesses are looked at in. */
static enum fw_status add_size(struct work *work, const char *binding)
{
    size_t name = strcspn(binding, "="), first = 0;
    if (binding[name])
        first = strcspn(binding + name + 1, ",");
    if (!name || !first) {
        fw_session_error(work->context, "CAL010", "-s %s: NAME=VALUE[,VALUE] is needed", binding);
        return FW_ERROR_USAGE;
    }
    *FW_APPEND(work->arena, &work->sizes) =
        (struct fw_generate_part){fw_arena_text(work->arena, binding, name), binding + name + 1};
    return fw_session_worker_bind(work->worker,
                                  fw_arena_text(work->arena, binding, name + 1 + first));
}

static enum fw_status open_kernel(struct work *work)
{
    const struct fw_calibrate_for_settings *settings = &work->settings;
    const struct fw_program_options options = {.size = sizeof(options)};
    enum fw_status status =
        fw_session_program_read(&work->program, work->context, settings->file, &options);
    if (!status)
        status = fw_session_program_kernel(&work->kernel, work->program, settings->kernel);
    if (!status && !work->program->kernels->loops) {
        fw_session_file_error(work->program, "CAL011",
                              "the work remover takes a kernel of the kernel language (.knl); of "
                              "another, write measurement kernels by tags (forewarp generate)");
        return FW_ERROR_INPUT;
    }
    if (!status)
        status = fw_session_worker_new(&work->worker, work->program, work->kernel);
    for (size_t b = 0; b < settings->binding_count && !status; b++)
        status = add_size(work, settings->bindings[b]);
    return status;
}

static enum fw_status find_coverage(struct work *work)
{
    struct fw_source *source = FW_NEW(work->arena, struct fw_source);
    struct fw_cost_model *model;
    enum fw_status status =
        fw_session_read_file(source, work->arena, work->context, work->settings.model);
    if (!status)
        status = fw_cost_model_read(&model, work->arena, source, &work->context->sink);
    if (status)
        return status;
    return fw_coverage_find(&work->rows, work->arena, work->context, work->worker,
                            fw_cost_feature_names(model, work->arena), model->features.count);
}

/* ---- kernels ---- */

static bool is_part(const struct work *work, const char *array)
{
    for (size_t p = 0; p < work->parts.count; p++)
        if (strcmp(work->parts.at[p].word, array) == 0)
            return true;
    return false;
}

/* The kernel under a word: with the accesses of one array alone, or (NULL) of all arrays; or, not
 * stripped, as it is. */
static enum fw_status add_part(struct work *work, const char *word, const char *array, bool strip)
{
    FW_VECTOR(const char *) removed = {0};
    char *text;
    for (size_t r = 0; r < work->rows.count && array; r++)
        if (strcmp(work->rows.at[r].array, array) != 0)
            *FW_APPEND(work->arena, &removed) = work->rows.at[r].array;
    const struct fw_emit_settings settings = {.size = sizeof(settings),
                                              .target = "knl",
                                              .strip = strip,
                                              .removed = removed.at,
                                              .removed_count = removed.count};
    enum fw_status status = fw_program_emit(&text, work->program, work->settings.kernel, &settings);
    if (status)
        return status;
    *FW_APPEND(work->arena, &work->parts) =
        (struct fw_generate_part){word, fw_arena_text(work->arena, text, strlen(text))};
    fw_text_free(text);
    return FW_OK;
}

static enum fw_status write_kernels(struct work *work)
{
    const struct fw_sink *sink = &work->context->sink;
    const struct fw_generate_kernel kernel = {work->worker->row->name, work->parts.at,
                                              work->parts.count, work->sizes.at, work->sizes.count};
    const struct fw_generate_question everything = {0};
    fw_generators generators = {0};
    fw_generate_variants variants = {0};
    fw_generate_made_list made = {0};
    enum fw_status status =
        fw_generator_of_kernel(FW_APPEND(work->arena, &generators), work->arena, &kernel, sink);
    if (!status)
        status = fw_generate_choose(&variants, work->arena, &generators, &everything, sink);
    if (!status)
        status = fw_generate_make(&made, work->arena, work->scratch, work->poly, &variants, sink);
    if (!status)
        status = fw_generate_write(work->settings.output, &made, work->arena, sink);
    work->kernels = variants.count;
    return status;
}

static enum fw_status report(struct work *work)
{
    struct fw_buffer out = fw_buffer_new(work->arena);
    bool lacks = false;
    for (size_t r = 0; r < work->rows.count; r++) {
        const struct fw_coverage_row *row = &work->rows.at[r];
        lacks |= fw_coverage_lacks(row);
        fw_buffer_printf(&out, "%s of %s: %s\n", row->store ? "stores" : "loads", row->array,
                         !fw_coverage_lacks(row) ? "counted by the model's features"
                         : row->covered > 0
                             ? "counted in part"
                             : fw_arena_printf(work->arena,
                                               "not counted: a feature such as "
                                               "f_mem_access_array:%s_%s is needed",
                                               row->array, row->store ? "store" : "load"));
    }
    if (!lacks)
        fw_buffer_printf(&out, "every access is counted\n");
    if (work->kernels)
        fw_buffer_printf(&out, "%zu measurement kernel%s in %s\n", work->kernels,
                         work->kernels == 1 ? "" : "s", work->settings.output);
    work->text = fw_session_text(fw_text_shown_lines(work->arena, out.text, out.length));
    return work->text ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status make(void *user)
{
    struct work *work = user;
    enum fw_status status = open_kernel(work);
    if (!status)
        status = find_coverage(work);
    for (size_t r = 0; r < work->rows.count && !status; r++)
        if (fw_coverage_lacks(&work->rows.at[r]) && !is_part(work, work->rows.at[r].array))
            status = add_part(work, work->rows.at[r].array, work->rows.at[r].array, true);
    if (!status && work->settings.whole)
        status = add_part(work, "all", NULL, false);
    if (!status && work->settings.whole)
        status = add_part(work, "traffic", NULL, true);
    if (!status && work->parts.count && work->settings.output)
        status = write_kernels(work);
    return status ? status : report(work);
}

static void close_work(struct work *work)
{
    fw_session_worker_free(work->worker);
    fw_session_program_free(work->program);
    fw_poly_free(work->poly);
    fw_arena_free(work->scratch);
    fw_arena_free(work->arena);
}

enum fw_status fw_context_calibrate_for(char **text, const struct fw_context *context,
                                        const struct fw_calibrate_for_settings *settings)
{
    static const struct fw_session_limit limit = {.doing = "generating kernels", .many = true};
    struct work work = {.context = context};
    struct api_check check = api_check_begin(context, __func__);
    enum fw_status status = FW_ERROR_MEMORY;
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_pointer(&check, settings, "the settings");
    api_check_size(&check, settings, "the settings");
    fw_session_options(&work.settings, sizeof(work.settings), settings);
    api_check_text(&check, work.settings.model, "model");
    api_check_text(&check, work.settings.file, "file");
    api_check_texts(&check, work.settings.bindings, work.settings.binding_count, "bindings");
    if (check.status)
        return check.status;
    work.arena = fw_arena_new(context->memory);
    work.scratch = fw_arena_new(context->memory);
    work.poly = fw_poly_new();
    if (work.arena && work.scratch && work.poly)
        status = fw_session_guard_within(context, &limit, work.arena, work.scratch, make, &work);
    close_work(&work);
    *text = work.text;
    return status;
}
