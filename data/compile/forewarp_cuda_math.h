/* The fourth part of forewarp_cuda.h: conversions and mathematics of f32.
 *
 * The expansions are our own, so that their instruction counts differ from nvcc's, and sin, cos and tan
 * are accurate for arguments up to about 1e5 only (no slow path for larger ones). */
#ifndef FOREWARP_CUDA_MATH_H
#define FOREWARP_CUDA_MATH_H

/* ---- conversions ---- */

__FW_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
__FW_DEVICE unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
__FW_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
__FW_DEVICE float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
__FW_DEVICE long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
__FW_DEVICE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }

/* X(rounding of CUDA, of clang's builtins) */
#define __FW_ROUNDINGS(X) X(rn, rn) X(rz, rz) X(rd, rm) X(ru, rp)
#define __FW_CONVERT(r, m)                                                                         \
    __FW_DEVICE int __float2int_##r(float v) { return __nvvm_f2i_##m(v); }                         \
    __FW_DEVICE unsigned __float2uint_##r(float v) { return __nvvm_f2ui_##m(v); }                  \
    __FW_DEVICE long long __float2ll_##r(float v) { return __nvvm_f2ll_##m(v); }                   \
    __FW_DEVICE unsigned long long __float2ull_##r(float v) { return __nvvm_f2ull_##m(v); }        \
    __FW_DEVICE int __double2int_##r(double v) { return __nvvm_d2i_##m(v); }                       \
    __FW_DEVICE unsigned __double2uint_##r(double v) { return __nvvm_d2ui_##m(v); }                \
    __FW_DEVICE long long __double2ll_##r(double v) { return __nvvm_d2ll_##m(v); }                 \
    __FW_DEVICE unsigned long long __double2ull_##r(double v) { return __nvvm_d2ull_##m(v); }      \
    __FW_DEVICE float __double2float_##r(double v) { return __nvvm_d2f_##m(v); }                   \
    __FW_DEVICE float __int2float_##r(int v) { return __nvvm_i2f_##m(v); }                         \
    __FW_DEVICE float __uint2float_##r(unsigned v) { return __nvvm_ui2f_##m(v); }                  \
    __FW_DEVICE float __ll2float_##r(long long v) { return __nvvm_ll2f_##m(v); }                   \
    __FW_DEVICE float __ull2float_##r(unsigned long long v) { return __nvvm_ull2f_##m(v); }        \
    __FW_DEVICE double __ll2double_##r(long long v) { return __nvvm_ll2d_##m(v); }                 \
    __FW_DEVICE double __ull2double_##r(unsigned long long v) { return __nvvm_ull2d_##m(v); }
__FW_ROUNDINGS(__FW_CONVERT)
__FW_DEVICE double __int2double_rn(int v) { return (double)v; }
__FW_DEVICE double __uint2double_rn(unsigned v) { return (double)v; }
__FW_DEVICE double __hiloint2double(int high, int low) { return __nvvm_lohi_i2d(low, high); }
__FW_DEVICE int __double2hiint(double v) { return __nvvm_d2i_hi(v); }
__FW_DEVICE int __double2loint(double v) { return __nvvm_d2i_lo(v); }

/* ---- minima, maxima ---- */

#define __FW_ORDER(type)                                                                           \
    __FW_BOTH type min(type a, type b) { return a < b ? a : b; }                                   \
    __FW_BOTH type max(type a, type b) { return a > b ? a : b; }
__FW_ORDER(int)
__FW_ORDER(unsigned)
__FW_ORDER(long)
__FW_ORDER(unsigned long)
__FW_ORDER(long long)
__FW_ORDER(unsigned long long)
__FW_BOTH unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
__FW_BOTH unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
__FW_BOTH unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
__FW_BOTH unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
__FW_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
__FW_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
__FW_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
__FW_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
__FW_BOTH double min(float a, double b) { return __builtin_fmin((double)a, b); }
__FW_BOTH double min(double a, float b) { return __builtin_fmin(a, (double)b); }
__FW_BOTH double max(float a, double b) { return __builtin_fmax((double)a, b); }
__FW_BOTH double max(double a, float b) { return __builtin_fmax(a, (double)b); }

