/* Any bytes are read as a profile or refused with a diagnostic; what is read and printed reads as
 * itself, and its occupancy is computed or refused. */
#include "device.h"
#include "occupancy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_arena *arena = fw_arena_new(0);
    if (diagnostic->severity == FW_ERROR)
        ++*(unsigned *)user;
    fw_diagnostic_render(arena, diagnostic);
    fw_arena_free(arena);
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)64 << 20);
    unsigned errors = 0;
    const struct fw_sink sink = {count, &errors};
    struct fw_device *device, *again;
    enum fw_status status =
        fw_device_parse(&device, arena, "fuzz", (const char *)data, size, &sink);
    if ((status == FW_OK) != (errors == 0) || (device != NULL) != (status == FW_OK))
        fail("status and diagnostics do not agree");
    if (device) {
        struct fw_buffer once = fw_buffer_new(arena), twice = fw_buffer_new(arena);
        struct fw_block_needs needs = {.threads = 96, .registers = 40, .carve_out = -1};
        struct fw_occupancy occupancy;
        struct fw_waves waves;
        fw_device_print(device, &once);
        if (fw_device_parse(&again, arena, "printed", once.text, once.length, NULL) != FW_OK)
            fail("what is printed cannot be read");
        fw_device_print(again, &twice);
        if (strcmp(once.text, twice.text) != 0)
            fail("what is printed does not read as itself");
        if (fw_occupancy(&occupancy, device, &needs, NULL) == FW_OK)
            fw_occupancy_waves(&waves, device, &occupancy, UINT64_MAX, NULL);
    }
    fw_arena_free(arena);
    return 0;
}
