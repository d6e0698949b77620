/* Any bytes are two recorded answers, or are refused with a diagnostic; what changed between them
 * is shown as text and as JSON, and nothing changes between an answer and itself. */
#include "fuzzing.h"

#include "diff_report.h"

#include <jansson.h>

static enum fw_status compare(struct fw_diff *diff, struct fw_arena *arena, const char *a,
                              const char *b)
{
    const struct fw_source answers[] = {{"a", a, strlen(a)}, {"b", b, strlen(b)}};
    const struct fw_diff_side sides[] = {
        {.name = "a", .answers = &answers[0], .answer_count = 1, .code = &answers[0]},
        {.name = "b", .answers = &answers[1], .answer_count = 1, .code = &answers[1]}};
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    enum fw_status status = fw_diff_find(diff, arena, sides, 2, &sink);
    if ((status == FW_OK) != (errors == 0))
        fail("status and diagnostics do not agree");
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)1 << 30);
    char *rest = fw_arena_text(arena, (const char *)data, size);
    char *a = fuzz_part(&rest), *b = rest ? rest : a;
    struct fw_diff diff;
    json_error_t error;
    const struct fw_source source = {"a", a, strlen(a)};
    fw_diff_is_answer(&source);
    if (compare(&diff, arena, a, b) == FW_OK) {
        struct fw_buffer text = fw_buffer_new(arena), json = fw_buffer_new(arena);
        fw_report_diff_text(&text, &diff, false);
        fw_report_diff_json(&json, &diff);
        json_t *root = json_loadb(json.text, json.length, 0, &error);
        if (!root)
            fail("what changed is no JSON");
        json_decref(root);
        if (compare(&diff, arena, a, a) != FW_OK || diff.changed)
            fail("an answer differs from itself");
    }
    fw_arena_free(arena);
    return 0;
}
