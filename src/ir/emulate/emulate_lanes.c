/* Which copy of the handlers this machine runs. */
#include "emulate_internal.h"

const struct emulate_lanes *fw_emulate_lanes_best(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &fw_emulate_lanes_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return &fw_emulate_lanes_avx2;
#endif
    return &fw_emulate_lanes_portable;
}
