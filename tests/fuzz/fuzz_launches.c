/* Any bytes are read as a list of launches, or refused with one diagnostic. */
#include "launches_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)diagnostic;
    ++*(unsigned *)user;
}

/* Texts "name=value", all of them there. */
static bool are_bindings(const char *const *texts, size_t how_many)
{
    for (size_t t = 0; t < how_many; t++)
        if (!texts[t] || !strchr(texts[t], '='))
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    struct fw_source source = {"fuzz", fw_arena_text(arena, (const char *)data, size), size};
    struct fw_launch_items items;
    unsigned errors = 0;
    const struct fw_sink sink = {count, &errors};
    enum fw_status status = fw_launches_read(&items, arena, &source, "fuzz", &sink);
    bool good = errors == (status != FW_OK) && (status || items.count > 0);
    for (size_t i = 0; i < items.count && !status; i++) {
        const struct fw_launch_item *item = &items.at[i];
        good &= are_bindings(item->bindings, item->binding_count) &&
                are_bindings(item->defines, item->define_count) && item->line > 0;
    }
    if (!good) {
        fprintf(stderr, "status, diagnostics and launches do not agree\n");
        abort();
    }
    fw_arena_free(arena);
    return 0;
}
