/* Probing: what to run on a device, and the profile of what was recorded. */
#include "api_internal.h"
#include "probe_plan.h"
#include "probe_profile.h"
#include "report.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum { PROBE_MOST = (size_t)1 << 30, LONGEST_NAME = 64 };

struct work {
    const struct fw_context *context;
    struct fw_arena *arena;
    const struct fw_probe_settings *settings;
    struct fw_probe_recording *recording;
    void (*take)(void *user, const char *name, const char *text, size_t length);
    void *user;
    char **text;
};

/* What the plan needs to know of a device, from its setup record. */
static enum fw_status describe(struct fw_probe_device *device, const struct work *work)
{
    const struct fw_probe_recording *recording = work->recording;
    const char *backend = fw_probe_recording_text(recording, "backend");
    double units = fw_probe_recording_attribute(recording, "multiprocessors");
    double major = fw_probe_recording_attribute(recording, "compute_capability_major");
    double minor = fw_probe_recording_attribute(recording, "compute_capability_minor");
    double memory = fw_probe_recording_number(recording, "memory_bytes");
    device->cuda = backend && strcmp(backend, "cuda") == 0;
    if (!(units >= 1 && units <= 65536) || !(memory >= 1 << 20 && memory < 1e15) ||
        (device->cuda && !(major >= 1 && major < 100))) {
        api_error(work->context, "PRB005",
                  "%s does not say how many multiprocessors, how much memory%s the device has",
                  work->settings->recording, device->cuda ? " and what compute capability" : "");
        return FW_ERROR_INPUT;
    }
    device->multiprocessors = (unsigned)units;
    device->memory_bytes = (uint64_t)memory;
    device->capability = device->cuda ? (unsigned)(10 * major + (minor > 0 ? minor : 0)) : 0;
    device->energy = device->cuda && !work->settings->quick;
    device->small = work->settings->quick;
    return FW_OK;
}

static enum fw_status plan(void *user)
{
    struct work *work = user;
    struct fw_probe_device device = {0};
    struct fw_probe_files files = {0};
    struct fw_source source;
    enum fw_status status =
        api_read_file(&source, work->arena, work->context, work->settings->recording);
    if (!status)
        status = fw_probe_recording_setup(&work->recording, work->arena, source.name, source.text,
                                          source.length, &work->context->sink);
    if (!status)
        status = describe(&device, work);
    if (status)
        return status;
    fw_probe_plan(&files, work->arena, &device);
    for (size_t i = 0; i < files.rows.count; i++)
        work->take(work->user, files.rows.at[i].name, files.rows.at[i].text,
                   files.rows.at[i].length);
    return FW_OK;
}

/* A profile's name from the device's own: letters and digits in lower case, the rest dashes. */
static const char *name_for(struct work *work)
{
    const char *given = work->settings->name;
    const char *own = fw_probe_recording_text(work->recording, "device");
    struct fw_buffer name = fw_buffer_new(work->arena);
    for (const char *at = given ? ""
                          : own ? own
                                : "probed";
         *at && name.length < LONGEST_NAME; at++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!plain && (name.length == 0 || name.text[name.length - 1] == '-'))
            continue;
        fw_buffer_add(&name, plain ? &c : "-", 1);
    }
    return given ? given : name.length ? name.text : "probed";
}

static const char *shown(struct work *work, const struct fw_figure_value *figure,
                         const struct fw_figure_row *row)
{
    struct fw_buffer text = fw_buffer_new(work->arena);
    if (!figure->known)
        return "";
    if (row->shape == FW_FIGURE_SHAPE_COUNT || row->shape == FW_FIGURE_SHAPE_NUMBER)
        fw_buffer_printf(&text, "%.6g", figure->value);
    for (size_t i = 0; row->shape == FW_FIGURE_SHAPE_LIST && i < figure->count; i++)
        fw_buffer_printf(&text, i ? " %.6g" : "%.6g", figure->list[i]);
    for (size_t i = 0; row->shape == FW_FIGURE_SHAPE_POINTS && i < figure->count; i++)
        fw_buffer_printf(&text, i ? ", (%.6g, %.4g)" : "(%.6g, %.4g)", figure->list[2 * i],
                         figure->list[2 * i + 1]);
    return text.text;
}

/* The probed figures beside another profile's. */
static void print_compared(struct work *work, const struct fw_probe_result *result,
                           struct fw_buffer *out)
{
    const struct fw_device *mine = &result->device, *other = work->settings->compare;
    struct fw_table_text table = {.arena = work->arena, .sides = "lrrrll"};
    const char *const head[] = {"figure", "probed", other->name, "ratio", "unit", "from"};
    for (size_t i = 0; i < 6; i++)
        fw_table_cell(&table, "%s", head[i]);
    for (int f = 0; f < FW_FIGURE_COUNT; f++) {
        const struct fw_figure_row *row = fw_figure_row((enum fw_figure)f);
        bool single = row->shape == FW_FIGURE_SHAPE_COUNT || row->shape == FW_FIGURE_SHAPE_NUMBER;
        if (!single || !mine->figures[f].known)
            continue;
        fw_table_cell(&table, "%s", row->name);
        fw_table_cell(&table, "%s", shown(work, &mine->figures[f], row));
        fw_table_cell(&table, "%s", shown(work, &other->figures[f], row));
        if (other->figures[f].known && other->figures[f].value != 0)
            fw_table_cell(&table, "%.3f", mine->figures[f].value / other->figures[f].value);
        else
            fw_table_cell(&table, "%s", "");
        fw_table_cell(&table, "%s", strcmp(row->unit, "1") ? row->unit : "");
        fw_table_cell(&table, "%s",
                      other->figures[f].known ? fw_figure_source_text(other->figures[f].source)
                                              : "");
    }
    fw_table_print(&table, out);
}

