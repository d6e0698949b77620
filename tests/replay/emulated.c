/* Predictions from emulated blocks against recorded durations, beside those from defaults.
 *
 * usage: emulated ROOT [--accept]
 * Predicts the medium and large launches of kernels/launches.json whose branches or trip counts
 * depend on data, once with defaults and once with a sample of emulated blocks, whose arrays hold
 * what the recording's held (the generators of kernels/README.md), and compares both with
 * gpu__time_duration of data/h200/kernels.jsonl.  Writes docs/emulated-accuracy.md with --accept,
 * else compares with it.  Fails where the median error with emulated blocks is above 20%. */
#include "forewarp.h"
#include "recorded.h"
#include "signature.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 128, MOST_ARGUMENTS = 32 };

/* The median error that is allowed with emulated blocks. */
static const double most_error = 20;

struct outcome {
    char name[64];
    char size[8];
    double measured, usual, emulated; /* seconds */
    unsigned long long blocks, blocks_run;
};

struct setup {
    struct fw_arena *arena;
    const char *root;
    const struct fw_context *context;
    const struct fw_device *device;
};

static const char *source_of(const struct setup *setup, const char *file, size_t *length)
{
    FILE *from = fopen(fw_arena_printf(setup->arena, "%s/kernels/%s", setup->root, file), "rb");
    struct fw_buffer text = fw_buffer_new(setup->arena);
    char part[4096];
    size_t got;
    while (from && (got = fread(part, 1, sizeof(part), from)) > 0)
        fw_buffer_add(&text, part, got);
    if (from)
        fclose(from);
    *length = text.length;
    return from ? text.text : NULL;
}

/* What the recording's buffer held, as --arg has it; NULL: a fill that there is none for. */
static const char *content(struct fw_arena *arena, const json_t *buffer, size_t position)
{
    const char *type = json_string_value(json_object_get(buffer, "type"));
    const char *fill = json_string_value(json_object_get(buffer, "fill"));
    const json_t *high = json_object_get(buffer, "high");
    const bool whole = strchr("su", *type) != NULL;
    double low = json_number_value(json_object_get(buffer, "low"));
    const char *start = fw_arena_printf(arena, "%zu=%s[%lld]", position, type,
                                        json_integer_value(json_object_get(buffer, "count")));
    if (strcmp(fill, "zero") == 0)
        return fw_arena_printf(arena, "%s:zero", start);
    if (strcmp(fill, "ramp") == 0)
        return fw_arena_printf(arena, "%s:ramp(%.17g,%.17g,%.17g)", start, low,
                               json_number_value(json_object_get(buffer, "step")),
                               json_number_value(json_object_get(buffer, "jitter")));
    if (strcmp(fill, "random") == 0 && (high || !whole))
        return fw_arena_printf(arena, "%s:random(%.17g,%.17g),position=%zu", start, low,
                               (high ? json_number_value(high) : 1) - whole, position);
    return NULL;
}

static uint32_t dimension(const json_t *launch, const char *which, size_t d)
{
    return (uint32_t)json_integer_value(json_array_get(json_object_get(launch, which), d));
}

/* Binds the launch's numbers by position, and fills `contents` with what its arrays hold. */
static bool bind(const struct setup *setup, struct fw_worker *worker, const json_t *launch,
                 const struct fw_signature *signature, const char **contents, size_t *count)
{
    for (size_t p = 0; p < signature->parameters.count; p++) {
        const char *name = signature->parameters.at[p].name;
        const json_t *value = json_object_get(json_object_get(launch, "arguments"), name);
        const json_t *buffer = json_object_get(json_object_get(launch, "buffers"), name);
        if (buffer && *count < MOST_ARGUMENTS &&
            !(contents[(*count)++] = content(setup->arena, buffer, p)))
            return false;
        if (value && fw_worker_bind(
                         worker, fw_arena_printf(setup->arena,
                                                 json_is_integer(value) ? "%zu=%.0f" : "%zu=%.17g",
                                                 p, json_number_value(value))))
            return false;
    }
    return true;
}

