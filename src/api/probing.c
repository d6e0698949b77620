/* Probing: what to run on a device, and the profile of what was recorded. */
#include "api_check.h"
#include "probe_plan.h"
#include "probe_profile.h"
#include "device_report.h"

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
        fw_report_file(&work->context->sink, FW_ERROR, "PRB005", work->settings->recording,
                       "it is not said how many multiprocessors, how much memory%s the device has",
                       device->cuda ? " and what compute capability" : "");
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
        fw_session_read_file(&source, work->arena, work->context, work->settings->recording);
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

static void report(const struct work *work, const struct fw_probe_result *result,
                   struct fw_buffer *out)
{
    size_t missing = result->missing.count, findings = result->findings.count;
    struct fw_probe_missing_row *lacking =
        FW_ARRAY(work->arena, struct fw_probe_missing_row, missing + 1);
    struct fw_probe_finding_row *found =
        FW_ARRAY(work->arena, struct fw_probe_finding_row, findings + 1);
    struct fw_probe_report probe = {.probed = &result->device,
                                    .compared = work->settings->compare,
                                    .missing = lacking,
                                    .missing_count = missing,
                                    .findings = found,
                                    .finding_count = findings};
    for (size_t i = 0; i < missing; i++)
        lacking[i] = (struct fw_probe_missing_row){
            fw_figure_row(result->missing.at[i].figure)->name, result->missing.at[i].why};
    for (size_t i = 0; i < findings; i++) {
        const struct fw_probe_finding *one = &result->findings.at[i];
        found[i] =
            (struct fw_probe_finding_row){one->name, one->unit, one->value, one->low, one->high};
    }
    probe.failures = fw_probe_recording_failures(work->recording, &probe.failure);
    fw_report_probe_text(out, &probe);
}

static enum fw_status profile(void *user)
{
    struct work *work = user;
    struct fw_probe_result result;
    struct fw_device *again;
    struct fw_source source;
    struct fw_buffer out = fw_buffer_new(work->arena);
    enum fw_status status =
        fw_session_read_file(&source, work->arena, work->context, work->settings->recording);
    if (!status)
        status = fw_probe_recording_read(&work->recording, work->arena, source.name, source.text,
                                         source.length, &work->context->sink);
    if (status)
        return status;
    fw_probe_profile(&result, work->arena, work->recording, name_for(work));
    if (work->settings->like && !fw_probe_complete(&result, work->arena, work->settings->like)) {
        fw_report_file(&work->context->sink, FW_ERROR, "PRB007", work->settings->recording,
                       "the device is not of the compute capability of %s",
                       work->settings->like->name);
        return FW_ERROR_INPUT;
    }
    /* What a device says of itself may contradict itself: a profile of that could not be read. */
    fw_device_print(&result.device, &out);
    status = fw_device_parse(&again, work->arena, "the profile", out.text, out.length,
                             &work->context->sink);
    if (status)
        return status;
    if (!work->settings->json) {
        out = fw_buffer_new(work->arena);
        report(work, &result, &out);
    }
    *work->text = fw_session_text(out.text);
    return *work->text ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status run(struct work *work, enum fw_status (*what)(void *user))
{
    work->arena = fw_arena_new(PROBE_MOST);
    if (!work->arena)
        return FW_ERROR_MEMORY;
    static const struct fw_session_limit limit = {.doing = "probing", .many = true};
    enum fw_status status =
        fw_session_guard_within(work->context, &limit, work->arena, NULL, what, work);
    fw_probe_recording_close(work->recording);
    fw_arena_free(work->arena);
    return status;
}

/* Copies the settings, and checks them. */
static struct api_check check_settings(struct fw_probe_settings *copy,
                                       const struct fw_context *context, const char *function,
                                       const struct fw_probe_settings *settings)
{
    struct api_check check = api_check_begin(context, function);
    fw_session_options(copy, sizeof(*copy), settings);
    api_check_pointer(&check, settings, "the settings");
    api_check_size(&check, settings, "the settings");
    api_check_text(&check, copy->recording, "recording");
    api_check_optional(&check, copy->name, "name");
    return check;
}

enum fw_status
fw_context_probe_plan(const struct fw_context *context, const struct fw_probe_settings *settings,
                      void (*take)(void *user, const char *name, const char *text, size_t length),
                      void *user)
{
    struct fw_probe_settings copy;
    struct api_check check = check_settings(&copy, context, __func__, settings);
    if (!take && !check.status)
        api_check_pointer(&check, NULL, "the function that takes files");
    struct work work = {.context = context, .settings = &copy, .take = take, .user = user};
    return check.status ? check.status : run(&work, plan);
}

enum fw_status fw_context_probe_profile(char **text, const struct fw_context *context,
                                        const struct fw_probe_settings *settings)
{
    struct fw_probe_settings copy;
    struct api_check check = check_settings(&copy, context, __func__, settings);
    struct work work = {.context = context, .settings = &copy, .text = text};
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    return check.status ? check.status : run(&work, profile);
}
