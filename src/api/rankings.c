/* Rankings, as handles. */
#include "api_check.h"
#include "report.h"
#include "sweep.h"

enum fw_status fw_context_rank(struct fw_ranking **ranking, const struct fw_context *context,
                               const struct fw_rank_settings *settings)
{
    struct api_check check = api_check_begin(context, __func__);
    struct fw_rank_settings all;
    if (ranking)
        *ranking = NULL;
    api_check_pointer(&check, ranking, "the result");
    api_check_pointer(&check, settings, "the settings");
    api_check_size(&check, settings, "the settings");
    fw_session_options(&all, sizeof(all), settings);
    api_check_text(&check, all.path, "path");
    api_check_optional(&check, all.kernel, "kernel");
    api_check_texts(&check, all.vary, all.vary_count, "vary");
    api_check_texts(&check, all.bindings, all.binding_count, "bindings");
    api_check_optional(&check, all.journal, "journal");
    api_check_texts(&check, all.merge, all.merge_count, "merge");
    if (!check.status && (all.part > all.parts || (all.parts && !all.part)))
        check.status = FW_ERROR_USAGE;
    api_check_texts(&check, all.where, all.where_count, "where");
    api_check_optional(&check, all.grid_expression, "grid_expression");
    api_check_optional(&check, all.shared_expression, "shared_expression");
    api_check_optional(&check, all.best_for, "best_for");
    api_check_texts(&check, all.domain, all.domain_count, "domain");
    api_check_pointer(&check, all.device, "the device");
    api_check_program_options(&check, all.options);
    api_check_predict(&check, all.predict);
    return check.status ? check.status : fw_sweep_rank(ranking, context, settings);
}

void fw_ranking_free(struct fw_ranking *ranking)
{
    fw_sweep_free(ranking);
}

struct rendering {
    struct fw_arena *arena;
    const struct fw_ranking *ranking;
    struct fw_render_options options;
    size_t most;
    char *text;
};

static enum fw_status render(void *user)
{
    struct rendering *rendering = user;
    struct fw_buffer out = fw_buffer_new(rendering->arena);
    if (rendering->options.format == FW_FORMAT_JSON)
        fw_report_ranking_json(&out, rendering->ranking);
    else
        fw_report_ranking_text(&out, rendering->ranking, rendering->most,
                               rendering->options.colour);
    rendering->text = fw_session_text(out.text);
    return rendering->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_ranking_render(char **text, const struct fw_ranking *ranking, size_t most,
                                 const struct fw_render_options *options)
{
    const struct fw_context silent = {.message = NULL};
    struct api_check check = {NULL, __func__, FW_OK};
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_pointer(&check, ranking, "the ranking");
    api_check_render(&check, options);
    if (check.status)
        return check.status;
    struct rendering rendering = {
        .arena = fw_arena_new((size_t)4 << 30), .ranking = ranking, .most = most};
    if (!rendering.arena)
        return FW_ERROR_MEMORY;
    fw_session_options(&rendering.options, sizeof(rendering.options), options);
    enum fw_status status = fw_session_guard(&silent, rendering.arena, NULL, render, &rendering);
    fw_arena_free(rendering.arena);
    *text = rendering.text;
    return status;
}
