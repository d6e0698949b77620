/* Answers as text. */
#include "api_check.h"
#include "report.h"

struct rendering {
    struct fw_arena *arena;
    const struct fw_answer *answer;
    struct fw_render_options options;
    char *text;
};

static enum fw_status render(void *user)
{
    struct rendering *rendering = user;
    struct fw_buffer out = fw_buffer_new(rendering->arena);
    if (rendering->options.format == FW_FORMAT_JSON)
        fw_report_json(&out, rendering->answer);
    else
        fw_report_text(&out, rendering->answer, rendering->options.colour,
                       rendering->options.quantities_first);
    rendering->text = fw_session_text(out.text);
    return rendering->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_answer_render(char **text, const struct fw_answer *answer,
                                const struct fw_render_options *options)
{
    const struct fw_context silent = {.message = NULL};
    struct api_check check = {NULL, __func__, FW_OK};
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_pointer(&check, answer, "the answer");
    api_check_render(&check, options);
    if (check.status)
        return check.status;
    struct rendering rendering = {.arena = fw_arena_new((size_t)4 << 30), .answer = answer};
    if (!rendering.arena)
        return FW_ERROR_MEMORY;
    fw_session_options(&rendering.options, sizeof(rendering.options), options);
    enum fw_status status = fw_session_guard(&silent, rendering.arena, NULL, render, &rendering);
    fw_arena_free(rendering.arena);
    *text = rendering.text;
    return status;
}
