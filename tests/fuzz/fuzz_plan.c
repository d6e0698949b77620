/* Any bytes are read as a plan of forewarp-measure, or refused with a place; small buffers are
 * filled, and each configuration has a fingerprint. */
#include "fuzzing.h"
#include "measure_plan.h"

enum { LARGEST_FILL = 1 << 16 };

static void fill(const struct fw_argument *argument, uint64_t position)
{
    if (argument->kind != FW_ARGUMENT_BUFFER || argument->bytes > LARGEST_FILL ||
        argument->fill == FW_FILL_UNTOUCHED)
        return;
    void *bytes = malloc(argument->bytes + 1);
    if (!bytes)
        fail("there is no memory");
    fw_buffer_fill(argument, position, bytes);
    if (!fw_buffer_has_order(argument) && argument->count > 2)
        fw_buffer_fill_part(argument, position, 1, argument->count - 2, bytes);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_plan plan;
    struct fw_reason reason = {""};
    char *text = malloc(size + 1);
    if (!text)
        fail("there is no memory");
    memcpy(text, data, size);
    text[size] = '\0';
    bool good = fw_plan_read(&plan, "a/fuzz.plan", text, &reason);
    if (!good && strncmp(reason.text, "a/fuzz.plan:", 12) != 0)
        fail("refused without a place");
    for (size_t c = 0; good && c < plan.count; c++) {
        fw_configuration_fingerprint(&plan.configurations[c], "source");
        free(fw_plan_source(&plan, &plan.configurations[c]));
        for (size_t a = 0; a < plan.configurations[c].argument_count; a++)
            fill(&plan.configurations[c].arguments[a], a);
    }
    fw_plan_free(&plan);
    free(text);
    return 0;
}