static void print_figures(struct work *work, const struct fw_probe_result *result,
                          struct fw_buffer *out)
{
    struct fw_table_text table = {.arena = work->arena, .sides = "llll"};
    for (int f = 0; f < FW_FIGURE_COUNT; f++) {
        const struct fw_figure_value *figure = &result->device.figures[f];
        const struct fw_figure_row *row = fw_figure_row((enum fw_figure)f);
        if (!figure->known)
            continue;
        fw_table_cell(&table, "%s", row->name);
        fw_table_cell(&table, "%s", shown(work, figure, row));
        fw_table_cell(&table, "%s", strcmp(row->unit, "1") ? row->unit : "");
        fw_table_cell(&table, "%s", figure->note);
    }
    fw_table_print(&table, out);
}

static void print_rest(struct work *work, const struct fw_probe_result *result,
                       struct fw_buffer *out)
{
    struct fw_table_text missing = {.arena = work->arena, .sides = "ll"};
    struct fw_table_text findings = {.arena = work->arena, .sides = "lrlr"};
    const char *reason;
    size_t failures = fw_probe_recording_failures(work->recording, &reason);
    if (failures)
        fw_buffer_printf(out, "\n%zu configurations failed; the first: %s\n", failures, reason);
    for (size_t i = 0; i < result->missing.count; i++) {
        fw_table_cell(&missing, "%s", fw_figure_row(result->missing.at[i].figure)->name);
        fw_table_cell(&missing, "%s", result->missing.at[i].why);
    }
    if (result->missing.count) {
        fw_buffer_printf(out, "\nNot determined\n");
        fw_table_print(&missing, out);
    }
    for (size_t i = 0; i < result->findings.count; i++) {
        const struct fw_probe_finding *one = &result->findings.at[i];
        fw_table_cell(&findings, "%s", one->name);
        fw_table_cell(&findings, "%.5g", one->value);
        fw_table_cell(&findings, "%s", one->unit);
        fw_table_cell(&findings, "%.2g%%", 100 * (one->high - one->low) / one->value);
    }
    if (result->findings.count) {
        fw_buffer_printf(out, "\nMeasured beside the figures, with the spread of its trials\n");
        fw_table_print(&findings, out);
    }
}

static enum fw_status profile(void *user)
{
    struct work *work = user;
    struct fw_probe_result result;
    struct fw_device *again;
    struct fw_source source;
    struct fw_buffer out = fw_buffer_new(work->arena);
    enum fw_status status =
        api_read_file(&source, work->arena, work->context, work->settings->recording);
    if (!status)
        status = fw_probe_recording_read(&work->recording, work->arena, source.name, source.text,
                                         source.length, &work->context->sink);
    if (status)
        return status;
    fw_probe_profile(&result, work->arena, work->recording, name_for(work));
    /* What a device says of itself may contradict itself: a profile of that could not be read. */
    fw_device_print(&result.device, &out);
    status = fw_device_parse(&again, work->arena, "the profile", out.text, out.length,
                             &work->context->sink);
    if (status)
        return status;
    if (!work->settings->json) {
        out = fw_buffer_new(work->arena);
        fw_buffer_printf(&out, "%s: %s\n%s\n\n", result.device.name, result.device.title,
                         result.device.about);
        if (work->settings->compare)
            print_compared(work, &result, &out);
        else
            print_figures(work, &result, &out);
        print_rest(work, &result, &out);
    }
    *work->text = api_text(out.text);
    return *work->text ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status run(struct work *work, enum fw_status (*what)(void *user))
{
    work->arena = fw_arena_new(PROBE_MOST);
    if (!work->arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = api_guard(work->context, work->arena, NULL, what, work);
    fw_probe_recording_close(work->recording);
    fw_arena_free(work->arena);
    return status;
}

enum fw_status
fw_context_probe_plan(const struct fw_context *context, const struct fw_probe_settings *settings,
                      void (*take)(void *user, const char *name, const char *text, size_t length),
                      void *user)
{
    struct fw_probe_settings copy;
    api_options(&copy, sizeof(copy), settings);
    struct work work = {.context = context, .settings = &copy, .take = take, .user = user};
    return run(&work, plan);
}

enum fw_status fw_context_probe_profile(char **text, const struct fw_context *context,
                                        const struct fw_probe_settings *settings)
{
    struct fw_probe_settings copy;
    api_options(&copy, sizeof(copy), settings);
    struct work work = {.context = context, .settings = &copy, .text = text};
    *text = NULL;
    return run(&work, profile);
}
