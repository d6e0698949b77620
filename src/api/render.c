/* Answers as text. */
#include "api_check.h"
#include "report.h"
#include "timeline_svg.h"

struct rendering {
    struct fw_arena *arena;
    const struct fw_answer *answer;         /* NULL: */
    const struct fw_device_answer *devices; /* these */
    size_t device_count;
    struct fw_render_options options;
    char *text;
};

static enum fw_status render(void *user)
{
    struct rendering *rendering = user;
    struct fw_buffer out = fw_buffer_new(rendering->arena);
    bool json = rendering->options.format == FW_FORMAT_JSON;
    if (rendering->devices && json)
        fw_report_devices_compared_json(&out, rendering->devices, rendering->device_count);
    else if (rendering->devices)
        fw_report_devices_compared_text(&out, rendering->devices, rendering->device_count);
    else if (json)
        fw_report_json(&out, rendering->answer);
    else
        fw_report_text(&out, rendering->answer, &rendering->options);
    rendering->text = fw_session_text(out.text);
    return rendering->text ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status render_all(char **text, struct rendering *rendering,
                                 const struct fw_render_options *options)
{
    const struct fw_context silent = {.message = NULL};
    rendering->arena = fw_arena_new((size_t)4 << 30);
    if (!rendering->arena)
        return FW_ERROR_MEMORY;
    fw_session_options(&rendering->options, sizeof(rendering->options), options);
    enum fw_status status = fw_session_guard(&silent, rendering->arena, NULL, render, rendering);
    fw_arena_free(rendering->arena);
    *text = rendering->text;
    return status;
}

enum fw_status fw_answer_render(char **text, const struct fw_answer *answer,
                                const struct fw_render_options *options)
{
    struct api_check check = {NULL, __func__, FW_OK};
    struct rendering rendering = {.answer = answer};
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_pointer(&check, answer, "the answer");
    api_check_render(&check, options);
    return check.status ? check.status : render_all(text, &rendering, options);
}

enum fw_status fw_answers_render(char **text, const struct fw_device_answer *answers, size_t count,
                                 const struct fw_render_options *options)
{
    struct api_check check = {NULL, __func__, FW_OK};
    struct rendering rendering = {.devices = answers, .device_count = count};
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_pointer(&check, answers, "the answers");
    for (size_t a = 0; answers && a < count; a++) {
        api_check_text(&check, answers[a].device, "device");
        if (!answers[a].answer)
            api_check_text(&check, answers[a].failure, "failure");
    }
    api_check_render(&check, options);
    return check.status ? check.status : render_all(text, &rendering, options);
}

static enum fw_status draw(void *user)
{
    struct rendering *rendering = user;
    struct fw_buffer out = fw_buffer_new(rendering->arena);
    fw_report_timeline_svg(&out, rendering->answer);
    rendering->text = fw_session_text(out.text);
    return rendering->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_answer_timeline_svg(char **svg, const struct fw_answer *answer)
{
    const struct fw_context silent = {.message = NULL};
    struct api_check check = {NULL, __func__, FW_OK};
    if (svg)
        *svg = NULL;
    api_check_pointer(&check, svg, "the result");
    api_check_pointer(&check, answer, "the answer");
    if (check.status)
        return check.status;
    if (!answer->trace || !answer->trace->timeline)
        return FW_ERROR_USAGE;
    struct rendering rendering = {.arena = fw_arena_new((size_t)4 << 30), .answer = answer};
    if (!rendering.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = fw_session_guard(&silent, rendering.arena, NULL, draw, &rendering);
    fw_arena_free(rendering.arena);
    *svg = rendering.text;
    return status;
}
