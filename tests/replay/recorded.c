#include "recorded.h"

#include <stdio.h>
#include <string.h>

const json_t *recorded_launch(const json_t *launches, const json_t *row)
{
    for (size_t i = 0; i < json_array_size(launches); i++) {
        const json_t *launch = json_array_get(launches, i);
        if (json_equal(json_object_get(launch, "kernel"), json_object_get(row, "kernel")) &&
            json_equal(json_object_get(launch, "size"), json_object_get(row, "size")))
            return launch;
    }
    return NULL;
}

bool recorded_page(struct fw_arena *arena, const char *path, const struct fw_buffer *page,
                   bool accept)
{
    FILE *file = fopen(path, accept ? "w" : "r");
    if (!file)
        return false;
    if (accept) {
        bool written = fwrite(page->text, 1, page->length, file) == page->length;
        return fclose(file) == 0 && written;
    }
    char *old = fw_arena_alloc(arena, page->length + 2);
    size_t length = fread(old, 1, page->length + 1, file);
    fclose(file);
    return length == page->length && memcmp(old, page->text, length) == 0;
}
