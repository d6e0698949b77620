/* Norms of a transformer: a block a token, packs of 16 bytes, sums by shuffles. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T, int N> struct alignas(sizeof(T) * N) Pack {
    T v[N];
};

template <typename T> __device__ __forceinline__ T warp_sum(T x)
{
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        x += __shfl_xor_sync(0xffffffffu, x, mask);
    return x;
}

template <int WARPS> __device__ __forceinline__ float block_sum(float x)
{
    __shared__ float partial[WARPS];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    x = warp_sum(x);
    if (lane == 0)
        partial[warp] = x;
    __syncthreads();
    return warp_sum(lane < WARPS ? partial[lane] : 0.f);
}

/* A row is kept in registers between the sum and the product. */
template <int THREADS, int PACKS>
__device__ __forceinline__ void rmsnorm_row(const __nv_bfloat16 *x, const __nv_bfloat16 *w, __nv_bfloat16 *y, int hidden, float eps)
{
    using P = Pack<__nv_bfloat16, 8>;
    const P *xp = reinterpret_cast<const P *>(x + (size_t)blockIdx.x * hidden);
    const P *wp = reinterpret_cast<const P *>(w);
    P *yp = reinterpret_cast<P *>(y + (size_t)blockIdx.x * hidden);
    const int packs = hidden / 8;
    P keep[PACKS];
    float squares = 0.f;
#pragma unroll
    for (int k = 0; k < PACKS; k++) {
        const int i = threadIdx.x + k * THREADS;
        if (i < packs) {
            keep[k] = xp[i];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float f = __bfloat162float(keep[k].v[j]);
                squares += f * f;
            }
        }
    }
    const float scale = rsqrtf(block_sum<THREADS / 32>(squares) / hidden + eps);
#pragma unroll
    for (int k = 0; k < PACKS; k++) {
        const int i = threadIdx.x + k * THREADS;
        if (i < packs) {
            const P gain = wp[i];
            P out;
#pragma unroll
            for (int j = 0; j < 8; j++)
                out.v[j] = __float2bfloat16(__bfloat162float(keep[k].v[j]) * scale * __bfloat162float(gain.v[j]));
            yp[i] = out;
        }
    }
}

extern "C" __global__ void __launch_bounds__(256) rmsnorm_bf16(const __nv_bfloat16 *__restrict__ x, const __nv_bfloat16 *__restrict__ w, __nv_bfloat16 *__restrict__ y, int hidden, float eps)
{
    rmsnorm_row<256, 4>(x, w, y, hidden, eps);
}

/* residual += input; input = norm(residual) * weight.  The second pass finds the row in the caches. */
extern "C" __global__ void fused_add_rmsnorm_half(__half *__restrict__ input, __half *__restrict__ residual, const __half *__restrict__ weight, float eps, int hidden)
{
    using P = Pack<__half2, 4>;
    const int packs = hidden / 8;
    P *in = reinterpret_cast<P *>(input) + (long long)blockIdx.x * packs;
    P *res = reinterpret_cast<P *>(residual) + (long long)blockIdx.x * packs;
    const P *wt = reinterpret_cast<const P *>(weight);
    __shared__ float s_scale;
    __shared__ float s_part[32];
    float variance = 0.f;
    for (int i = threadIdx.x; i < packs; i += blockDim.x) {
        P a = in[i];
        const P b = res[i];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            a.v[j] = __hadd2(a.v[j], b.v[j]);
            const float2 f = __half22float2(a.v[j]);
            variance += f.x * f.x + f.y * f.y;
        }
        res[i] = a;
    }
    variance = warp_sum(variance);
    if ((threadIdx.x & 31) == 0)
        s_part[threadIdx.x >> 5] = variance;
    __syncthreads();
    if (threadIdx.x < 32) {
        const float all = warp_sum(threadIdx.x < (blockDim.x >> 5) ? s_part[threadIdx.x] : 0.f);
        if (threadIdx.x == 0)
            s_scale = rsqrtf(all / hidden + eps);
    }
    __syncthreads();
    const __half2 scale = __float2half2_rn(s_scale);
    for (int i = threadIdx.x; i < packs; i += blockDim.x) {
        P a = res[i];
        const P w = wt[i];
#pragma unroll
        for (int j = 0; j < 4; j++)
            a.v[j] = __hmul2(__hmul2(a.v[j], scale), w.v[j]);
        in[i] = a;
    }
}