/* ---- f32 mathematics ---- */

/* Arithmetic with a stated rounding is never fused. */
#define __FW_ROUNDED(r, m)                                                                         \
    __FW_DEVICE float __fadd_##r(float a, float b) { return __nvvm_add_##m##_f(a, b); }            \
    __FW_DEVICE float __fsub_##r(float a, float b) { return __nvvm_add_##m##_f(a, -b); }           \
    __FW_DEVICE float __fmul_##r(float a, float b) { return __nvvm_mul_##m##_f(a, b); }            \
    __FW_DEVICE float __fdiv_##r(float a, float b) { return __nvvm_div_##m##_f(a, b); }            \
    __FW_DEVICE float __frcp_##r(float x) { return __nvvm_rcp_##m##_f(x); }                        \
    __FW_DEVICE float __fsqrt_##r(float x) { return __nvvm_sqrt_##m##_f(x); }                      \
    __FW_DEVICE float __fmaf_##r(float a, float b, float c) { return __nvvm_fma_##m##_f(a, b, c); } \
    __FW_DEVICE double __dadd_##r(double a, double b) { return __nvvm_add_##m##_d(a, b); }         \
    __FW_DEVICE double __dsub_##r(double a, double b) { return __nvvm_add_##m##_d(a, -b); }        \
    __FW_DEVICE double __dmul_##r(double a, double b) { return __nvvm_mul_##m##_d(a, b); }         \
    __FW_DEVICE double __ddiv_##r(double a, double b) { return __nvvm_div_##m##_d(a, b); }         \
    __FW_DEVICE double __drcp_##r(double x) { return __nvvm_rcp_##m##_d(x); }                      \
    __FW_DEVICE double __dsqrt_##r(double x) { return __nvvm_sqrt_##m##_d(x); }                    \
    __FW_DEVICE double __fma_##r(double a, double b, double c) { return __nvvm_fma_##m##_d(a, b, c); }
__FW_ROUNDINGS(__FW_ROUNDED)

__FW_DEVICE float __fw_ex2(float x) { return __nvvm_ex2_approx_ftz_f(x); }
__FW_DEVICE float __fw_lg2(float x) { return __nvvm_lg2_approx_ftz_f(x); }
__FW_DEVICE float __fw_sqrt(float x) { return __nvvm_sqrt_approx_ftz_f(x); }
__FW_DEVICE float __fw_rcp(float x)
{
    float v;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(x));
    return v;
}
__FW_DEVICE float __frsqrt_rn(float x) { return __nvvm_rsqrt_approx_f(x); }
__FW_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
__FW_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
__FW_DEVICE float __expf(float x) { return __fw_ex2(x * 1.4426950408889634f); }
__FW_DEVICE float __exp10f(float x) { return __fw_ex2(x * 3.3219280948873623f); }
__FW_DEVICE float __logf(float x) { return __fw_lg2(x) * 0.6931471805599453f; }
__FW_DEVICE float __log2f(float x) { return __fw_lg2(x); }
__FW_DEVICE float __log10f(float x) { return __fw_lg2(x) * 0.3010299956639812f; }
__FW_DEVICE float __powf(float x, float y) { return __fw_ex2(y * __fw_lg2(x)); }
__FW_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__FW_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__FW_DEVICE float __tanf(float x) { return __sinf(x) * __fw_rcp(__cosf(x)); }
__FW_DEVICE void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}

__FW_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
__FW_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
__FW_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__FW_DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
__FW_DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__FW_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
__FW_DEVICE float floorf(float x) { return __builtin_floorf(x); }
__FW_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
__FW_DEVICE float truncf(float x) { return __builtin_truncf(x); }
__FW_DEVICE float rintf(float x) { return __builtin_rintf(x); }
__FW_DEVICE float nearbyintf(float x) { return __builtin_nearbyintf(x); }
__FW_DEVICE float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
__FW_DEVICE float roundf(float x)
{
    float t = truncf(x);
    return fabsf(x - t) >= 0.5f ? t + copysignf(1.0f, x) : t;
}
__FW_DEVICE float fmodf(float x, float y) { return fmaf(-truncf(x / y), y, x); }
__FW_DEVICE float fdimf(float x, float y) { return x > y ? x - y : 0.0f; }
__FW_DEVICE float hypotf(float x, float y) { return sqrtf(fmaf(x, x, y * y)); }

