/* Any bytes are a cubin: kernels come of them with registers that can be, or nothing does. */
#include "fuzzing.h"
#include "machine_code.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)1 << 26);
    struct fw_assembly assembly;
    unsigned capability;
    jmp_buf full;
    fw_arena_on_exhausted(arena, &full);
    if (setjmp(full) == 0) {
        const char *bytes = fw_arena_text(arena, (const char *)data, size);
        bool known = fw_machine_code_read(&assembly, &capability, arena, bytes, size);
        if (known != (assembly.kernels.count > 0) || known != assembly.known)
            fail("kernels without an answer, or an answer without kernels");
        for (size_t k = 0; k < assembly.kernels.count; k++)
            if (!assembly.kernels.at[k].registers || assembly.kernels.at[k].registers > 255)
                fail("registers that cannot be");
    }
    fw_arena_free(arena);
    return 0;
}
