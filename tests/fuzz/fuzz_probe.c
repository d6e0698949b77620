/* Any bytes are read as a probe's recording or refused with a diagnostic; the profile that is built
 * from what is read can be read itself, unless the device contradicts itself (DEV010). */
#include "probe_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const struct fw_diagnostic *diagnostic)
{
    if (diagnostic->severity == FW_ERROR)
        ++*(unsigned *)user;
}

static void other_than_contradiction(void *user, const struct fw_diagnostic *diagnostic)
{
    if (diagnostic->severity == FW_ERROR && strcmp(diagnostic->code, "DEV010") != 0)
        ++*(unsigned *)user;
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)1 << 30);
    unsigned errors = 0;
    const struct fw_sink sink = {count, &errors};
    struct fw_probe_recording *recording;
    enum fw_status status =
        fw_probe_recording_read(&recording, arena, "fuzz", (const char *)data, size, &sink);
    if ((status == FW_OK) != (errors == 0))
        fail("status and diagnostics do not agree");
    if (status == FW_OK) {
        struct fw_probe_result result;
        struct fw_device *again;
        struct fw_buffer text = fw_buffer_new(arena);
        fw_probe_profile(&result, arena, recording, "fuzz");
        fw_device_print(&result.device, &text);
        const struct fw_sink others = {other_than_contradiction, &errors};
        fw_device_parse(&again, arena, "printed", text.text, text.length, &others);
        if (errors) {
            fputs(text.text, stderr);
            fail("the profile cannot be read");
        }
    }
    fw_probe_recording_close(recording);
    fw_arena_free(arena);
    return 0;
}
