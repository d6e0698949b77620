/* Any text is a list of devices with changes, or is refused with a diagnostic; a changed device is
 * within the bounds of its properties, and prints as a profile that reads as itself. */
#include "fuzzing.h"

#include "device.h"

static void check(struct fw_arena *arena, const struct fw_device *device)
{
    struct fw_buffer once = fw_buffer_new(arena), twice = fw_buffer_new(arena);
    struct fw_device *again;
    for (size_t c = 0; c < device->change_count; c++) {
        const struct fw_device_change *change = &device->changes[c];
        const struct fw_figure_row *row = fw_figure_row(change->figure);
        double value;
        if (fw_device_figure(device, change->figure, &value) &&
            !(value >= row->low && value <= row->high && value == change->value))
            fail("a changed property is not what it may be");
    }
    fw_device_print(device, &once);
    if (fw_device_parse(&again, arena, "printed", once.text, once.length, NULL) != FW_OK)
        fail("what is printed cannot be read");
    fw_device_print(again, &twice);
    if (strcmp(once.text, twice.text) != 0)
        fail("what is printed does not read as itself");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const folder = FW_SOURCE_TREE "/profiles";
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    const char *names = fw_arena_text(arena, (const char *)data, size < 4096 ? size : 4096);
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    struct fw_found_devices found;
    char *slash = strstr(names, "..");
    if (!slash && *names != '/') { /* files of others are not ours to open */
        enum fw_status status = fw_device_find_all(&found, arena, names, &folder, 1, &sink);
        if ((status == FW_OK) != (errors == 0))
            fail("status and diagnostics do not agree");
        for (size_t d = 0; d < found.at.count && !status; d++)
            check(arena, found.at.at[d]);
    }
    fw_arena_free(arena);
    return 0;
}
