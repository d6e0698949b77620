/* The last part of forewarp_cuda.h: mathematics of f64, and the names of f32 as C++ overloads. */
#ifndef FOREWARP_CUDA_MATH64_H
#define FOREWARP_CUDA_MATH64_H

/* ---- f64 mathematics ---- */

__FW_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
__FW_DEVICE double rsqrt(double x) { return 1.0 / __nvvm_sqrt_rn_d(x); }
__FW_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__FW_DEVICE double fmin(double a, double b) { return __builtin_fmin(a, b); }
__FW_DEVICE double fmax(double a, double b) { return __builtin_fmax(a, b); }
__FW_DEVICE double fabs(double x) { return __builtin_fabs(x); }
__FW_DEVICE double floor(double x) { return __builtin_floor(x); }
__FW_DEVICE double ceil(double x) { return __builtin_ceil(x); }
__FW_DEVICE double trunc(double x) { return __builtin_trunc(x); }
__FW_DEVICE double rint(double x) { return __builtin_rint(x); }
__FW_DEVICE double copysign(double x, double y) { return __builtin_copysign(x, y); }
__FW_DEVICE double round(double x)
{
    double t = trunc(x);
    return fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t;
}
__FW_DEVICE double fmod(double x, double y) { return fma(-trunc(x / y), y, x); }
__FW_DEVICE double hypot(double x, double y) { return sqrt(fma(x, x, y * y)); }

