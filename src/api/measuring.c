/* Measuring on real devices, and the store of what was measured. */
#include "api_check.h"
#include "campaign.h"
#include "report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct measuring {
    const struct fw_context *context;
    struct fw_arena *arena;
    struct fw_measure_settings settings;
    struct fw_campaign_result result;
    /* for the store's own work: */
    const char *store, *path, *campaign, *order;
    struct fw_store_outcome outcome;
    bool json;
    char *text;
};

/* Of what a store holds nothing is left half done: no allocation looks at the clock, campaigns do
 * between two records. */
static const struct fw_session_limit many = {.doing = "working on the store", .many = true};

static struct fw_arena *unhurried_arena(const struct fw_context *context)
{
    struct fw_arena *arena = fw_arena_new(context->memory);
    if (arena)
        fw_arena_unhurried(arena);
    return arena;
}

static void tell(void *user, const struct fw_campaign_progress *progress)
{
    const struct measuring *measuring = user;
    struct fw_measure_progress told = {progress->name,   progress->reason, progress->done,
                                       progress->failed, progress->left,   progress->seconds_left};
    measuring->settings.progress(measuring->settings.user, &told);
}

static enum fw_status measure(void *user)
{
    struct measuring *measuring = user;
    const struct fw_measure_settings *from = &measuring->settings;
    struct fw_campaign campaign = {
        .from = from->from,
        .program = from->program,
        .store = from->store,
        .name = from->campaign,
        .backend = from->backend,
        .recording = from->recording,
        .plan = from->plan,
        .ptx = from->ptx,
        .sizes = from->sizes,
        .kernels = from->kernels,
        .device = from->device,
        .trials = from->trials,
        .settle_seconds = from->has_settle ? from->settle_seconds : -1,
        .energy_seconds = from->energy_seconds,
        .limit_seconds = from->limit_seconds,
        .most_bytes = from->most_bytes,
        .cold = from->cold,
        .restore = from->restore,
        .retry = from->retry,
        .compile = {.data = measuring->context->headers, .cache = measuring->context->cache},
        .tell = from->progress ? tell : NULL,
        .user = measuring};
    return fw_campaign_run(&measuring->result, &campaign, measuring->arena,
                           &measuring->context->sink);
}

static void check_settings(struct api_check *check, const struct fw_measure_settings *settings)
{
    static const double most_seconds = 1e9, most_bytes = 1e18;
    api_check_text(check, settings->from, "from, a list or a plan,");
    api_check_optional(check, settings->plan, "plan");
    if (!settings->plan) {
        api_check_text(check, settings->program, "program");
        api_check_text(check, settings->store, "store");
    }
    api_check_optional(check, settings->backend, "backend");
    api_check_optional(check, settings->recording, "recording");
    api_check_optional(check, settings->ptx, "ptx");
    api_check_optional(check, settings->sizes, "sizes");
    api_check_optional(check, settings->kernels, "kernels");
    api_check_number(check, settings->settle_seconds, most_seconds, "settle_seconds");
    api_check_number(check, settings->energy_seconds, most_seconds, "energy_seconds");
    api_check_number(check, settings->limit_seconds, most_seconds, "limit_seconds");
    api_check_number(check, settings->most_bytes, most_bytes, "most_bytes");
}

