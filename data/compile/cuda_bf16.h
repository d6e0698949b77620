/* Stands in for the CUDA toolkit's header of this name: bf16 by PTX instructions (compute capability
 * 8.0 and later).  Sums and products are fused multiply-adds, which is what that capability has. */
#ifndef FOREWARP_CUDA_BF16_H
#define FOREWARP_CUDA_BF16_H

#include "forewarp_cuda.h"

struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    __device__ __forceinline__ __nv_bfloat16(float v)
    {
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(__x) : "f"(v));
    }
    __device__ __forceinline__ operator float() const
    {
        return __uint_as_float((unsigned)__x << 16);
    }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

__FW_DEVICE __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
__FW_DEVICE __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
__FW_DEVICE float __bfloat162float(__nv_bfloat16 v) { return (float)v; }
__FW_DEVICE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{
    __nv_bfloat162 v;
    v.x = x;
    v.y = y;
    return v;
}
__FW_DEVICE __nv_bfloat162 __float2bfloat162_rn(float x)
{
    return __halves2bfloat162(__nv_bfloat16(x), __nv_bfloat16(x));
}
__FW_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    __nv_bfloat16 v;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(v.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return v;
}
__FW_DEVICE __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hfma(a, b, __nv_bfloat16(-0.0f));
}
__FW_DEVICE __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hfma(a, __nv_bfloat16(1.0f), b);
}
__FW_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    unsigned v;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;"
        : "=r"(v)
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)),
          "r"(__builtin_bit_cast(unsigned, c)));
    return __builtin_bit_cast(__nv_bfloat162, v);
}
__FW_DEVICE __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) { return __hadd(a, b); }
__FW_DEVICE __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) { return __hmul(a, b); }

__FW_DEVICE __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hfma(b, __nv_bfloat16(-1.0f), a);
}
__FW_DEVICE __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16(__fdividef((float)a, (float)b));
}
__FW_DEVICE __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b) { return __hsub(a, b); }
__FW_DEVICE __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b) { return __hdiv(a, b); }
__FW_DEVICE __nv_bfloat16 &operator+=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = __hadd(a, b); }
__FW_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
    return __halves2bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
__FW_DEVICE __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
__FW_DEVICE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __halves2bfloat162(v, v); }
__FW_DEVICE float2 __bfloat1622float2(__nv_bfloat162 v)
{
    return make_float2((float)v.x, (float)v.y);
}
__FW_DEVICE float __low2float(__nv_bfloat162 v) { return (float)v.x; }
__FW_DEVICE float __high2float(__nv_bfloat162 v) { return (float)v.y; }
__FW_DEVICE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__FW_DEVICE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
__FW_DEVICE unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
__FW_DEVICE __nv_bfloat16 __ushort_as_bfloat16(unsigned short v)
{
    __nv_bfloat16 h;
    h.__x = v;
    return h;
}
__FW_DEVICE __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __hfma2(a, b, __float2bfloat162_rn(-0.0f));
}
__FW_DEVICE __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __hfma2(a, __float2bfloat162_rn(1.0f), b);
}
__FW_DEVICE __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __hfma2(b, __float2bfloat162_rn(-1.0f), a);
}
#define __FW_BFLOAT2(name, instruction)                                                            \
    __FW_DEVICE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                               \
    {                                                                                              \
        __nv_bfloat16 v;                                                                           \
        asm(instruction ".bf16 %0, %1, %2;" : "=h"(v.__x) : "h"(a.__x), "h"(b.__x));               \
        return v;                                                                                  \
    }                                                                                              \
    __FW_DEVICE __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b)                         \
    {                                                                                              \
        unsigned v;                                                                                \
        asm(instruction ".bf16x2 %0, %1, %2;"                                                      \
            : "=r"(v)                                                                              \
            : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)));         \
        return __builtin_bit_cast(__nv_bfloat162, v);                                              \
    }
__FW_BFLOAT2(__hmin, "min")
__FW_BFLOAT2(__hmax, "max")
#define __FW_BFLOAT_COMPARE(name, operation)                                                       \
    __FW_DEVICE bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b)                                   \
    {                                                                                              \
        return (float)a operation(float) b;                                                        \
    }                                                                                              \
    __FW_DEVICE bool operator operation(__nv_bfloat16 a, __nv_bfloat16 b) { return __h##name(a, b); }
__FW_BFLOAT_COMPARE(eq, ==)
__FW_BFLOAT_COMPARE(ne, !=)
__FW_BFLOAT_COMPARE(lt, <)
__FW_BFLOAT_COMPARE(le, <=)
__FW_BFLOAT_COMPARE(gt, >)
__FW_BFLOAT_COMPARE(ge, >=)

__FW_DEVICE __nv_bfloat16 __ldg(const __nv_bfloat16 *p)
{
    return __ushort_as_bfloat16(__ldg((const unsigned short *)p));
}
__FW_DEVICE __nv_bfloat162 __ldg(const __nv_bfloat162 *p)
{
    const unsigned pair = __ldg((const unsigned *)p);
    __nv_bfloat162 v;
    v.x = __ushort_as_bfloat16((unsigned short)pair);
    v.y = __ushort_as_bfloat16((unsigned short)(pair >> 16));
    return v;
}

#endif