__FW_DEVICE double exp(double x)
{
    double n = rint(fmax(fmin(x, 710.0), -746.0) * 1.4426950408889634);
    double r = fma(n, -2.3190468138462996e-17, fma(n, -0.6931471805599453, x)), p = 1.0 / 6227020800.0;
    const double terms[] = {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                            1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,     1.0 / 120.0,
                            1.0 / 24.0,        1.0 / 6.0,        0.5,             1.0,
                            1.0};
#pragma unroll
    for (int i = 0; i < 13; i++)
        p = fma(p, r, terms[i]);
    int k = (int)n, half = k / 2;
    double a = __longlong_as_double((long long)(half + 1023) << 52);
    double b = __longlong_as_double((long long)(k - half + 1023) << 52);
    return x > 709.79 ? __longlong_as_double(0x7ff0000000000000) : x < -745.2 ? 0.0 : p * a * b;
}
__FW_DEVICE double exp2(double x) { return exp(x * 0.6931471805599453); }
__FW_DEVICE double log(double x)
{
    bool tiny = x < 2.2250738585072014e-308;
    double scaled = tiny ? x * 18014398509481984.0 : x;
    long long bits = __double_as_longlong(scaled);
    long long e = (bits - 0x3fe5555555555555) >> 52;
    double m = __longlong_as_double(bits - (e << 52));
    double s = (m - 1.0) / (m + 1.0), t = s * s, p = 2.0 / 21;
#pragma unroll
    for (int i = 19; i >= 3; i -= 2)
        p = fma(p, t, 2.0 / i);
    double y = fma((double)(e - (tiny ? 54 : 0)), 0.6931471805599453, fma(s * t, p, 2.0 * s));
    y = bits >= 0x7ff0000000000000 ? scaled : y;
    return x == 0.0  ? -__longlong_as_double(0x7ff0000000000000)
           : x < 0.0 ? __longlong_as_double(0x7fffffffffffffff)
                     : y;
}
__FW_DEVICE double log2(double x) { return log(x) * 1.4426950408889634; }
__FW_DEVICE double log10(double x) { return log(x) * 0.4342944819032518; }
__FW_DEVICE double pow(double x, double y)
{
    double v = exp(y * log(fabs(x)));
    bool whole = trunc(y) == y, odd = whole && fabs(fmod(y, 2.0)) == 1.0;
    v = x < 0.0 ? (whole ? (odd ? -v : v) : __longlong_as_double(0x7fffffffffffffff)) : v;
    return y == 0.0 || x == 1.0 ? 1.0 : v;
}
__FW_DEVICE double __fw_reduce(double x, int *n)
{
    double k = rint(x * 0.6366197723675814);
    *n = (int)k;
    return fma(k, -6.123233995736766e-17, fma(k, -1.5707963267948966, x));
}
__FW_DEVICE double __fw_sine(double r)
{
    double t = r * r, p = 1.0 / 355687428096000.0;
    const double terms[] = {-1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0,
                            1.0 / 362880.0,         -1.0 / 5040.0,      1.0 / 120.0,
                            -1.0 / 6.0};
#pragma unroll
    for (int i = 0; i < 7; i++)
        p = fma(p, t, terms[i]);
    return fma(r * t, p, r);
}
__FW_DEVICE double __fw_cosine(double r)
{
    double t = r * r, p = 1.0 / 20922789888000.0;
    const double terms[] = {-1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
                            1.0 / 40320.0,        -1.0 / 720.0,      1.0 / 24.0,
                            -0.5};
#pragma unroll
    for (int i = 0; i < 7; i++)
        p = fma(p, t, terms[i]);
    return fma(t, p, 1.0);
}
__FW_DEVICE double sin(double x)
{
    int n;
    double r = __fw_reduce(x, &n), v = n & 1 ? __fw_cosine(r) : __fw_sine(r);
    return n & 2 ? -v : v;
}
__FW_DEVICE double cos(double x)
{
    int n;
    double r = __fw_reduce(x, &n), v = n & 1 ? __fw_sine(r) : __fw_cosine(r);
    return (n + 1) & 2 ? -v : v;
}
__FW_DEVICE double tan(double x) { return sin(x) / cos(x); }
__FW_DEVICE double tanh(double x)
{
    double e = exp(2.0 * fabs(x)), t = x * x, p = 21844.0 / 6081075;
    const double terms[] = {-1382.0 / 155925, 62.0 / 2835, -17.0 / 315, 2.0 / 15, -1.0 / 3};
#pragma unroll
    for (int i = 0; i < 5; i++)
        p = fma(p, t, terms[i]);
    return fabs(x) < 0.1 ? fma(x * t, p, x) : copysign(1.0 - 2.0 / (e + 1.0), x);
}
__FW_DEVICE double nearbyint(double x) { return __builtin_rint(x); }
__FW_DEVICE double fdim(double x, double y) { return x > y ? x - y : 0.0; }
__FW_DEVICE double exp10(double x) { return exp(x * 2.302585092994046); }
__FW_DEVICE double expm1(double x)
{
    double e = exp(x);
    return fabs(x) < 1e-5 ? fma(0.5 * x, x, x) : e == 1.0 ? x : (e - 1.0) * x / log(e);
}
__FW_DEVICE double log1p(double x)
{
    double u = 1.0 + x;
    return u == 1.0 ? x : log(u) * x / (u - 1.0);
}
__FW_DEVICE double cbrt(double x)
{
    double a = fabs(x), y = exp(log(a) * 0.3333333333333333);
    y = fma(-0.3333333333333333, y - a / (y * y), y);
    return a == 0.0 ? x : copysign(y, x);
}
__FW_DEVICE double sinh(double x) { return 0.5 * (exp(x) - exp(-x)); }
__FW_DEVICE double cosh(double x) { return 0.5 * (exp(x) + exp(-x)); }
/* The angle halved twice, then Taylor's series. */
__FW_DEVICE double __fw_arctangent(double x)
{
    double a = x / (1.0 + sqrt(fma(x, x, 1.0)));
    a = a / (1.0 + sqrt(fma(a, a, 1.0)));
    double t = a * a, p = 1.0 / 23.0;
#pragma unroll
    for (int i = 21; i >= 3; i -= 2)
        p = fma(-t, p, 1.0 / i);
    return 4.0 * fma(-a * t, p, a);
}
__FW_DEVICE double atan(double x)
{
    double a = fabs(x), v = __fw_arctangent(a > 1.0 ? 1.0 / a : a);
    return copysign(a > 1.0 ? 1.5707963267948966 - v : v, x);
}
__FW_DEVICE double atan2(double y, double x)
{
    double a = fabs(x), b = fabs(y), v = __fw_arctangent(fmin(a, b) / fmax(fmax(a, b), 1e-300));
    v = b > a ? 1.5707963267948966 - v : v;
    return copysign(x < 0.0 ? 3.141592653589793 - v : v, y);
}
__FW_DEVICE double asin(double x) { return atan2(x, sqrt(fma(-x, x, 1.0))); }
__FW_DEVICE double acos(double x) { return atan2(sqrt(fma(-x, x, 1.0)), x); }
__FW_DEVICE double asinh(double x)
{
    double a = fabs(x);
    return copysign(log1p(a + a * a / (1.0 + sqrt(fma(a, a, 1.0)))), x);
}
__FW_DEVICE double acosh(double x) { return log(x + sqrt(fma(x, x, -1.0))); }
__FW_DEVICE double atanh(double x) { return 0.5 * log1p(2.0 * x / (1.0 - x)); }
__FW_DEVICE double sinpi(double x) { return sin(3.141592653589793 * (x - 2.0 * rint(0.5 * x))); }
__FW_DEVICE double cospi(double x) { return cos(3.141592653589793 * (x - 2.0 * rint(0.5 * x))); }
__FW_DEVICE void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}
__FW_DEVICE void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
/* Abramowitz and Stegun 7.1.6 (a series) below 2.5, 7.1.14 (a continued fraction) above. */
__FW_DEVICE double erfc(double x)
{
    double a = fabs(x), t = a * a, e = exp(-t), p = 0.0, q = a;
#pragma unroll
    for (int n = 40; n >= 1; n--)
        p = (p + 1.0) * t * (2.0 / (2 * n + 1));
#pragma unroll
    for (int n = 40; n >= 1; n--)
        q = a + 0.5 * n / q;
    double v = a < 2.5 ? 1.0 - 1.1283791670955126 * a * e * (1.0 + p) : 0.5641895835477563 * e / q;
    return x < 0.0 ? 2.0 - v : v;
}
__FW_DEVICE double erf(double x) { return 1.0 - erfc(x); }
__FW_DEVICE double normcdf(double x) { return 0.5 * erfc(-0.7071067811865476 * x); }
__FW_DEVICE double __fw_log_gamma(double x)
{
    double product = x, z = x + 9.0, r = 1.0 / z, t = r * r;
#pragma unroll
    for (int i = 1; i < 9; i++)
        product *= x + (double)i;
    double p = fma(t, fma(t, fma(t, fma(t, 8.417508417508417e-4, -5.952380952380953e-4),
                                 7.936507936507937e-4),
                          -2.777777777777778e-3),
                   8.333333333333333e-2);
    return fma(z - 0.5, log(z), 0.9189385332046727 - z) + r * p - log(product);
}
__FW_DEVICE double lgamma(double x)
{
    double y = x < 0.5 ? 1.0 - x : x, v = __fw_log_gamma(y);
    return x < 0.5 ? log(3.141592653589793 / fabs(sinpi(x))) - v : v;
}
__FW_DEVICE double tgamma(double x)
{
    double v = exp(__fw_log_gamma(x < 0.5 ? 1.0 - x : x));
    return x < 0.5 ? 3.141592653589793 / (sinpi(x) * v) : v;
}
__FW_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
__FW_DEVICE double rhypot(double x, double y) { return rsqrt(fma(x, x, y * y)); }
__FW_DEVICE double norm3d(double x, double y, double z) { return sqrt(fma(x, x, fma(y, y, z * z))); }
__FW_DEVICE double rnorm3d(double x, double y, double z)
{
    return rsqrt(fma(x, x, fma(y, y, z * z)));
}
__FW_DEVICE double scalbn(double x, int n)
{
    n = n < -2000 ? -2000 : n > 2000 ? 2000 : n;
    int half = n / 2;
    return x * __longlong_as_double((long long)(half + 1023) << 52) *
           __longlong_as_double((long long)(n - half + 1023) << 52);
}
__FW_DEVICE double ldexp(double x, int n) { return scalbn(x, n); }
__FW_DEVICE int ilogb(double x)
{
    bool tiny = fabs(x) < 2.2250738585072014e-308;
    return (int)(__double_as_longlong(tiny ? x * 18014398509481984.0 : x) >> 52 & 2047) -
           (tiny ? 1077 : 1023);
}
__FW_DEVICE double logb(double x) { return (double)ilogb(x); }
__FW_DEVICE double frexp(double x, int *exponent)
{
    bool plain = x != 0.0 && fabs(x) < __longlong_as_double(0x7ff0000000000000);
    *exponent = plain ? ilogb(x) + 1 : 0;
    return plain ? scalbn(x, -*exponent) : x;
}
__FW_DEVICE double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(x - *whole, x);
}
__FW_DEVICE double remainder(double x, double y) { return fma(-rint(x / y), y, x); }
__FW_DEVICE long lround(double x) { return (long)round(x); }
__FW_DEVICE long long llround(double x) { return (long long)round(x); }
__FW_DEVICE long lrint(double x) { return (long)__double2ll_rn(x); }
__FW_DEVICE long long llrint(double x) { return __double2ll_rn(x); }

