/* Tables of features: the launches of a list beside measurements. */
#include "api_table.h"

#include "feature.h"
#include "feature_table.h"
#include "launches_reader.h"
#include "store.h"

#include <string.h>
#include <sys/stat.h>

/* ---- where from ---- */

/* A folder stands for its launches.json. */
static const char *list_path(struct fw_arena *arena, const char *path)
{
    struct stat about;
    bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    return folder ? fw_arena_printf(arena, "%s/launches.json", path) : path;
}

static enum fw_status only_campaign(const char **name, const struct api_table *table,
                                    struct fw_store *store)
{
    struct fw_store_campaign *campaigns;
    size_t count;
    enum fw_status status = fw_store_campaigns(&campaigns, &count, store, table->arena);
    if (status)
        return status;
    if (count == 1) {
        *name = campaigns[0].name;
        return FW_OK;
    }
    const char **notes = FW_ARRAY(table->arena, const char *, count + 1);
    for (size_t c = 0; c < count; c++)
        notes[c] = fw_arena_printf(table->arena, "--campaign '%s'", campaigns[c].name);
    fw_report_notes(&table->context->sink, FW_ERROR, "CAL008", (struct fw_span){0}, notes, count,
                    "%s has %zu campaigns: name one", table->store, count);
    return FW_ERROR_USAGE;
}

static enum fw_status read_store(struct fw_source *source, const struct api_table *table)
{
    struct fw_buffer text = fw_buffer_new(table->arena);
    struct stat about;
    struct fw_store *store;
    const char *campaign = table->campaign;
    if (stat(table->store, &about) != 0) {
        fw_report_file(&table->context->sink, FW_ERROR, "CAL009", table->store,
                       "there is no such store: forewarp measure makes one, --measured FILE takes "
                       "records");
        return FW_ERROR_MACHINE;
    }
    enum fw_status status = fw_store_open(&store, table->store, &table->context->sink);
    if (!status && !campaign)
        status = only_campaign(&campaign, table, store);
    if (!status)
        status = fw_store_text(&text, store, campaign);
    fw_store_close(store);
    *source = (struct fw_source){campaign, text.text ? text.text : "", text.length};
    return status;
}

static enum fw_status read_measurements(struct fw_measurements *measurements,
                                        const struct api_table *table)
{
    struct fw_source *source = FW_NEW(table->arena, struct fw_source);
    enum fw_status status = table->measured ? fw_session_read_file(source, table->arena,
                                                                   table->context, table->measured)
                                            : read_store(source, table);
    return status ? status
                  : fw_measurements_read(measurements, table->arena, source, &table->context->sink);
}

/* ---- tables ---- */

/* The profile of the table's device, where a feature needs one. */
static enum fw_status find_device(const struct fw_device **device, const struct api_table *table,
                                  const char *const *features, size_t count)
{
    const struct fw_context *context = table->context;
    bool needed = false;
    *device = table->device;
    for (size_t f = 0; f < count; f++) {
        struct fw_feature feature;
        enum fw_status status =
            fw_feature_find(&feature, table->arena, features[f], context->features,
                            (struct fw_span){0}, &context->sink);
        if (status)
            return status;
        needed |= fw_feature_needs_code(feature.kind);
    }
    if (!needed || *device || !table->device_name)
        return FW_OK;
    struct fw_device *found;
    enum fw_status status =
        fw_device_find(&found, table->arena, table->device_name, &context->profiles,
                       context->profiles ? 1 : 0, &context->sink);
    *device = found;
    return status;
}

/* The launches of all lists, in their order. */
static enum fw_status read_launches(struct fw_launch_items *all, const struct api_table *table)
{
    enum fw_status status = FW_OK;
    *all = (struct fw_launch_items){0};
    for (size_t l = 0; l < table->launch_count && !status; l++) {
        const char *path = list_path(table->arena, table->launches[l]);
        struct fw_source *source = FW_NEW(table->arena, struct fw_source);
        struct fw_launch_items items;
        status = fw_session_read_file(source, table->arena, table->context, path);
        if (!status)
            status = fw_launches_read(&items, table->arena, source, path, &table->context->sink);
        for (size_t i = 0; i < items.count && !status; i++)
            *FW_APPEND(table->arena, all) = items.at[i];
    }
    return status;
}

