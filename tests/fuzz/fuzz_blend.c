/* Any bytes are read as the file of the model blend: what is read joins, and is written and read
 * again the same; what is refused has a diagnostic.  A hash that is wrong is put right first. */
#include "blend.h"
#include "fuzzing.h"

#include <math.h>

/* The text with the hash of the lines before it, where it has room for one. */
static char *with_hash(struct fw_arena *arena, const uint8_t *data, size_t size)
{
    char *text = fw_arena_text(arena, (const char *)data, size), digits[17];
    char *hash = strstr(text, "\nhash ");
    if (!hash || size - (size_t)(hash - text) < 22)
        return text;
    snprintf(digits, sizeof(digits), "%016llx",
             (unsigned long long)fw_hash(text, (size_t)(hash - text) + 1));
    memcpy(hash + 6, digits, 16);
    return text;
}

static void use(struct fw_arena *arena, const struct fw_blend *blend)
{
    static const double answers[FW_BLEND_MEMBER_COUNT] = {1e-6, 2e-6, 0};
    struct fw_buffer once = fw_buffer_new(arena), twice = fw_buffer_new(arena);
    struct fw_blend again;
    for (int k = 0; k < FW_BLEND_KIND_COUNT; k++)
        if (!(fw_blend_join(NULL, &blend->weights[0][k], answers) > 0))
            fail("joined answers are no time");
    fw_blend_write(&once, blend);
    const struct fw_source source = {"again", once.text, once.length};
    if (fw_blend_read(&again, arena, &source, NULL))
        return; /* weights that nobody stated are 0 */
    fw_blend_write(&twice, &again);
    if (twice.length != once.length || memcmp(twice.text, once.text, once.length) != 0)
        fail("a blend changed on its way through the bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new(0);
    const struct fw_source source = {"blend", with_hash(arena, data, size), size};
    struct fw_blend blend;
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    enum fw_status status = fw_blend_read(&blend, arena, &source, &sink);
    if (status && !errors)
        fail("refused without a diagnostic");
    if (!status)
        use(arena, &blend);
    fw_arena_free(arena);
    return 0;
}
