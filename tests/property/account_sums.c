/* The account of the model trace over all example kernels: its parts add up to the time, the lines
 * of the source add up to the time, part by part, and making it changes no answer.
 *
 * usage: account-sums ROOT */
#include "../replay/example_launch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* What is wrong; NULL: nothing. */
static const char *check(const struct fw_prediction *prediction)
{
    double all = 0, lines = 0;
    bool named = false;
    for (size_t a = 0; a < prediction->account_count; a++) {
        double sum = 0;
        all += prediction->account[a].seconds;
        for (size_t c = 0; c < prediction->code_count; c++)
            sum += prediction->code[c].parts[a];
        if (!near(sum, prediction->account[a].seconds))
            return "the lines of a part do not add up to it";
        if (prediction->account[a].seconds < 0)
            return "a part is negative";
    }
    for (size_t c = 0; c < prediction->code_count; c++) {
        lines += prediction->code[c].seconds;
        named |= prediction->code[c].file != NULL && prediction->code[c].line > 0;
    }
    if (!prediction->account_count || !near(all, prediction->seconds))
        return "the parts do not add up to the time";
    if (!near(lines, prediction->seconds))
        return "the lines do not add up to the time";
    return named && prediction->has_code_lines ? NULL : "no line has a name";
}

static const char *check_launch(struct fw_arena *arena, const char *root,
                                const struct fw_context *context, const struct fw_device *device,
                                const json_t *launch)
{
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "trace"};
    struct example_launch example;
    const struct fw_answer *answer;
    const char *wrong = "there is no prediction";
    if (!example_launch_open(&example, arena, root, context, launch) ||
        fw_worker_predict(&answer, example.worker, device, &settings))
        goto out;
    double seconds = answer->predictions[0].seconds;
    wrong = check(&answer->predictions[0]);
    settings.brief = true;
    if (!wrong && (fw_worker_predict(&answer, example.worker, device, &settings) ||
                   answer->predictions[0].account_count))
        wrong = "a brief answer has an account";
    if (!wrong && !near(answer->predictions[0].seconds, seconds))
        wrong = "the account changes the time";
out:
    example_launch_close(&example);
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0;
    if (argc < 2)
        return 2;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_context_options options = {.size = sizeof(options), .data = argv[1]};
    struct fw_context *context;
    struct fw_device *device;
    json_t *launches =
        json_load_file(fw_arena_printf(arena, "%s/kernels/launches.json", argv[1]), 0, NULL);
    if (!launches || fw_context_new(&context, &options) ||
        fw_context_device(&device, context, "h200"))
        return 2;
    for (size_t l = 0; l < json_array_size(launches); l++) {
        const json_t *launch = json_array_get(launches, l);
        if (strcmp(json_string_value(json_object_get(launch, "size")), "large") == 0)
            continue;
        const char *wrong = check_launch(arena, argv[1], context, device, launch);
        if (wrong)
            printf("FAIL %s, %s: %s\n", json_string_value(json_object_get(launch, "kernel")),
                   json_string_value(json_object_get(launch, "size")), wrong);
        failed += wrong != NULL;
        passed += !wrong;
    }
    json_decref(launches);
    fw_context_device_free(device);
    fw_context_free(context);
    fw_arena_free(arena);
    printf("%u passed, %u failed\n", passed, failed);
    return failed || passed < 200 ? 1 : 0;
}
