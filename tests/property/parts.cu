/* Halves and bytes of words (__vadd2, __vcmpgtu4, ...) against arithmetic on each part: a difference traps.  Without
 * any header, as nvcc needs none. */

template <int BITS> struct parts {
    static constexpr long most = (1l << (BITS - 1)) - 1, least = -most - 1, all = 2 * most + 1;
    __device__ static long u(unsigned a, int i) { return a >> (i * BITS) & all; }
    __device__ static long s(unsigned a, int i) { return u(a, i) > most ? u(a, i) - all - 1 : u(a, i); }
    __device__ static long held(long v, long low, long high) { return v < low ? low : v > high ? high : v; }
    __device__ static long size(long v) { return v < 0 ? -v : v; }
    template <class F> __device__ static unsigned each(unsigned a, unsigned b, F f)
    {
        unsigned r = 0;
        for (int i = 0; i < 32 / BITS; i++)
            r |= (unsigned)(f(s(a, i), s(b, i), u(a, i), u(b, i)) & all) << (i * BITS);
        return r;
    }
    template <class F> __device__ static unsigned sum(unsigned a, unsigned b, F f)
    {
        unsigned r = 0;
        for (int i = 0; i < 32 / BITS; i++)
            r += (unsigned)f(s(a, i), s(b, i), u(a, i), u(b, i));
        return r;
    }
};

__device__ static void same(unsigned a, unsigned b)
{
    if (a != b)
        __trap();
}

#define WANTED(how, value)                                                                                                      \
    [&](unsigned a, unsigned b) { return P::how(a, b, [](long sa, long sb, long ua, long ub) -> long { return value; }); }(a, b)
#define TWO(name, how, value)                                                                                                   \
    {                                                                                                                           \
        {                                                                                                                       \
            using P = parts<16>;                                                                                                \
            same(__v##name##2(a, b), WANTED(how, value));                                                                       \
        }                                                                                                                       \
        using P = parts<8>;                                                                                                     \
        same(__v##name##4(a, b), WANTED(how, value));                                                                           \
    }
#define ONE(name, value)                                                                                                        \
    {                                                                                                                           \
        {                                                                                                                       \
            using P = parts<16>;                                                                                                \
            same(__v##name##2(a), WANTED(each, value));                                                                         \
        }                                                                                                                       \
        using P = parts<8>;                                                                                                     \
        same(__v##name##4(a), WANTED(each, value));                                                                             \
    }
#define TOLD(name, condition)                                                                                                   \
    TWO(cmp##name, each, condition ? -1 : 0)                                                                                    \
    TWO(set##name, each, condition ? 1 : 0)

extern "C" __global__ void parts_agree(const unsigned *words, unsigned *done)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = words[2 * i], b = words[2 * i + 1];
    if (i % 4 == 1) /* parts at their limits */
        a = (a & 0x80808080u) ^ 0x7f7f7f7fu, b &= 0x81818181u;
    if (i % 4 == 2)
        b = a ^ (1u << (b & 31));
    if (i % 4 == 3)
        b = a & 0x80008000u;
    TWO(absdiffs, each, P::size(sa - sb))
    TWO(absdiffu, each, P::size(ua - ub))
    TWO(add, each, ua + ub)
    TWO(addss, each, P::held(sa + sb, P::least, P::most))
    TWO(addus, each, P::held(ua + ub, 0, P::all))
    TWO(avgs, each, sa + sb < 0 ? -((1 - sa - sb) >> 1) : (sa + sb + 1) >> 1)
    TWO(avgu, each, (ua + ub + 1) >> 1)
    TWO(haddu, each, (ua + ub) >> 1)
    TWO(maxs, each, sa > sb ? sa : sb)
    TWO(maxu, each, ua > ub ? ua : ub)
    TWO(mins, each, sa < sb ? sa : sb)
    TWO(minu, each, ua < ub ? ua : ub)
    TWO(sads, sum, P::size(sa - sb))
    TWO(sadu, sum, P::size(ua - ub))
    TWO(sub, each, ua - ub)
    TWO(subss, each, P::held(sa - sb, P::least, P::most))
    TWO(subus, each, P::held(ua - ub, 0, P::all))
    TOLD(eq, ua == ub)
    TOLD(ges, sa >= sb)
    TOLD(geu, ua >= ub)
    TOLD(gts, sa > sb)
    TOLD(gtu, ua > ub)
    TOLD(les, sa <= sb)
    TOLD(leu, ua <= ub)
    TOLD(lts, sa < sb)
    TOLD(ltu, ua < ub)
    TOLD(ne, ua != ub)
    ONE(abs, P::size(sa))
    ONE(absss, P::held(P::size(sa), 0, P::most))
    ONE(neg, -sa)
    ONE(negss, P::held(-sa, P::least, P::most))
    done[i] = 1;
}

/* What nvcc's own inclusion of <math.h> and <limits.h> leaves. */
extern "C" __global__ void constants_of_the_host(float *f, double *d, long long *i)
{
    f[threadIdx.x] = fminf(f[threadIdx.x], INFINITY) + (f[0] == HUGE_VALF ? NAN : 0.0f);
    d[threadIdx.x] = d[0] * (M_PI + M_PI_2 + M_PI_4 + M_1_PI + M_2_PI + M_2_SQRTPI + M_SQRT2 + M_SQRT1_2 + M_E + M_LN2 + M_LN10 + M_LOG2E + M_LOG10E) + (d[1] == HUGE_VAL);
    i[threadIdx.x] = i[0] ^ INT_MAX ^ INT_MIN ^ UINT_MAX ^ LONG_MAX ^ LONG_MIN ^ LLONG_MAX ^ LLONG_MIN ^ SHRT_MAX ^ SHRT_MIN ^ USHRT_MAX ^ SCHAR_MAX ^ SCHAR_MIN ^ UCHAR_MAX ^
                     (long long)(ULONG_MAX ^ ULLONG_MAX);
}
