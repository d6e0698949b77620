/* Which copy of the handlers this machine runs. */
#include "emulate_state.h"

#include <string.h>

const struct emulate_lanes *fw_emulate_lanes_find(const char *name)
{
    const struct emulate_lanes *copies[3];
    unsigned count = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        copies[count++] = &fw_emulate_lanes_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        copies[count++] = &fw_emulate_lanes_avx2;
#endif
    copies[count++] = &fw_emulate_lanes_portable;
    for (unsigned i = 0; i < count; i++)
        if (!name || strcmp(copies[i]->name, name) == 0)
            return copies[i];
    return NULL;
}