static bool leans(const struct fw_answer *answer)
{
    for (size_t u = 0; u < answer->unknown_count; u++)
        if (strcmp(answer->unknowns[u].kind, "taken") == 0 ||
            strcmp(answer->unknowns[u].kind, "trips") == 0)
            return true;
    return false;
}

static bool predict(const struct setup *setup, const json_t *launch, struct outcome *outcome,
                    bool *skipped)
{
    struct fw_arena *arena = setup->arena;
    struct fw_program *program = NULL;
    struct fw_worker *worker = NULL;
    const struct fw_kernel *handle;
    const struct fw_answer *answer;
    const char *file = json_string_value(json_object_get(launch, "file"));
    const char *kernel = json_string_value(json_object_get(launch, "kernel"));
    const char *contents[MOST_ARGUMENTS];
    size_t length, count = 0;
    struct fw_signatures signatures;
    const char *source = source_of(setup, file, &length);
    char *base = fw_arena_printf(arena, "%s", file);
    bool good = false;
    *strrchr(base, '.') = '\0';
    *skipped = false;
    if (!source)
        return false;
    fw_signatures_read(&signatures, arena, source, length, false);
    const struct fw_signature *signature = fw_signature_find(&signatures, kernel, SIZE_MAX);
    const char *ptx = fw_arena_printf(arena, "%s/tests/golden/kernels/%s.ptx", setup->root, base);
    if (!signature || fw_program_read(&program, setup->context, ptx, NULL) ||
        fw_program_kernel(&handle, program, kernel) || fw_worker_new(&worker, program, handle))
        goto out;
    fw_worker_set_grid(worker, dimension(launch, "grid", 0), dimension(launch, "grid", 1),
                       dimension(launch, "grid", 2));
    fw_worker_set_block(worker, dimension(launch, "block", 0), dimension(launch, "block", 1),
                        dimension(launch, "block", 2));
    fw_worker_set_shared(worker, (uint64_t)json_integer_value(json_object_get(launch, "shared")));
    if (!bind(setup, worker, launch, signature, contents, &count))
        goto out;
    const struct fw_emulate_settings emulate = {
        .size = sizeof(emulate), .arguments = contents, .argument_count = count};
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "traffic"};
    if (fw_worker_predict(&answer, worker, setup->device, &settings))
        goto out;
    outcome->usual = answer->predictions[0].seconds;
    *skipped = !leans(answer);
    settings.emulate = &emulate;
    good = *skipped || fw_worker_predict(&answer, worker, setup->device, &settings) == FW_OK;
    if (good && !*skipped) {
        outcome->emulated = answer->predictions[0].seconds;
        outcome->blocks = answer->emulation->blocks;
        outcome->blocks_run = answer->emulation->blocks_run;
    }
out:
    if (!good)
        printf("not predicted: %s\n", kernel);
    fw_worker_free(worker);
    fw_program_free(program);
    return good;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In percent; of an even number the greater of the two in the middle. */
static double error_at(const struct outcome *rows, size_t count, bool emulated, double share)
{
    double errors[MOST_ROWS];
    for (size_t r = 0; r < count; r++)
        errors[r] =
            100 * fabs((emulated ? rows[r].emulated : rows[r].usual) / rows[r].measured - 1);
    qsort(errors, count, sizeof(*errors), by_value);
    return count ? errors[(size_t)(share * (double)(count - 1) + 0.5)] : 100;
}

static void write_page(struct fw_buffer *page, const struct outcome *rows, size_t count)
{
    fw_buffer_printf(
        page,
        "# Accuracy of predictions from emulated blocks\n\n"
        "`emulated . --accept` made this page from `data/h200/kernels.jsonl`; a test recomputes "
        "it.\nThe launches are those of the example kernels, at medium and large size, whose "
        "branches or trip\ncounts depend on data. Arrays hold what the recording's held "
        "(`kernels/README.md`). No measurement\nof these kernels enters a prediction. "
        "`emulated.md` says what `predict --emulate` does.\n\n"
        "| values of unknowns | launches | median error | 90th percentile |\n|---|---|---|---|\n");
    for (int emulated = 0; emulated < 2; emulated++)
        fw_buffer_printf(
            page, "| %s | %zu | %.1f%% | %.0f%% |\n", emulated ? "emulated blocks" : "defaults",
            count, error_at(rows, count, emulated, 0.5), error_at(rows, count, emulated, 0.9));
    fw_buffer_printf(page, "\nRatios are predicted over measured time.\n\n| kernel | size | "
                           "measured | defaults | emulated | blocks that ran |\n"
                           "|---|---|---|---|---|---|\n");
    for (size_t r = 0; r < count; r++)
        fw_buffer_printf(page, "| %s | %s | %.3g ms | %.2f | %.2f | %llu of %llu |\n", rows[r].name,
                         rows[r].size, rows[r].measured * 1e3, rows[r].usual / rows[r].measured,
                         rows[r].emulated / rows[r].measured, rows[r].blocks_run, rows[r].blocks);
}

