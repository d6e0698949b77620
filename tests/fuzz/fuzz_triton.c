/* Any bytes are read as the JSON file that Triton writes beside a kernel's PTX. */
#include "fuzzing.h"
#include "triton_launch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new((size_t)64 << 20);
    struct fw_triton_launch launch;
    char path[200];
    snprintf(path, sizeof(path), "%s", fuzz_file("k.json", data, size));
    memcpy(path + strlen(path) - strlen("json"), "ptx", 4);
    if (fw_triton_read(&launch, arena, path)) {
        if (launch.threads < 1 || launch.threads > 2048 || launch.shared > 1 << 20)
            fail("a launch that no device has");
        for (uint32_t b = 0; b < launch.box_count; b++)
            if (launch.box_bytes[b] > 1 << 20)
                fail("a box that no device copies");
    } else if (launch.threads) {
        fail("no launch, and something of it");
    }
    fw_arena_free(arena);
    return 0;
}
