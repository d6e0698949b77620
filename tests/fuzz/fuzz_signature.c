/* Any bytes are read as a source: kernels are named by words of the text, at their places, and what
 * is said of structures is read. */
#include "signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    struct fw_signatures signatures;
    fw_signatures_read(&signatures, arena, (const char *)data, size, size % 2);
    for (size_t i = 0; i < signatures.kernels.count; i++) {
        const struct fw_signature *kernel = &signatures.kernels.at[i];
        size_t length = strlen(kernel->name);
        if (!length || kernel->offset + length > size ||
            memcmp(data + kernel->offset, kernel->name, length) != 0) {
            fprintf(stderr, "kernel %zu is not where it says\n", i);
            abort();
        }
        fw_signature_find(&signatures, kernel->name, kernel->parameters.count);
    }
    fw_signatures_find_members(&signatures, arena, (const char *)data, size, size % 2);
    char *entry = fw_arena_text(arena, (const char *)data, size);
    fw_signature_find(&signatures, entry, SIZE_MAX);
    fw_arena_free(arena);
    return 0;
}
