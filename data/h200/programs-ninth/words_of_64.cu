/* Numbers of 64 bits: a field whose prime is 2^64 - 2^32 + 1, and keyed hashes; compiled by clang. */
typedef unsigned long long u64;

__device__ __forceinline__ u64 add_mod(u64 a, u64 b)
{
    u64 s = a + b;
    if (s < a || s >= 0xffffffff00000001ull)
        s -= 0xffffffff00000001ull;
    return s;
}

__device__ __forceinline__ u64 sub_mod(u64 a, u64 b)
{
    const u64 d = a - b;
    return a < b ? d + 0xffffffff00000001ull : d;
}

__device__ __forceinline__ u64 mul_mod(u64 a, u64 b)
{
    const u64 lo = a * b, hi = __umul64hi(a, b), top = hi >> 32, mid = hi & 0xffffffffull;
    u64 t = lo - top;
    if (lo < top)
        t -= 0xffffffffull;
    const u64 u = (mid << 32) - mid;
    u64 s = t + u;
    if (s < u)
        s += 0xffffffffull;
    return s >= 0xffffffff00000001ull ? s - 0xffffffff00000001ull : s;
}

/* Two stages of a number-theoretic transform: four elements a thread, at distances of DISTANCE. */
extern "C" __global__ void __launch_bounds__(128) ntt_goldilocks_stages(unsigned long long *__restrict__ data, const unsigned long long *__restrict__ roots, unsigned distance, unsigned quarters)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= quarters)
        return;
    const unsigned k = t % distance, first = (t / distance) * 4 * distance + k;
    u64 a = data[first], b = data[first + distance], c = data[first + 2 * distance], d = data[first + 3 * distance];
    const u64 w1 = roots[distance + k], w2 = roots[2 * distance + k], w3 = roots[3 * distance + k];
    b = mul_mod(b, w1);
    d = mul_mod(d, w1);
    const u64 e = add_mod(a, b), f = sub_mod(a, b), g = mul_mod(add_mod(c, d), w2), h = mul_mod(sub_mod(c, d), w3);
    data[first] = add_mod(e, g);
    data[first + distance] = add_mod(f, h);
    data[first + 2 * distance] = sub_mod(e, g);
    data[first + 3 * distance] = sub_mod(f, h);
}

#define ROTL(x, b) (((x) << (b)) | ((x) >> (64 - (b))))
#define SIPROUND                                  \
    do {                                          \
        v0 += v1, v1 = ROTL(v1, 13), v1 ^= v0;    \
        v0 = ROTL(v0, 32);                        \
        v2 += v3, v3 = ROTL(v3, 16), v3 ^= v2;    \
        v0 += v3, v3 = ROTL(v3, 21), v3 ^= v0;    \
        v2 += v1, v1 = ROTL(v1, 17), v1 ^= v2;    \
        v2 = ROTL(v2, 32);                        \
    } while (0)

/* SipHash-2-4 of keys of WORDS words; keys lie one after another. */
extern "C" __global__ void siphash_keys(const unsigned long long *__restrict__ keys, unsigned long long *__restrict__ hashes, int n, int words, unsigned long long k0, unsigned long long k1)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u64 v0 = k0 ^ 0x736f6d6570736575ull, v1 = k1 ^ 0x646f72616e646f6dull, v2 = k0 ^ 0x6c7967656e657261ull, v3 = k1 ^ 0x7465646279746573ull;
    const u64 *key = keys + (long long)i * words;
    for (int w = 0; w < words; w++) {
        const u64 m = key[w];
        v3 ^= m;
        SIPROUND;
        SIPROUND;
        v0 ^= m;
    }
    const u64 end = (u64)words << 59;
    v3 ^= end;
    SIPROUND;
    SIPROUND;
    v0 ^= end;
    v2 ^= 0xff;
    SIPROUND;
    SIPROUND;
    SIPROUND;
    SIPROUND;
    hashes[i] = v0 ^ v1 ^ v2 ^ v3;
}
