/* What changed between answers. */
#include "api_check.h"
#include "diff_report.h"

#include <string.h>

enum { SIDES_MOST = 26 };

struct diffing {
    const struct fw_context *context;
    struct fw_arena *arena;
    const struct fw_diff_input *inputs;
    size_t count;
    struct fw_render_options options;
    char *text;
};

/* A source's code, where lines of answers are lines of it: told are no failures, for the answer
 * stands without. */
static const struct fw_source *read_code(struct diffing *diffing, const char *path)
{
    const struct fw_context quiet = {.memory = diffing->context->memory};
    struct fw_source *source = FW_NEW(diffing->arena, struct fw_source);
    return path && strcmp(path, "-") != 0 &&
                   fw_session_read_file(source, diffing->arena, &quiet, path) == FW_OK
               ? source
               : NULL;
}

static enum fw_status make_side(struct diffing *diffing, struct fw_diff_side *side,
                                const struct fw_diff_input *input)
{
    struct fw_source *sources = FW_ARRAY(diffing->arena, struct fw_source, input->answer_count + 1);
    *side = (struct fw_diff_side){.name = input->name, .answers = sources};
    for (size_t a = 0; a < input->answer_count; a++)
        sources[side->answer_count++] =
            (struct fw_source){input->name, input->answers[a], strlen(input->answers[a])};
    side->code = read_code(diffing, input->code);
    return input->path ? fw_session_read_file(&sources[side->answer_count++], diffing->arena,
                                              diffing->context, input->path)
                       : FW_OK;
}

static enum fw_status find(void *user)
{
    struct diffing *diffing = user;
    struct fw_diff_side *sides = FW_ARRAY(diffing->arena, struct fw_diff_side, diffing->count);
    struct fw_buffer out = fw_buffer_new(diffing->arena);
    struct fw_diff diff;
    enum fw_status status = FW_OK;
    for (size_t s = 0; s < diffing->count && !status; s++)
        status = make_side(diffing, &sides[s], &diffing->inputs[s]);
    if (!status)
        status =
            fw_diff_find(&diff, diffing->arena, sides, diffing->count, &diffing->context->sink);
    if (status)
        return status;
    if (diffing->options.format == FW_FORMAT_JSON)
        fw_report_diff_json(&out, &diff);
    else
        fw_report_diff_text(&out, &diff, diffing->options.colour);
    diffing->text = fw_session_text(out.text);
    return diffing->text ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_context_diff(char **text, const struct fw_context *context,
                               const struct fw_diff_input *inputs, size_t count,
                               const struct fw_render_options *options)
{
    struct api_check check = api_check_begin(context, __func__);
    if (text)
        *text = NULL;
    api_check_pointer(&check, text, "the result");
    api_check_array(&check, inputs, count, "the sides");
    api_check_choice(&check, (unsigned)count, SIDES_MOST + 1, "the number of sides");
    for (size_t i = 0; i < count && inputs && !check.status; i++) {
        api_check_text(&check, inputs[i].name, "a side's name");
        api_check_texts(&check, inputs[i].answers, inputs[i].answer_count, "answers");
        api_check_optional(&check, inputs[i].path, "path");
        api_check_optional(&check, inputs[i].code, "code");
        api_check_pointer(&check, inputs[i].path || inputs[i].answer_count ? &check : NULL,
                          "a side's answer");
    }
    api_check_render(&check, options);
    if (check.status)
        return check.status;
    struct diffing diffing = {
        .context = context, .arena = fw_arena_new(context->memory), .inputs = inputs, count};
    if (!diffing.arena)
        return FW_ERROR_MEMORY;
    fw_session_options(&diffing.options, sizeof(diffing.options), options);
    enum fw_status status = fw_session_guard(context, diffing.arena, NULL, find, &diffing);
    fw_arena_free(diffing.arena);
    *text = diffing.text;
    return status;
}

struct looking {
    const struct fw_context *context;
    struct fw_arena *arena;
    const char *path;
    bool is;
};

static enum fw_status look(void *user)
{
    struct looking *looking = user;
    struct fw_source source;
    enum fw_status status =
        fw_session_read_file(&source, looking->arena, looking->context, looking->path);
    looking->is = !status && fw_diff_is_answer(&source);
    return status;
}

enum fw_status fw_context_is_answer(bool *is, const struct fw_context *context, const char *path)
{
    struct api_check check = api_check_begin(context, __func__);
    api_check_pointer(&check, is, "the result");
    api_check_text(&check, path, "the path");
    if (check.status)
        return check.status;
    struct looking looking = {context, fw_arena_new(context->memory), path, false};
    if (!looking.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = fw_session_guard(context, looking.arena, NULL, look, &looking);
    fw_arena_free(looking.arena);
    *is = looking.is;
    return status;
}
