/* Any bytes are read as records: what a store takes, it gives as a text that makes the same store.
 * Then they are read as a profiler's counters, of what was taken. */
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text of a store made of `text`; NULL when it is refused. */
static const char *through(struct fw_arena *arena, const char *text, size_t length,
                           struct fw_store **store)
{
    struct fw_store_outcome outcome = {0};
    struct fw_buffer out = fw_buffer_new(arena);
    if (fw_store_open(store, ":memory:", NULL)) {
        fprintf(stderr, "a store in memory cannot be made\n");
        abort();
    }
    if (fw_store_add(&outcome, *store, "campaign", "fuzz", text, length) ||
        fw_store_text(&out, *store, "campaign"))
        return NULL;
    return out.length ? out.text : "";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    struct fw_store *first, *second = NULL;
    struct fw_store_outcome outcome = {0};
    struct fw_source source = {"fuzz", fw_arena_text(arena, (const char *)data, size), size};
    const char *once = through(arena, source.text, size, &first);
    if (once) {
        const char *twice = through(arena, once, strlen(once), &second);
        if (!twice || strcmp(once, twice) != 0) {
            fprintf(stderr, "the text of a store makes another store:\n%s\n%s\n", once,
                    twice ? twice : "(refused)");
            abort();
        }
    }
    fw_store_add_counters(&outcome, first, "campaign", &source, NULL);
    fw_store_close(first);
    fw_store_close(second);
    fw_arena_free(arena);
    return 0;
}
