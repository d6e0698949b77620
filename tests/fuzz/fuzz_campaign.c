/* Any bytes are read as a list of launches and, behind a line "%%", the source of its kernels.  The
 * plan that a campaign makes of them has a configuration for each of its launches and no more:
 * texts of the list stay texts.  forewarp-measure reads it, or refuses it for its numbers. */
#include "campaign_internal.h"
#include "fuzzing.h"
#include "measure_plan.h"

static void check_plan(const char *path, size_t launches)
{
    struct fw_growing text = {0};
    struct fw_plan plan;
    struct fw_reason reason = {""};
    size_t opened = 0;
    if (!fw_file_read(&text, path, &reason))
        fail("the plan cannot be read back");
    if (strlen(text.text) != text.length)
        fail("a plan with a zero byte");
    for (const char *at = text.text; (at = strstr(at, "\nconfiguration \"")) != NULL; at++)
        opened++;
    if (fw_plan_read(&plan, path, text.text, &reason) ? plan.count != launches
                                                      : opened != launches) {
        fprintf(stderr, "%zu of %zu: %s\n%s", plan.count, launches, reason.text, text.text);
        fail("a campaign's plan is of other launches");
    }
    fw_plan_free(&plan);
    free(text.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    char *rest = fw_arena_text(arena, (const char *)data, size), *list = fuzz_part(&rest);
    const char *source = rest ? rest : "kernel void k(global float *a, int n) { a[0] = n; }\n";
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    const char *folder = fuzz_folder(), *plan = fw_arena_printf(arena, "%s/plan", folder);
    const struct fw_campaign campaign = {.from = fuzz_file("launches.json", list, strlen(list)),
                                         .backend = size % 2 ? "opencl" : "cuda",
                                         .plan = plan,
                                         .ptx = folder,
                                         .settle_seconds = -1};
    struct fw_campaign_result result;
    fuzz_file("k.cl", source, strlen(source));
    fuzz_file("k.ptx", source, strlen(source));
    enum fw_status status = fw_campaign_run(&result, &campaign, arena, &sink);
    if (!status)
        check_plan(plan, result.configurations);
    if (status == FW_ERROR_INPUT && !errors)
        fail("refused without a diagnostic");
    fw_arena_free(arena);
    return 0;
}
