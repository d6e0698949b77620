/* The lanes' handlers for AVX2: see emulate_lanes_body.h. */
#if defined(__x86_64__)
#include "emulate_memory.h"
#include "emulate_number.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt"))),       \
                             apply_to = function)
#else
#pragma GCC target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")
#endif
#define LANES_NAME fw_emulate_lanes_avx2
#define LANES_TEXT "avx2"
#include "emulate_lanes_body.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int fw_emulate_lanes_none; /* a translation unit may not be empty */
#endif
