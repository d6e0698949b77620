/* Any bytes are read as the file of the model forest: what is read predicts, and is written and
 * read again the same; what is refused has a diagnostic.  A hash in the lines that is wrong is put
 * right first, so that the bytes behind it are read, too. */
#include "forest_bundle.h"
#include "fuzzing.h"

#include <math.h>

/* The text with the hash of the bytes behind its lines, where it has room for one. */
static char *with_hash(struct fw_arena *arena, const uint8_t *data, size_t size)
{
    char *text = fw_arena_text(arena, (const char *)data, size);
    char *behind = strstr(text, "\ndata\n"), *hash = strstr(text, " hash ");
    if (!behind || !hash || hash > behind || behind - hash < 22 ||
        memchr(text, 0, (size_t)(behind - text)))
        return text;
    char digits[17];
    const char *bytes = behind + 6;
    snprintf(digits, sizeof(digits), "%016llx",
             (unsigned long long)fw_hash(bytes, size - (size_t)(bytes - text)));
    memcpy(hash + 6, digits, 16);
    return text;
}

static void use(struct fw_arena *arena, const struct fw_forest_bundle *bundle)
{
    struct fw_forest_basis basis = {.features = {1, 2, 3}};
    struct fw_buffer once = fw_buffer_new(arena), twice = fw_buffer_new(arena);
    struct fw_forest_bundle again;
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++)
        if (bundle->parts[t].forest &&
            isnan(fw_forest_part_factor(NULL, &bundle->parts[t], &basis)))
            fail("a factor is no number");
    fw_forest_bundle_write(&once, bundle);
    const struct fw_source source = {"again", once.text, once.length};
    if (fw_forest_bundle_read(&again, arena, &source, NULL))
        fail("a bundle that was written cannot be read");
    fw_forest_bundle_write(&twice, &again);
    if (twice.length != once.length || memcmp(twice.text, once.text, once.length) != 0)
        fail("a bundle changed on its way through the bytes");
    fw_forest_bundle_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_source source = {"forest", with_hash(arena, data, size), size};
    struct fw_forest_bundle bundle;
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    enum fw_status status = fw_forest_bundle_read(&bundle, arena, &source, &sink);
    if (status && !errors)
        fail("refused without a diagnostic");
    for (int t = 0; t < FW_FOREST_TARGET_COUNT && status; t++)
        if (bundle.parts[t].forest)
            fail("a bundle that was refused has forests");
    if (!status)
        use(arena, &bundle);
    fw_forest_bundle_free(&bundle);
    fw_arena_free(arena);
    return 0;
}
