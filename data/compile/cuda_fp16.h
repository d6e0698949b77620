/* Stands in for the CUDA toolkit's header of this name: f16 by PTX instructions, as clang 14 and 15
 * have no f16 arithmetic for this target.  What there is is in tests/property/device_header.cu. */
#ifndef FOREWARP_CUDA_FP16_H
#define FOREWARP_CUDA_FP16_H

#include "forewarp_cuda.h"

struct __attribute__((aligned(2))) __half {
    unsigned short __x;
    __half() = default;
    __device__ __forceinline__ __half(double v) : __half((float)v) {}
    __device__ __forceinline__ __half(int v) : __half((float)v) {}
    __device__ __forceinline__ __half(unsigned v) : __half((float)v) {}
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
    __half2() = default;
    __device__ __forceinline__ __half2(__half x_, __half y_) : x(x_), y(y_) {}
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

__FW_DEVICE __half &operator-=(__half &a, __half b) { return a = __hsub(a, b); }
__FW_DEVICE __half &operator/=(__half &a, __half b) { return a = __hdiv(a, b); }
__FW_DEVICE __half2 &operator+=(__half2 &a, __half2 b) { return a = __hadd2(a, b); }
__FW_DEVICE __half2 &operator*=(__half2 &a, __half2 b) { return a = __hmul2(a, b); }
__FW_DEVICE __half2 make_half2(__half x, __half y) { return __halves2half2(x, y); }
__FW_DEVICE unsigned short __half_as_ushort(__half v) { return v.__x; }
__FW_DEVICE short __half_as_short(__half v) { return (short)v.__x; }
__FW_DEVICE __half __ushort_as_half(unsigned short v)
{
    __half h;
    h.__x = v;
    return h;
}
__FW_DEVICE __half __short_as_half(short v) { return __ushort_as_half((unsigned short)v); }
__FW_DEVICE __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__FW_DEVICE __half2 __low2half2(__half2 v) { return __half2half2(v.x); }
__FW_DEVICE __half2 __high2half2(__half2 v) { return __half2half2(v.y); }
__FW_DEVICE __half2 __lowhigh2highlow(__half2 v) { return __halves2half2(v.y, v.x); }
__FW_DEVICE __half2 __lows2half2(__half2 a, __half2 b) { return __halves2half2(a.x, b.x); }
__FW_DEVICE __half2 __highs2half2(__half2 a, __half2 b) { return __halves2half2(a.y, b.y); }

/* Conversions of integers, by PTX. */
#define __FW_HALF_INTEGER(name, type, ptx, constraint)                                             \
    __FW_DEVICE __half __##name##2half_rn(type v)                                                  \
    {                                                                                              \
        __half h;                                                                                  \
        asm("cvt.rn.f16." ptx " %0, %1;" : "=h"(h.__x) : constraint(v));                           \
        return h;                                                                                  \
    }                                                                                              \
    __FW_DEVICE type __half2##name##_rn(__half h)                                                  \
    {                                                                                              \
        type v;                                                                                    \
        asm("cvt.rni." ptx ".f16 %0, %1;" : "=" constraint(v) : "h"(h.__x));                       \
        return v;                                                                                  \
    }                                                                                              \
    __FW_DEVICE type __half2##name##_rz(__half h)                                                  \
    {                                                                                              \
        type v;                                                                                    \
        asm("cvt.rzi." ptx ".f16 %0, %1;" : "=" constraint(v) : "h"(h.__x));                       \
        return v;                                                                                  \
    }
__FW_HALF_INTEGER(int, int, "s32", "r")
__FW_HALF_INTEGER(uint, unsigned, "u32", "r")
__FW_HALF_INTEGER(short, short, "s16", "h")
__FW_HALF_INTEGER(ushort, unsigned short, "u16", "h")

/* Functions of one argument: of one half and of two. */
#define __FW_HALF1(name, name2, instruction)                                                       \
    __FW_DEVICE __half name(__half a)                                                              \
    {                                                                                              \
        __half v;                                                                                  \
        asm(instruction ".f16 %0, %1;" : "=h"(v.__x) : "h"(a.__x));                                \
        return v;                                                                                  \
    }                                                                                              \
    __FW_DEVICE __half2 name2(__half2 a)                                                           \
    {                                                                                              \
        unsigned v;                                                                                \
        asm(instruction ".f16x2 %0, %1;" : "=r"(v) : "r"(__fw_bits(a)));                           \
        return __fw_half2(v);                                                                      \
    }
__FW_HALF1(__hneg, __hneg2, "neg")
__FW_HALF1(__habs, __habs2, "abs")
__FW_HALF1(hexp2, h2exp2, "ex2.approx")
__FW_HALF1(htanh, h2tanh, "tanh.approx")
__FW_DEVICE __half operator-(__half a) { return __hneg(a); }

/* The rest goes through f32. */
#define __FW_HALF_BY_FLOAT(name, name2, of_float)                                                  \
    __FW_DEVICE __half name(__half a) { return __half(of_float((float)a)); }                       \
    __FW_DEVICE __half2 name2(__half2 a) { return __halves2half2(name(a.x), name(a.y)); }
__FW_HALF_BY_FLOAT(hexp, h2exp, __expf)
__FW_HALF_BY_FLOAT(hlog, h2log, __logf)
__FW_HALF_BY_FLOAT(hlog2, h2log2, __log2f)
__FW_HALF_BY_FLOAT(hsin, h2sin, sinf)
__FW_HALF_BY_FLOAT(hcos, h2cos, cosf)
__FW_HALF_BY_FLOAT(hsqrt, h2sqrt, __fw_sqrt)
__FW_HALF_BY_FLOAT(hrsqrt, h2rsqrt, rsqrtf)
__FW_HALF_BY_FLOAT(hrcp, h2rcp, __fw_rcp)
__FW_HALF_BY_FLOAT(hfloor, h2floor, floorf)
__FW_HALF_BY_FLOAT(hceil, h2ceil, ceilf)
__FW_HALF_BY_FLOAT(hrint, h2rint, rintf)
__FW_HALF_BY_FLOAT(htrunc, h2trunc, truncf)
__FW_DEVICE __half2 __h2div(__half2 a, __half2 b)
{
    return __halves2half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
__FW_DEVICE bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }

#define __FW_HALF_COMPARE(name, instruction, operation)                                            \
    __FW_DEVICE bool __h##name(__half a, __half b)                                                 \
    {                                                                                              \
        int v;                                                                                     \
        asm("{.reg .pred p; setp." instruction ".f16 p, %1, %2; selp.s32 %0, 1, 0, p;}"            \
            : "=r"(v)                                                                              \
            : "h"(a.__x), "h"(b.__x));                                                             \
        return v;                                                                                  \
    }                                                                                              \
    __FW_DEVICE bool operator operation(__half a, __half b) { return __h##name(a, b); }            \
    __FW_DEVICE bool __hb##name##2(__half2 a, __half2 b)                                           \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }
__FW_HALF_COMPARE(eq, "eq", ==)
__FW_HALF_COMPARE(ne, "ne", !=)
__FW_HALF_COMPARE(lt, "lt", <)
__FW_HALF_COMPARE(le, "le", <=)
__FW_HALF_COMPARE(gt, "gt", >)
__FW_HALF_COMPARE(ge, "ge", >=)

__FW_DEVICE __half __ldg(const __half *p)
{
    return __ushort_as_half(__ldg((const unsigned short *)p));
}
__FW_DEVICE __half2 __ldg(const __half2 *p) { return __fw_half2(__ldg((const unsigned *)p)); }
#define __FW_HALF_SHUFFLE(name, argument)                                                          \
    __FW_DEVICE __half name(unsigned mask, __half v, argument by, int width = warpSize)            \
    {                                                                                              \
        return __ushort_as_half((unsigned short)name(mask, (unsigned)v.__x, by, width));           \
    }                                                                                              \
    __FW_DEVICE __half2 name(unsigned mask, __half2 v, argument by, int width = warpSize)          \
    {                                                                                              \
        return __fw_half2(name(mask, __fw_bits(v), by, width));                                    \
    }
__FW_HALF_SHUFFLE(__shfl_sync, int)
__FW_HALF_SHUFFLE(__shfl_up_sync, unsigned)
__FW_HALF_SHUFFLE(__shfl_down_sync, unsigned)
__FW_HALF_SHUFFLE(__shfl_xor_sync, int)
__FW_DEVICE __half atomicAdd(__half *p, __half v)
{
    __half old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(old.__x)
                 : "l"(p), "h"(v.__x)
                 : "memory");
    return old;
}
__FW_DEVICE __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned old;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(__fw_bits(v))
                 : "memory");
    return __fw_half2(old);
}

#endif
