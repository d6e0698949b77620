/* Features: which there are. */
#include "api_check.h"
#include "feature.h"
#include "json_writer.h"
#include "report.h"
#include "table.h"

struct listing {
    struct fw_arena *arena;
    bool json;
    char *text;
};

static void as_json(struct fw_buffer *out)
{
    struct fw_json_writer json = fw_json_writer_new(out);
    fw_json_object(&json, NULL);
    fw_json_text(&json, "forewarp", fw_version());
    fw_json_integer(&json, "format", FW_REPORT_FORMAT);
    fw_json_array(&json, "features");
    for (int k = 0; k < FW_FEATURE_KIND_COUNT; k++) {
        const struct fw_feature_about *about = fw_feature_about((enum fw_feature_kind)k);
        fw_json_object(&json, NULL);
        fw_json_text(&json, "identifier", about->identifier);
        fw_json_text(&json, "granularity", about->granularity);
        fw_json_text(&json, "unit", about->unit);
        fw_json_text(&json, "layer", about->layer);
        fw_json_text(&json, "about", about->about);
        fw_json_object_end(&json);
    }
    fw_json_array_end(&json);
    fw_json_object_end(&json);
    fw_buffer_add(out, "\n", 1);
}

static void as_text(struct fw_buffer *out)
{
    for (int k = 0; k < FW_FEATURE_KIND_COUNT; k++) {
        const struct fw_feature_about *about = fw_feature_about((enum fw_feature_kind)k);
        fw_buffer_printf(out, "%s%s\n  %s\n  counted by %s%s%s, layer %s\n", k ? "\n" : "",
                         about->identifier, about->about, about->granularity,
                         *about->unit ? ", in " : "", about->unit, about->layer);
    }
}

static enum fw_status list(void *user)
{
    struct listing *listing = user;
    struct fw_buffer out = fw_buffer_new(listing->arena);
    if (listing->json)
        as_json(&out);
    else
        as_text(&out);
    listing->text = fw_session_text(out.text);
    return listing->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_context_feature_list(char **text, const struct fw_context *context, bool json)
{
    struct api_check check = api_check_begin(context, __func__);
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    if (check.status)
        return check.status;
    struct listing listing = {.arena = fw_arena_new(context->memory), .json = json};
    if (!listing.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = fw_session_guard(context, listing.arena, NULL, list, &listing);
    fw_arena_free(listing.arena);
    *text = listing.text;
    return status;
}
