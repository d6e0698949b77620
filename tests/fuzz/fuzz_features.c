/* Any lines are read as identifiers of features and, behind a line "%%", as rows of accesses that
 * they choose from: six numbers a row, for space, direction, type, two strides (0x8000000000000000:
 * not known) and the ratio in tenths (0: not known). */
#include "feature_value.h"
#include "fuzzing.h"

#include <math.h>

enum { LINES_MOST = 200, ROWS_MOST = 50 };

static void add_row(struct fw_arena *arena, struct fw_feature_rows *rows, const char *text)
{
    static const char *const names[] = {NULL, "a", "b_x", "load"};
    long long at[6] = {0};
    sscanf(text, "%lli %lli %lli %lli %lli %lli", &at[0], &at[1], &at[2], &at[3], &at[4], &at[5]);
    struct fw_feature_access *row = FW_APPEND(arena, &rows->accesses);
    *row = (struct fw_feature_access){.space = (enum fw_space)((uint64_t)at[0] % FW_SPACE_COUNT),
                                      .direction = (enum fw_direction)((uint64_t)at[1] % 4),
                                      .type = (enum fw_type)((uint64_t)at[2] % FW_TYPE_COUNT),
                                      .array = names[(uint64_t)at[5] % 4],
                                      .tag = names[(uint64_t)at[5] / 4 % 4],
                                      .has_thread_strides = at[3] != INT64_MIN,
                                      .has_block_strides = at[4] != INT64_MIN,
                                      .thread_strides = {at[3], at[4], 0},
                                      .block_strides = {at[4], at[3], 1},
                                      .count = 1,
                                      .ratio = at[5] ? (double)at[5] / 10 : (double)NAN,
                                      .access = FW_NONE};
}

static void ask(struct fw_arena *arena, struct fw_feature_source *source, const char *text)
{
    struct fw_feature feature, again;
    unsigned errors = 0;
    double value = -1;
    const struct fw_sink sink = {hear, &errors};
    enum fw_status status = fw_feature_read(&feature, arena, text, (struct fw_span){0}, &sink);
    if ((status != FW_OK) != (errors == 1))
        fail("an identifier's status and diagnostics do not agree");
    if (status)
        return;
    if (fw_feature_read(&again, arena, feature.name, (struct fw_span){0}, NULL) ||
        again.kind != feature.kind)
        fail("a feature's name is not read as itself");
    status = fw_feature_value(&value, &feature, source, (struct fw_span){0}, &sink);
    if ((status != FW_OK) != (errors == 1))
        fail("a value's status and diagnostics do not agree");
    if (!status && !(isfinite(value) && value >= 0))
        fail("a feature is not a number from 0");
    if (!status && feature.kind == FW_FEATURE_MEMORY &&
        value > (double)source->rows->accesses.count)
        fail("a feature counts more than there is");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct fw_feature_parameter parameters[] = {{"n", 64}, {"m_x", INT64_MIN}};
    struct fw_arena *arena = fw_arena_new(0);
    char *rest = fw_arena_text(arena, (const char *)data, size), *line = fuzz_part(&rest), *next;
    struct fw_feature_rows rows = {.layer = "domain",
                                   .barriers = 2,
                                   .flops = 7,
                                   .blocks = 10,
                                   .block_threads = 96,
                                   .warp = 32};
    *FW_APPEND(arena, &rows.operations) =
        (struct fw_feature_operation){"madd", FW_TYPE_F32, true, 1};
    for (size_t p = 0; p < sizeof(parameters) / sizeof(*parameters); p++)
        *FW_APPEND(arena, &rows.parameters) = parameters[p];
    for (int r = 0; rest && *rest && r < ROWS_MOST; r++) {
        next = strchr(rest, '\n');
        if (next)
            *next = '\0';
        add_row(arena, &rows, rest);
        rest = next ? next + 1 : NULL;
    }
    struct fw_feature_source source = {.arena = arena, .rows = &rows};
    for (int l = 0; line && l < LINES_MOST; l++) {
        next = strchr(line, '\n');
        if (next)
            *next = '\0';
        rows.layer = l % 2 ? "ptx" : "domain";
        ask(arena, &source, line);
        line = next ? next + 1 : NULL;
    }
    fw_arena_free(arena);
    return 0;
}