/* The same of stated features. */
static enum fw_status table_of_features(struct fw_buffer *csv, const struct api_table *table,
                                        const char *const *features, size_t count,
                                        const char *output)
{
    const struct fw_sink *sink = &table->context->sink;
    struct fw_measurements measurements;
    struct fw_launch_items launches;
    struct fw_feature_table made;
    const struct fw_device *device;
    bool measured = output && (table->measured || table->store);
    enum fw_status status = find_device(&device, table, features, count);
    if (!status)
        status = read_launches(&launches, table);
    if (!status && measured)
        status = read_measurements(&measurements, table);
    const struct fw_feature_table_question question = {.launches = &launches,
                                                       .path = table->launches[0],
                                                       .features = features,
                                                       .feature_count = count,
                                                       .output = measured ? output : NULL,
                                                       .measurements =
                                                           measured ? &measurements : NULL,
                                                       .device = device};
    if (!status)
        status = fw_feature_table_make(&made, csv, table->context, &question);
    if (!status && made.unmeasured + made.failed)
        fw_report(sink, FW_WARNING, "CAL007", (struct fw_span){0},
                  "%zu of %zu launches are left out: %zu were not measured, %zu failed",
                  made.unmeasured + made.failed, launches.count, made.unmeasured, made.failed);
    if (!status && made.leaning)
        fw_report(sink, FW_WARNING, "CAL012", (struct fw_span){0},
                  "features of %zu of %zu launches depend on branches or trip counts that data "
                  "decide: defaults stand for them (forewarp features FILE names them)",
                  made.leaning, made.rows);
    return status;
}

enum fw_status api_table_of_model(struct fw_buffer *csv, const struct api_table *table,
                                  const struct fw_cost_model *model)
{
    const char *const *names = fw_cost_feature_names(model, table->arena);
    return table_of_features(csv, table, names, model->features.count, model->output);
}

/* ---- the call ---- */

struct tabling {
    struct api_table table;
    const struct fw_feature_table_settings *settings;
    char *text; /* result */
};

static enum fw_status make(void *user)
{
    struct tabling *tabling = user;
    const struct fw_feature_table_settings *settings = tabling->settings;
    struct fw_buffer csv = fw_buffer_new(tabling->table.arena);
    struct fw_cost_model *model = NULL;
    struct fw_source *source = FW_NEW(tabling->table.arena, struct fw_source);
    enum fw_status status = FW_OK;
    if (settings->cost)
        status = fw_session_read_file(source, tabling->table.arena, tabling->table.context,
                                      settings->cost);
    if (!status && settings->cost)
        status =
            fw_cost_model_read(&model, tabling->table.arena, source, &tabling->table.context->sink);
    if (status)
        return status;
    status = model ? api_table_of_model(&csv, &tabling->table, model)
                   : table_of_features(&csv, &tabling->table, settings->features,
                                       settings->feature_count, settings->output);
    if (status)
        return status;
    tabling->text = fw_session_text(csv.text);
    return tabling->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_context_feature_table(char **text, const struct fw_context *context,
                                        const struct fw_feature_table_settings *settings)
{
    static const struct fw_session_limit limit = {.doing = "counting features", .many = true};
    struct fw_feature_table_settings all;
    struct api_check check = api_check_begin(context, __func__);
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_pointer(&check, settings, "the settings");
    api_check_size(&check, settings, "the settings");
    fw_session_options(&all, sizeof(all), settings);
    api_check_text(&check, all.launch_count ? all.launches[0] : NULL, "launches");
    api_check_texts(&check, all.launches, all.launch_count, "launches");
    api_check_texts(&check, all.features, all.feature_count, "features");
    if (check.status)
        return check.status;
    struct tabling tabling = {.settings = &all,
                              .table = {.context = context,
                                        .arena = fw_arena_new(context->memory),
                                        .launches = all.launches,
                                        .launch_count = all.launch_count,
                                        .measured = all.measured,
                                        .store = all.store,
                                        .campaign = all.campaign,
                                        .device = all.device}};
    if (!tabling.table.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status =
        fw_session_guard_within(context, &limit, tabling.table.arena, NULL, make, &tabling);
    fw_arena_free(tabling.table.arena);
    *text = status ? NULL : tabling.text;
    if (status)
        fw_text_free(tabling.text);
    return status;
}
