/* Any bytes are a fat binary: PTX comes of them as text that ends, or they are refused with an
 * error; and any bytes are an LZ4 block. */
#include "fatbin_reader.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char block[4096];
    struct fw_arena *arena = fw_arena_new((size_t)1 << 30);
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    struct fw_source ptx;
    jmp_buf full;
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full) == 0) {
        const struct fw_source file = {"fuzzed", fw_arena_text(arena, (const char *)data, size),
                                       size};
        enum fw_status status = fw_fatbin_ptx(&ptx, arena, &file, 90, &sink);
        if (!status && (ptx.text[ptx.length] || strlen(ptx.text) != ptx.length))
            fail("the text does not end where it says");
        if ((status != FW_OK) != (errors > 0))
            fail("a refusal without an error, or an error without one");
        fw_lz4_block(block, sizeof(block), file.text, size);
    }
    fw_arena_free(arena);
    return 0;
}
