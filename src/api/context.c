/* Contexts: where data lies, who hears diagnostics; and what all of the API needs. */
#include "api_check.h"
#include "feature.h"
#include "deadline.h"

#include <stdlib.h>
#include <string.h>

enum { RENDERED_MOST = 1 << 20, QUESTION_SECONDS = 10 };

const char *fw_version(void)
{
    return FW_VERSION;
}

const char *fw_model_name(size_t index)
{
    return fw_model_at(index) ? fw_model_at(index)->name : NULL;
}

const char *fw_model_summary(size_t index)
{
    return fw_model_at(index) ? fw_model_at(index)->summary : NULL;
}

static void hand_on(void *user, const struct fw_diagnostic *diagnostic)
{
    const struct fw_context *context = user;
    struct fw_message message = {.notes = diagnostic->notes,
                                 .note_count = diagnostic->note_count,
                                 .severity = (enum fw_message_severity)diagnostic->severity,
                                 .code = diagnostic->code,
                                 .text = diagnostic->message};
    struct fw_arena *arena = context->message ? fw_arena_new(RENDERED_MOST) : NULL;
    jmp_buf full;
    if (diagnostic->severity == FW_ERROR)
        fw_session_told_error();
    bool follows = diagnostic->severity == FW_ERROR && fw_deadline_is_over() &&
                   strcmp(diagnostic->code, "API090") != 0;
    if (!arena || follows) { /* of work that was cut short it is said only that it was */
        fw_arena_free(arena);
        return;
    }
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full) == 0)
        message.rendered = fw_diagnostic_render(arena, diagnostic);
    else
        message.rendered = "forewarp: error: a message is too long to be shown [API001]\n";
    if (diagnostic->span.source) {
        struct fw_position at = fw_span_position(diagnostic->span);
        message.file = diagnostic->span.source->name;
        message.line = at.line;
        message.column = at.column;
    }
    context->message(context->user, &message);
    fw_arena_free(arena);
}

enum fw_status fw_text_printable(char **printable, const char *text, bool lines)
{
    if (printable)
        *printable = NULL;
    if (!printable || !text)
        return FW_ERROR_USAGE;
    struct fw_arena *arena = fw_arena_new(0);
    jmp_buf full;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full) == 0) {
        size_t length = strlen(text);
        *printable = fw_session_text(lines ? fw_text_shown_lines(arena, text, length)
                                           : fw_text_shown(arena, text, length));
    }
    fw_arena_free(arena);
    return *printable ? FW_OK : FW_ERROR_MEMORY;
}

void fw_text_free(char *text)
{
    free(text);
}

static const char *copy_text(struct fw_arena *arena, const char *text)
{
    return text ? fw_arena_text(arena, text, strlen(text)) : NULL;
}

static const struct fw_feature_names *
copy_features(struct fw_arena *arena, const struct fw_own_feature *features, size_t count)
{
    struct fw_feature_names *names = FW_NEW(arena, struct fw_feature_names);
    struct fw_own_feature *own = FW_ARRAY(arena, struct fw_own_feature, count + 1);
    for (size_t f = 0; f < count; f++) {
        own[f] = features[f];
        own[f].name = copy_text(arena, features[f].name);
        own[f].granularity =
            features[f].granularity ? copy_text(arena, features[f].granularity) : "launch";
        own[f].unit = features[f].unit ? copy_text(arena, features[f].unit) : "";
    }
    *names = (struct fw_feature_names){own, count};
    return names;
}

enum fw_status fw_context_new(struct fw_context **context, const struct fw_context_options *options)
{
    enum { CONTEXT_MOST = 1 << 20 };
    struct fw_context_options all;
    struct api_check check = {NULL, "fw_context_new", FW_OK};
    jmp_buf full;
    if (context)
        *context = NULL;
    api_check_pointer(&check, context, "the result");
    api_check_size(&check, options, "the options");
    fw_session_options(&all, sizeof(all), options);
    api_check_optional(&check, all.data, "data");
    api_check_optional(&check, all.headers, "headers");
    api_check_optional(&check, all.cache, "cache");
    api_check_pointer(&check, all.feature_count ? (const void *)all.features : &check, "features");
    for (size_t f = 0; f < all.feature_count && !check.status; f++) {
        api_check_text(&check, all.features[f].name, "a feature's name");
        api_check_pointer(&check, all.features[f].value ? &check : NULL, "a feature's function");
    }
    if (check.status)
        return check.status;
    struct fw_arena *arena = fw_arena_new(CONTEXT_MOST);
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full)) {
        fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    struct fw_context *made = FW_NEW(arena, struct fw_context);
    made->arena = arena;
    made->message = all.message;
    made->user = all.user;
    made->memory = all.memory ? all.memory : (size_t)4 << 30;
    made->question_seconds = all.question_seconds < 0   ? 0
                             : all.question_seconds > 0 ? all.question_seconds
                                                        : QUESTION_SECONDS;
    made->run_seconds = all.run_seconds;
    made->run_end = all.run_seconds > 0 ? fw_deadline_after(all.run_seconds) : 0;
    made->data = copy_text(arena, all.data);
    made->profiles = all.data ? fw_arena_printf(arena, "%s/profiles", all.data) : NULL;
    made->headers = copy_text(arena, all.headers);
    made->cache = copy_text(arena, all.cache);
    made->sink = (struct fw_sink){hand_on, made};
    made->compilers = fw_session_compilers_new();
    made->features = copy_features(arena, all.features, all.feature_count);
    made->models = fw_model_states_new(all.data, made->features);
    fw_arena_on_exhausted(arena, NULL);
    if (!made->compilers || !made->models) {
        fw_session_compilers_free(made->compilers);
        fw_model_states_free(made->models);
        fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    *context = made;
    return FW_OK;
}

void fw_context_free(struct fw_context *context)
{
    if (!context)
        return;
    fw_session_compilers_free(context->compilers);
    fw_model_states_free(context->models);
    fw_arena_free(context->arena);
}