/* ---- the same names for f32, as C++ overloads ---- */

#define __FW_OVERLOAD1(name) __FW_DEVICE float name(float x) { return name##f(x); }
__FW_OVERLOAD1(sqrt)
__FW_OVERLOAD1(rsqrt)
__FW_OVERLOAD1(exp)
__FW_OVERLOAD1(exp2)
__FW_OVERLOAD1(log)
__FW_OVERLOAD1(log2)
__FW_OVERLOAD1(log10)
__FW_OVERLOAD1(sin)
__FW_OVERLOAD1(cos)
__FW_OVERLOAD1(tan)
__FW_OVERLOAD1(tanh)
__FW_OVERLOAD1(fabs)
__FW_OVERLOAD1(floor)
__FW_OVERLOAD1(ceil)
__FW_OVERLOAD1(trunc)
__FW_OVERLOAD1(rint)
__FW_OVERLOAD1(round)
__FW_OVERLOAD1(nearbyint)
__FW_OVERLOAD1(exp10)
__FW_OVERLOAD1(expm1)
__FW_OVERLOAD1(log1p)
__FW_OVERLOAD1(cbrt)
__FW_OVERLOAD1(sinh)
__FW_OVERLOAD1(cosh)
__FW_OVERLOAD1(asin)
__FW_OVERLOAD1(acos)
__FW_OVERLOAD1(atan)
__FW_OVERLOAD1(asinh)
__FW_OVERLOAD1(acosh)
__FW_OVERLOAD1(atanh)
__FW_OVERLOAD1(sinpi)
__FW_OVERLOAD1(cospi)
__FW_OVERLOAD1(erf)
__FW_OVERLOAD1(erfc)
__FW_OVERLOAD1(lgamma)
__FW_OVERLOAD1(tgamma)
__FW_OVERLOAD1(rcbrt)
__FW_OVERLOAD1(normcdf)
__FW_OVERLOAD1(logb)
__FW_DEVICE float atan2(float y, float x) { return atan2f(y, x); }
__FW_DEVICE float hypot(float x, float y) { return hypotf(x, y); }
__FW_DEVICE float fdim(float x, float y) { return fdimf(x, y); }
__FW_DEVICE float copysign(float x, float y) { return copysignf(x, y); }
__FW_DEVICE float remainder(float x, float y) { return remainderf(x, y); }
__FW_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
__FW_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
__FW_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
__FW_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
__FW_DEVICE int ilogb(float x) { return ilogbf(x); }
__FW_DEVICE long lround(float x) { return lroundf(x); }
__FW_DEVICE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__FW_DEVICE float pow(float x, float y) { return powf(x, y); }
__FW_DEVICE float pow(float x, int y) { return powf(x, (float)y); }
__FW_DEVICE double pow(double x, int y) { return pow(x, (double)y); }
__FW_DEVICE float fmod(float x, float y) { return fmodf(x, y); }
__FW_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
__FW_DEVICE float fmin(float a, float b) { return fminf(a, b); }
__FW_DEVICE float fmax(float a, float b) { return fmaxf(a, b); }
__FW_DEVICE float abs(float x) { return __builtin_fabsf(x); }
__FW_DEVICE double abs(double x) { return __builtin_fabs(x); }
__FW_DEVICE int abs(int x) { return __builtin_abs(x); }
__FW_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
__FW_DEVICE bool isnan(float x) { return x != x; }
__FW_DEVICE bool isnan(double x) { return x != x; }
__FW_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
__FW_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
__FW_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
__FW_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
__FW_DEVICE bool signbit(float x) { return __float_as_int(x) < 0; }
__FW_DEVICE bool signbit(double x) { return __double_as_longlong(x) < 0; }
__FW_DEVICE long labs(long x) { return __builtin_labs(x); }
__FW_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }
__FW_DEVICE long abs(long x) { return __builtin_labs(x); }

#endif
