/* Stands in for the CUDA toolkit's header of this name: f16 by PTX instructions, as clang 14 and 15
 * have no f16 arithmetic for this target.  What is used most is here; the rest is not. */
#ifndef FOREWARP_CUDA_FP16_H
#define FOREWARP_CUDA_FP16_H

#include "forewarp_cuda.h"

struct __attribute__((aligned(2))) __half {
    unsigned short __x;
    __half() = default;
    __device__ __forceinline__ __half(float v) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(__x) : "f"(v)); }
    __device__ __forceinline__ operator float() const
    {
        float v;
        asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(__x));
        return v;
    }
};
typedef __half half;

struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half2 half2;

__FW_DEVICE __half __float2half(float v) { return __half(v); }
__FW_DEVICE __half __float2half_rn(float v) { return __half(v); }
__FW_DEVICE float __half2float(__half v) { return (float)v; }
__FW_DEVICE unsigned __fw_bits(__half2 v) { return __builtin_bit_cast(unsigned, v); }
__FW_DEVICE __half2 __fw_half2(unsigned v) { return __builtin_bit_cast(__half2, v); }
__FW_DEVICE __half2 __halves2half2(__half x, __half y)
{
    __half2 v;
    v.x = x;
    v.y = y;
    return v;
}
__FW_DEVICE __half2 __half2half2(__half x) { return __halves2half2(x, x); }
__FW_DEVICE __half2 __float2half2_rn(float x) { return __half2half2(__half(x)); }
__FW_DEVICE __half2 __floats2half2_rn(float x, float y)
{
    return __halves2half2(__half(x), __half(y));
}
__FW_DEVICE __half __low2half(__half2 v) { return v.x; }
__FW_DEVICE __half __high2half(__half2 v) { return v.y; }
__FW_DEVICE float __low2float(__half2 v) { return (float)v.x; }
__FW_DEVICE float __high2float(__half2 v) { return (float)v.y; }
__FW_DEVICE float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }

#define __FW_HALF2(name, instruction)                                                              \
    __FW_DEVICE __half name(__half a, __half b)                                                    \
    {                                                                                              \
        __half v;                                                                                  \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(v.__x) : "h"(a.__x), "h"(b.__x));                \
        return v;                                                                                  \
    }                                                                                              \
    __FW_DEVICE __half2 name##2(__half2 a, __half2 b)                                              \
    {                                                                                              \
        unsigned v;                                                                                \
        asm(instruction ".f16x2 %0, %1, %2;" : "=r"(v) : "r"(__fw_bits(a)), "r"(__fw_bits(b)));    \
        return __fw_half2(v);                                                                      \
    }
__FW_HALF2(__hadd, "add")
__FW_HALF2(__hsub, "sub")
__FW_HALF2(__hmul, "mul")
__FW_HALF2(__hmin, "min")
__FW_HALF2(__hmax, "max")
__FW_DEVICE __half __hfma(__half a, __half b, __half c)
{
    __half v;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(v.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return v;
}
__FW_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned v;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(v)
        : "r"(__fw_bits(a)), "r"(__fw_bits(b)), "r"(__fw_bits(c)));
    return __fw_half2(v);
}
__FW_DEVICE __half __hdiv(__half a, __half b) { return __half(__fdividef((float)a, (float)b)); }
__FW_DEVICE __half operator+(__half a, __half b) { return __hadd(a, b); }
__FW_DEVICE __half operator-(__half a, __half b) { return __hsub(a, b); }
__FW_DEVICE __half operator*(__half a, __half b) { return __hmul(a, b); }
__FW_DEVICE __half operator/(__half a, __half b) { return __hdiv(a, b); }
__FW_DEVICE __half &operator+=(__half &a, __half b) { return a = __hadd(a, b); }
__FW_DEVICE __half &operator*=(__half &a, __half b) { return a = __hmul(a, b); }
__FW_DEVICE __half2 operator+(__half2 a, __half2 b) { return __hadd2(a, b); }
__FW_DEVICE __half2 operator-(__half2 a, __half2 b) { return __hsub2(a, b); }
__FW_DEVICE __half2 operator*(__half2 a, __half2 b) { return __hmul2(a, b); }

#endif