enum fw_status fw_context_measure(struct fw_measure_result *result,
                                  const struct fw_context *context,
                                  const struct fw_measure_settings *settings)
{
    struct api_check check = api_check_begin(context, __func__);
    struct measuring measuring = {.context = context};
    fw_session_options(&measuring.settings, sizeof(measuring.settings), settings);
    if (result)
        *result = (struct fw_measure_result){0};
    api_check_pointer(&check, result, "the result");
    api_check_pointer(&check, settings, "the settings");
    api_check_size(&check, settings, "the settings");
    check_settings(&check, &measuring.settings);
    if (check.status)
        return check.status;
    measuring.arena = unhurried_arena(context);
    if (!measuring.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status =
        fw_session_guard_within(context, &many, measuring.arena, NULL, measure, &measuring);
    const struct fw_campaign_result *from = &measuring.result;
    *result = (struct fw_measure_result){.configurations = from->configurations,
                                         .done = from->done,
                                         .failed = from->failed,
                                         .known = from->known,
                                         .left_out = from->left_out};
    snprintf(result->campaign, sizeof(result->campaign), "%s", from->name ? from->name : "");
    fw_arena_free(measuring.arena);
    return status;
}

static struct fw_store_change change_of(const struct fw_store_outcome *outcome)
{
    return (struct fw_store_change){outcome->measurements, outcome->counters, outcome->replaced,
                                    outcome->known, outcome->files};
}

/* What the functions of a store take: a place for their result, the store, a path or none, and a
 * campaign or none. */
static enum fw_status check_store(const struct fw_context *context, const char *function,
                                  struct fw_store_change *change, const char *store,
                                  const char *path, const char *campaign)
{
    struct api_check check = api_check_begin(context, function);
    if (change)
        *change = (struct fw_store_change){0};
    api_check_pointer(&check, change, "the result");
    api_check_text(&check, store, "the store");
    api_check_text(&check, path, "the path");
    if (!check.status && campaign)
        check.status = fw_store_check_campaign(campaign, &context->sink);
    return check.status;
}

/* Opens the store, works, closes it; `change` may be NULL. */
static enum fw_status with_store(struct measuring *measuring, struct fw_store_change *change,
                                 enum fw_status (*work)(struct measuring *, struct fw_store *))
{
    struct fw_store *store;
    enum fw_status status = fw_store_open(&store, measuring->store, &measuring->context->sink);
    if (!status)
        status = work(measuring, store);
    fw_store_close(store);
    if (change)
        *change = change_of(&measuring->outcome);
    return status;
}

static enum fw_status import(struct measuring *measuring, struct fw_store *store)
{
    return fw_store_import(&measuring->outcome, store, measuring->path, measuring->campaign);
}

enum fw_status fw_context_store_import(struct fw_store_change *change,
                                       const struct fw_context *context, const char *store,
                                       const char *path, const char *campaign)
{
    struct measuring measuring = {
        .context = context, .store = store, .path = path, .campaign = campaign};
    enum fw_status status = check_store(context, __func__, change, store, path, campaign);
    if (status)
        return status;
    if ((status = fw_store_records_readable(path, &context->sink)) != FW_OK)
        return status;
    return with_store(&measuring, change, import);
}

static enum fw_status export(struct measuring *measuring, struct fw_store *store) {
    return fw_store_export(&measuring->outcome, store, measuring->path, measuring->campaign);
}

/* A store that only gives must be there (else FW_ERROR_MACHINE), and hold something: an empty file
 * is never an answer (FW_ERROR_INPUT). */
static enum fw_status check_there(const struct fw_context *context, const char *store)
{
    struct stat about;
    if (stat(store, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0) {
        fw_session_error(context, "API051",
                         "the store %s is empty: nothing was ever stored in it, or all is lost",
                         store);
        return FW_ERROR_INPUT;
    }
    if (access(store, F_OK) == 0)
        return FW_OK;
    fw_report_file(&context->sink, FW_ERROR, "API051", store,
                   "there is no such store (--store names another)");
    return FW_ERROR_MACHINE;
}

enum fw_status fw_context_store_export(struct fw_store_change *change,
                                       const struct fw_context *context, const char *store,
                                       const char *folder, const char *campaign)
{
    struct measuring measuring = {
        .context = context, .store = store, .path = folder, .campaign = campaign};
    enum fw_status status = check_store(context, __func__, change, store, folder, campaign);
    if (status)
        return status;
    status = check_there(context, store);
    return status ? status : with_store(&measuring, change, export);
}

static enum fw_status add_counters(struct measuring *measuring, struct fw_store *store)
{
    struct fw_source text, order;
    const struct fw_sink *sink = &measuring->context->sink;
    enum fw_status status = fw_store_read_file(&text, measuring->arena, measuring->path, sink);
    if (!status && measuring->order)
        status = fw_store_read_file(&order, measuring->arena, measuring->order, sink);
    return status ? status
                  : fw_store_add_counters(&measuring->outcome, store, measuring->campaign, &text,
                                          measuring->order ? &order : NULL);
}

static enum fw_status counters(void *user)
{
    return with_store(user, NULL, add_counters);
}

enum fw_status fw_context_store_counters(struct fw_store_change *change,
                                         const struct fw_context *context, const char *store,
                                         const char *path, const char *order, const char *campaign)
{
    enum fw_status status = check_store(context, __func__, change, store, path, campaign);
    struct api_check check = {context, __func__, status};
    api_check_pointer(&check, campaign, "the campaign");
    api_check_optional(&check, order, "the order");
    if (check.status)
        return check.status;
    struct measuring measuring = {.context = context,
                                  .arena = unhurried_arena(context),
                                  .store = store,
                                  .path = path,
                                  .order = order,
                                  .campaign = campaign};
    if (!measuring.arena)
        return FW_ERROR_MEMORY;
    status = check_there(context, store);
    if (!status)
        status =
            fw_session_guard_within(context, &many, measuring.arena, NULL, counters, &measuring);
    fw_arena_free(measuring.arena);
    *change = change_of(&measuring.outcome);
    return status;
}

enum fw_status fw_context_store_rebuild(struct fw_store_change *change,
                                        const struct fw_context *context, const char *store,
                                        const char *folder)
{
    struct fw_store_outcome outcome = {0};
    enum fw_status status = check_store(context, __func__, change, store, folder, NULL);
    if (status)
        return status;
    status = fw_store_rebuild(&outcome, store, folder, &context->sink);
    *change = change_of(&outcome);
    return status;
}

static enum fw_status list(struct measuring *measuring, struct fw_store *store)
{
    struct fw_store_campaign *campaigns;
    struct fw_buffer text = fw_buffer_new(measuring->arena);
    size_t count;
    enum fw_status status = fw_store_campaigns(&campaigns, &count, store, measuring->arena);
    if (status)
        return status;
    struct fw_campaign_row *rows = FW_ARRAY(measuring->arena, struct fw_campaign_row, count + 1);
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct fw_campaign_row){
            campaigns[i].name, campaigns[i].device, campaigns[i].driver, campaigns[i].backend,
            campaigns[i].done, campaigns[i].failed, campaigns[i].counted};
    if (measuring->json)
        fw_report_campaigns_json(&text, rows, count);
    else
        fw_report_campaigns_text(&text, rows, count);
    measuring->text = fw_session_text(text.text);
    return measuring->text ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status list_guarded(void *user)
{
    return with_store(user, NULL, list);
}

enum fw_status fw_context_store_list(char **text, const struct fw_context *context,
                                     const char *store, bool json)
{
    struct api_check check = api_check_begin(context, __func__);
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_text(&check, store, "the store");
    if (check.status)
        return check.status;
    struct measuring measuring = {
        .context = context, .arena = unhurried_arena(context), .store = store, .json = json};
    if (!measuring.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = check_there(context, store);
    if (!status)
        status = fw_session_guard_within(context, &many, measuring.arena, NULL, list_guarded,
                                         &measuring);
    fw_arena_free(measuring.arena);
    *text = measuring.text;
    return status;
}