static size_t predict_all(const struct setup *setup, const json_t *launches, FILE *data,
                          struct outcome *rows, bool *good)
{
    size_t count = 0;
    json_t *row;
    while (count < MOST_ROWS && (row = json_loadf(data, JSON_DISABLE_EOF_CHECK, NULL))) {
        const json_t *launch = recorded_launch(launches, row);
        const char *size = json_string_value(json_object_get(row, "size"));
        struct outcome *outcome = &rows[count];
        if (launch && strcmp(size, "small") != 0 &&
            json_is_true(json_object_get(launch, "data_dependent"))) {
            const json_t *order = json_object_get(launch, "buffers");
            const char *name;
            json_t *buffer;
            bool skipped = false;
            json_object_foreach((json_t *)(uintptr_t)order, name, buffer)
            {
                const char *fill = json_string_value(json_object_get(buffer, "fill"));
                /* What has these depends on data by addresses alone. */
                skipped |= strcmp(fill, "permutation") == 0 || strcmp(fill, "cycle") == 0;
            }
            snprintf(outcome->name, sizeof(outcome->name), "%s",
                     json_string_value(json_object_get(row, "kernel")));
            snprintf(outcome->size, sizeof(outcome->size), "%s", size);
            outcome->measured = json_number_value(
                json_object_get(json_object_get(row, "counters"), "gpu__time_duration.sum"));
            bool done = skipped || predict(setup, launch, outcome, &skipped);
            *good = *good && done;
            count += done && !skipped;
        }
        json_decref(row);
    }
    return count;
}

int main(int argc, char **argv)
{
    static struct outcome rows[MOST_ROWS];
    bool good = true, accept = argc > 2 && strcmp(argv[2], "--accept") == 0;
    if (argc < 2)
        return 2;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_context_options options = {
        .size = sizeof(options), .data = argv[1], .question_seconds = -1};
    struct fw_context *context;
    struct fw_device *device;
    json_t *launches =
        json_load_file(fw_arena_printf(arena, "%s/kernels/launches.json", argv[1]), 0, NULL);
    FILE *data = fopen(fw_arena_printf(arena, "%s/data/h200/kernels.jsonl", argv[1]), "r");
    if (!launches || !data || fw_context_new(&context, &options) ||
        fw_context_device(&device, context, "h200"))
        return 2;
    const struct setup setup = {arena, argv[1], context, device};
    size_t count = predict_all(&setup, launches, data, rows, &good);
    fclose(data);
    json_decref(launches);
    struct fw_buffer page = fw_buffer_new(arena);
    write_page(&page, rows, count);
    bool same = recorded_page(
        arena, fw_arena_printf(arena, "%s/docs/emulated-accuracy.md", argv[1]), &page, accept);
    double emulated = error_at(rows, count, true, 0.5);
    bool close = count > 0 && emulated <= most_error;
    printf("%zu launches; median error by defaults %.1f%%, from emulated blocks %.1f%% (at most "
           "%.0f%%); page %s\n",
           count, error_at(rows, count, false, 0.5), emulated, most_error,
           same ? "as committed" : "differs: run with --accept and review");
    printf("%d passed, %d failed\n", good + same + close, !good + !same + !close);
    fw_context_device_free(device);
    fw_context_free(context);
    fw_arena_free(arena);
    return good && same && close ? 0 : 1;
}
