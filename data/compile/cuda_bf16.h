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
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};

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

#endif
