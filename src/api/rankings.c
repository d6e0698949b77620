/* Rankings, as handles. */
#include "report.h"
#include "sweep.h"

enum fw_status fw_context_rank(struct fw_ranking **ranking, const struct fw_context *context,
                               const struct fw_rank_settings *settings)
{
    return fw_sweep_rank(ranking, context, settings);
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
    struct rendering rendering = {
        .arena = fw_arena_new((size_t)4 << 30), .ranking = ranking, .most = most};
    *text = NULL;
    if (!rendering.arena)
        return FW_ERROR_MEMORY;
    fw_session_options(&rendering.options, sizeof(rendering.options), options);
    enum fw_status status = fw_session_guard(&silent, rendering.arena, NULL, render, &rendering);
    fw_arena_free(rendering.arena);
    *text = rendering.text;
    return status;
}
