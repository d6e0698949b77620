// Transforms: 1024 complex numbers in shared memory by radix 4, and a stage of one over a prime field.

__device__ __forceinline__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ __forceinline__ float2 quarter(float2 a) { return make_float2(a.y, -a.x); } // times -i

__device__ __forceinline__ void radix4(float2 v[4])
{
    const float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = quarter(v[1] - v[3]);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
}

// twiddles: 1024 of them, table[k] = exp(-2 pi i k / 1024)
extern "C" __global__ void __launch_bounds__(256) fft1024(const float2 *__restrict__ in, float2 *__restrict__ out, const float2 *__restrict__ table)
{
    __shared__ float2 s[1024];
    const int t = threadIdx.x;
    in += (size_t)blockIdx.x * 1024;
    out += (size_t)blockIdx.x * 1024;
    float2 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = in[t + 256 * k];
#pragma unroll
    for (int p = 1; p < 1024; p *= 4) { // Stockham: v[k] comes from t + 256 k
        const int j = t & (p - 1);
        if (p > 1) {
#pragma unroll
            for (int k = 1; k < 4; k++)
                v[k] = v[k] * __ldg(table + j * k * (256 / p));
        }
        radix4(v);
        const int to = (t - j) * 4 + j;
        if (p < 256) {
            __syncthreads();
#pragma unroll
            for (int k = 0; k < 4; k++)
                s[to + k * p] = v[k];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < 4; k++)
                v[k] = s[t + 256 * k];
        } else {
#pragma unroll
            for (int k = 0; k < 4; k++)
                out[to + k * p] = v[k];
        }
    }
}

typedef unsigned long long u64;
#define PRIME 0xffffffff00000001ull

__device__ __forceinline__ u64 add_mod(u64 a, u64 b)
{
    u64 s = a + b;
    if (s < a || s >= PRIME)
        s -= PRIME;
    return s;
}

__device__ __forceinline__ u64 sub_mod(u64 a, u64 b) { return a >= b ? a - b : a - b + PRIME; }

// 2^64 = 2^32 - 1 and 2^96 = -1 modulo the prime
__device__ __forceinline__ u64 mul_mod(u64 a, u64 b)
{
    const u64 low = a * b, high = __umul64hi(a, b);
    const u64 hh = high >> 32, hl = high & 0xffffffffull;
    u64 r = low - hh;
    if (low < hh)
        r += PRIME;
    const u64 m = hl * 0xffffffffull;
    u64 s = r + m;
    if (s < m)
        s += 0xffffffffull;
    return s >= PRIME ? s - PRIME : s;
}

// One stage over 2^bits numbers below the prime: pairs that lie 2^stage apart.
extern "C" __global__ void prime_stage(u64 *__restrict__ data, const u64 *__restrict__ twiddles, int bits, int stage)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= 1u << (bits - 1))
        return;
    const unsigned j = t & ((1u << stage) - 1), i = (t >> stage << (stage + 1)) + j;
    const u64 w = twiddles[j << (bits - 1 - stage)], a = data[i], b = mul_mod(data[i + (1u << stage)], w);
    data[i] = add_mod(a, b);
    data[i + (1u << stage)] = sub_mod(a, b);
}