/* exp: x = n ln 2 + r, 2^n from the exponent unit, e^r = 2^(r / ln 2). */
__FW_DEVICE float expf(float x)
{
    float n = rintf(fmaxf(fminf(x, 89.0f), -104.0f) * 1.4426950408889634f);
    float r = fmaf(n, -0.693147182f, x), low = fmaf(n, 1.90465421e-9f, r);
    return x > 89.0f     ? __int_as_float(0x7f800000)
           : x < -104.0f ? 0.0f
                         : __fw_ex2(low * 1.4426950408889634f) * __nvvm_ex2_approx_f(n);
}
__FW_DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
__FW_DEVICE float exp10f(float x) { return expf(x * 2.302585092994046f); }
__FW_DEVICE float expm1f(float x)
{
    return fabsf(x) < 0.25f
               ? x * fmaf(x, fmaf(x, fmaf(x, fmaf(x, 1.0f / 120, 1.0f / 24), 1.0f / 6), 0.5f), 1.0f)
               : expf(x) - 1.0f;
}

/* log: x = 2^e m with m in [2/3, 4/3); log m = 2 atanh((m - 1) / (m + 1)). */
__FW_DEVICE float logf(float x)
{
    bool tiny = x < 1.17549435e-38f;
    float scaled = tiny ? x * 8388608.0f : x;
    int bits = __float_as_int(scaled);
    int e = (bits - 0x3f2aaaab) >> 23;
    float m = __int_as_float(bits - (e << 23));
    float s = __fdividef(m - 1.0f, m + 1.0f), t = s * s;
    float p = fmaf(t, fmaf(t, fmaf(t, 0.2222222f, 0.28571429f), 0.4f), 0.66666669f);
    float y = fmaf((float)(e - (tiny ? 23 : 0)), 0.69314718f, fmaf(s * t, p, 2.0f * s));
    y = bits >= 0x7f800000 ? scaled : y;
    return x == 0.0f ? -__int_as_float(0x7f800000) : x < 0.0f ? __int_as_float(0x7fffffff) : y;
}
__FW_DEVICE float log2f(float x) { return __nvvm_lg2_approx_f(x); }
__FW_DEVICE float log10f(float x) { return logf(x) * 0.4342944819f; }
__FW_DEVICE float log1pf(float x)
{
    return fabsf(x) < 1e-3f ? x * fmaf(x, fmaf(x, 0.33333333f, -0.5f), 1.0f) : logf(1.0f + x);
}
__FW_DEVICE float powf(float x, float y)
{
    float v = exp2f(y * log2f(fabsf(x)));
    bool whole = truncf(y) == y, odd = whole && fabsf(fmodf(y, 2.0f)) == 1.0f;
    v = x < 0.0f ? (whole ? (odd ? -v : v) : __int_as_float(0x7fffffff)) : v;
    return y == 0.0f || x == 1.0f ? 1.0f : v;
}
__FW_DEVICE float cbrtf(float x) { return copysignf(exp2f(log2f(fabsf(x)) * 0.33333333f), x); }

