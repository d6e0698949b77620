/* Any bytes are read as a forest: what is read is written again the same, and predicts a finite
 * number; what is refused has a diagnostic. */
#include "forest_file.h"
#include "fuzzing.h"

#include <math.h>

enum { SMALL = 1 << 16 };

static void use(struct fw_arena *arena, const struct fw_forest *forest, const uint8_t *data,
                size_t size)
{
    struct fw_buffer bytes = fw_buffer_new(arena), code = fw_buffer_new(arena);
    struct fw_forest_shape shape;
    double row[FW_FOREST_FEATURES_MOST], many;
    fw_forest_describe(&shape, forest);
    for (size_t f = 0; f < shape.features; f++)
        row[f] = (double)f - 2;
    double one = fw_forest_predict(forest, row);
    fw_forest_predict_many(&many, forest, row, 1, 1);
    if (!isfinite(one) || one != many)
        fail("a prediction is not finite, or differs among others");
    fw_forest_write(&bytes, forest);
    if (bytes.length != size || (size && memcmp(bytes.text, data, size) != 0)) {
        struct fw_forest *again; /* values may have been rounded, once */
        struct fw_buffer third = fw_buffer_new(arena);
        if (fw_forest_read(&again, (const unsigned char *)bytes.text, bytes.length,
                           (struct fw_span){0}, NULL))
            fail("a forest that was written cannot be read");
        fw_forest_write(&third, again);
        if (third.length != bytes.length || memcmp(third.text, bytes.text, bytes.length) != 0)
            fail("a forest changed on its way through the bytes");
        fw_forest_free(again);
    }
    if (size < SMALL)
        fw_forest_write_c(&code, forest, "predict");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_forest *forest;
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    enum fw_status status = fw_forest_read(&forest, data, size, (struct fw_span){0}, &sink);
    if ((status == FW_OK) != (forest != NULL))
        fail("status and result do not agree");
    if (status && !errors)
        fail("refused without a diagnostic");
    if (forest)
        use(arena, forest, data, size);
    fw_forest_free(forest);
    fw_arena_free(arena);
    return 0;
}