/* sin, cos: x = n pi/2 + r in three parts of pi/2 (Cody and Waite), then a polynomial of r. */
__FW_DEVICE float __fw_reduce(float x, int *n)
{
    float k = rintf(x * 0.636619772f);
    *n = (int)k;
    return fmaf(k, -5.39030253e-15f, fmaf(k, -7.54978942e-8f, fmaf(k, -1.57079625f, x)));
}
__FW_DEVICE float __fw_sine(float r)
{
    float t = r * r;
    float p = fmaf(t, fmaf(t, fmaf(t, 2.75573192e-6f, -1.98412698e-4f), 8.33333333e-3f),
                   -0.166666667f);
    return fmaf(r * t, p, r);
}
__FW_DEVICE float __fw_cosine(float r)
{
    float t = r * r;
    float p = fmaf(t, fmaf(t, fmaf(t, 2.48015873e-5f, -1.38888889e-3f), 4.16666667e-2f), -0.5f);
    return fmaf(t, p, 1.0f);
}
__FW_DEVICE float sinf(float x)
{
    int n;
    float r = __fw_reduce(x, &n), v = n & 1 ? __fw_cosine(r) : __fw_sine(r);
    return n & 2 ? -v : v;
}
__FW_DEVICE float cosf(float x)
{
    int n;
    float r = __fw_reduce(x, &n), v = n & 1 ? __fw_sine(r) : __fw_cosine(r);
    return (n + 1) & 2 ? -v : v;
}
__FW_DEVICE float tanf(float x) { return sinf(x) / cosf(x); }
__FW_DEVICE void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
__FW_DEVICE float sinhf(float x) { return 0.5f * (expf(x) - expf(-x)); }
__FW_DEVICE float coshf(float x) { return 0.5f * (expf(x) + expf(-x)); }
__FW_DEVICE float tanhf(float x)
{
    float e = expf(2.0f * fabsf(x)), t = x * x;
    float p = fmaf(t, fmaf(t, fmaf(t, 62.0f / 2835, -17.0f / 315), 2.0f / 15), -1.0f / 3);
    return fabsf(x) < 0.25f ? fmaf(x * t, p, x) : copysignf(1.0f - 2.0f / (e + 1.0f), x);
}

/* ---- further f32 functions: expansions of our own; errors of about 2e-6, of the value or of 1 ---- */

/* Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.49. */
__FW_DEVICE float __fw_arctangent(float x)
{
    float t = x * x, p = 0.0028662257f;
    const float terms[] = {-0.0161657367f, 0.0429096138f, -0.0752896400f, 0.1065626393f,
                           -0.1420889944f, 0.1999355085f, -0.3333314528f};
#pragma unroll
    for (int i = 0; i < 7; i++)
        p = fmaf(p, t, terms[i]);
    return fmaf(x * t, p, x);
}
__FW_DEVICE float atanf(float x)
{
    float a = fabsf(x), v = __fw_arctangent(a > 1.0f ? __fdividef(1.0f, a) : a);
    return copysignf(a > 1.0f ? 1.57079633f - v : v, x);
}
__FW_DEVICE float atan2f(float y, float x)
{
    float a = fabsf(x), b = fabsf(y);
    float v = __fw_arctangent(fminf(a, b) / fmaxf(fmaxf(a, b), 1e-37f));
    v = b > a ? 1.57079633f - v : v;
    return copysignf(x < 0.0f ? 3.14159265f - v : v, y);
}
__FW_DEVICE float asinf(float x) { return atan2f(x, sqrtf(fmaf(-x, x, 1.0f))); }
__FW_DEVICE float acosf(float x) { return atan2f(sqrtf(fmaf(-x, x, 1.0f)), x); }
__FW_DEVICE float asinhf(float x)
{
    float a = fabsf(x);
    return copysignf(logf(a + sqrtf(fmaf(a, a, 1.0f))), x);
}
__FW_DEVICE float acoshf(float x) { return logf(x + sqrtf(fmaf(x, x, -1.0f))); }
__FW_DEVICE float atanhf(float x) { return 0.5f * log1pf(2.0f * x / (1.0f - x)); }
__FW_DEVICE float sinpif(float x) { return sinf(3.14159265f * (x - 2.0f * rintf(0.5f * x))); }
__FW_DEVICE float cospif(float x) { return cosf(3.14159265f * (x - 2.0f * rintf(0.5f * x))); }
__FW_DEVICE void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
/* Abramowitz and Stegun 7.1.26. */
__FW_DEVICE float __fw_error_tail(float a)
{
    float t = 1.0f / fmaf(0.3275911f, a, 1.0f);
    float p = fmaf(t, fmaf(t, fmaf(t, fmaf(t, 1.061405429f, -1.453152027f), 1.421413741f),
                           -0.284496736f),
                   0.254829592f);
    return t * p * expf(-a * a);
}
__FW_DEVICE float erff(float x) { return copysignf(1.0f - __fw_error_tail(fabsf(x)), x); }
__FW_DEVICE float erfcf(float x)
{
    float v = __fw_error_tail(fabsf(x));
    return x < 0.0f ? 2.0f - v : v;
}
__FW_DEVICE float normcdff(float x) { return 0.5f * erfcf(-0.707106781f * x); }
/* Stirling's series behind seven steps of the recurrence; x > 0. */
__FW_DEVICE float __fw_log_gamma(float x)
{
    float product = x, z = x + 7.0f, r = 1.0f / z;
#pragma unroll
    for (int i = 1; i < 7; i++)
        product *= x + (float)i;
    return fmaf(z - 0.5f, logf(z), 0.918938533f - z) +
           r * fmaf(r * r, -0.00277777778f, 0.0833333333f) - logf(product);
}
__FW_DEVICE float lgammaf(float x)
{
    float y = x < 0.5f ? 1.0f - x : x, v = __fw_log_gamma(y);
    return x < 0.5f ? logf(3.14159265f / fabsf(sinpif(x))) - v : v;
}
__FW_DEVICE float tgammaf(float x)
{
    float v = expf(__fw_log_gamma(x < 0.5f ? 1.0f - x : x));
    return x < 0.5f ? 3.14159265f / (sinpif(x) * v) : v;
}
__FW_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
__FW_DEVICE float rhypotf(float x, float y) { return rsqrtf(fmaf(x, x, y * y)); }
__FW_DEVICE float norm3df(float x, float y, float z) { return sqrtf(fmaf(x, x, fmaf(y, y, z * z))); }
__FW_DEVICE float rnorm3df(float x, float y, float z)
{
    return rsqrtf(fmaf(x, x, fmaf(y, y, z * z)));
}
__FW_DEVICE float norm4df(float x, float y, float z, float w)
{
    return sqrtf(fmaf(x, x, fmaf(y, y, fmaf(z, z, w * w))));
}
__FW_DEVICE float fdividef(float a, float b) { return a / b; }
__FW_DEVICE float scalbnf(float x, int n)
{
    n = n < -250 ? -250 : n > 250 ? 250 : n;
    int half = n / 2;
    return x * __int_as_float((half + 127) << 23) * __int_as_float((n - half + 127) << 23);
}
__FW_DEVICE float ldexpf(float x, int n) { return scalbnf(x, n); }
__FW_DEVICE int ilogbf(float x)
{
    bool tiny = fabsf(x) < 1.17549435e-38f;
    return (__float_as_int(tiny ? x * 16777216.0f : x) >> 23 & 255) - (tiny ? 151 : 127);
}
__FW_DEVICE float logbf(float x) { return (float)ilogbf(x); }
__FW_DEVICE float frexpf(float x, int *exponent)
{
    bool plain = x != 0.0f && fabsf(x) < __int_as_float(0x7f800000);
    *exponent = plain ? ilogbf(x) + 1 : 0;
    return plain ? scalbnf(x, -*exponent) : x;
}
__FW_DEVICE float modff(float x, float *whole)
{
    *whole = truncf(x);
    return copysignf(x - *whole, x);
}
__FW_DEVICE float remainderf(float x, float y) { return fmaf(-rintf(x / y), y, x); }
__FW_DEVICE float nextafterf(float x, float y)
{
    int bits = __float_as_int(x);
    return x == y     ? y
           : x == 0.0f ? copysignf(__int_as_float(1), y)
                       : __int_as_float(bits + ((x < y) == (x > 0.0f) ? 1 : -1));
}
__FW_DEVICE long lroundf(float x) { return (long)roundf(x); }
__FW_DEVICE long long llroundf(float x) { return (long long)roundf(x); }
__FW_DEVICE long lrintf(float x) { return (long)__float2ll_rn(x); }
__FW_DEVICE long long llrintf(float x) { return __float2ll_rn(x); }

#endif
