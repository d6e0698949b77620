/* Scales of groups and of rows. */
#include <cuda_bf16.h>
#include <cuda_fp8.h>

/* Groups of channels, channels last: a block an image and a group of CPG channels. */
template <int CPG, int THREADS>
__device__ __forceinline__ void group_norm(const __nv_bfloat16 *x, const float *gamma, const float *beta, __nv_bfloat16 *y, int pixels, int channels, float eps)
{
    __shared__ float s_sum[THREADS / 32], s_sq[THREADS / 32];
    const size_t origin = (size_t)blockIdx.y * pixels * channels + blockIdx.x * CPG;
    const int c = threadIdx.x % (CPG / 2), p0 = threadIdx.x / (CPG / 2), step = THREADS / (CPG / 2);
    float sum = 0, sq = 0;
    for (int p = p0; p < pixels; p += step) {
        const float2 v = __bfloat1622float2(reinterpret_cast<const __nv_bfloat162 *>(x + origin + (size_t)p * channels)[c]);
        sum += v.x + v.y;
        sq += v.x * v.x + v.y * v.y;
    }
    for (int o = 16; o; o >>= 1) {
        sum += __shfl_xor_sync(0xffffffff, sum, o);
        sq += __shfl_xor_sync(0xffffffff, sq, o);
    }
    if (threadIdx.x % 32 == 0)
        s_sum[threadIdx.x / 32] = sum, s_sq[threadIdx.x / 32] = sq;
    __syncthreads();
    sum = sq = 0;
    for (int w = 0; w < THREADS / 32; w++)
        sum += s_sum[w], sq += s_sq[w];
    const float mean = sum / ((float)pixels * CPG), scale = rsqrtf(sq / ((float)pixels * CPG) - mean * mean + eps);
    const float2 g = reinterpret_cast<const float2 *>(gamma + blockIdx.x * CPG)[c], b = reinterpret_cast<const float2 *>(beta + blockIdx.x * CPG)[c];
    for (int p = p0; p < pixels; p += step) {
        const size_t at = origin + (size_t)p * channels;
        float2 v = __bfloat1622float2(reinterpret_cast<const __nv_bfloat162 *>(x + at)[c]);
        v.x = (v.x - mean) * scale * g.x + b.x;
        v.y = (v.y - mean) * scale * g.y + b.y;
        v.x = v.x / (1.0f + __expf(-v.x));
        v.y = v.y / (1.0f + __expf(-v.y));
        reinterpret_cast<__nv_bfloat162 *>(y + at)[c] = __floats2bfloat162_rn(v.x, v.y);
    }
}

extern "C" __global__ void group_norm_silu(const __nv_bfloat16 *x, const float *gamma, const float *beta, __nv_bfloat16 *y, int pixels, int channels, float eps)
{
    group_norm<16, 512>(x, gamma, beta, y, pixels, channels, eps);
}

/* To 8 bits a number with a scale a row, from the row's largest magnitude; a row a block. */
extern "C" __global__ void rows_to_fp8(const uint4 *__restrict__ in, uint2 *__restrict__ out, float *__restrict__ scales, int packs)
{
    __shared__ float warps[32];
    const uint4 *row = in + (size_t)blockIdx.x * packs;
    __nv_bfloat162 most = __float2bfloat162_rn(0.0f);
    for (int i = threadIdx.x; i < packs; i += blockDim.x) {
        const uint4 v = __ldg(row + i);
        const __nv_bfloat162 *h = reinterpret_cast<const __nv_bfloat162 *>(&v);
#pragma unroll
        for (int k = 0; k < 4; k++)
            most = __hmax2(most, __habs2(h[k]));
    }
    float top = fmaxf(__low2float(most), __high2float(most));
#pragma unroll
    for (int o = 16; o; o /= 2)
        top = fmaxf(top, __shfl_down_sync(~0u, top, o));
    if (!(threadIdx.x & 31))
        warps[threadIdx.x >> 5] = top;
    __syncthreads();
    if (threadIdx.x < 32) {
        top = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
#pragma unroll
        for (int o = 16; o; o /= 2)
            top = fmaxf(top, __shfl_down_sync(~0u, top, o));
        if (threadIdx.x == 0) {
            warps[0] = top;
            scales[blockIdx.x] = top / 448.0f;
        }
    }
    __syncthreads();
    const float by = warps[0] > 0 ? 448.0f / warps[0] : 0.0f;
    for (int i = threadIdx.x; i < packs; i += blockDim.x) {
        const uint4 v = __ldcs(row + i);
        const __nv_bfloat162 *h = reinterpret_cast<const __nv_bfloat162 *>(&v);
        unsigned short q[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float2 f = __bfloat1622float2(h[k]);
            f.x *= by, f.y *= by;
            q[k] = __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __NV_E4M3);
        }
        __stcs(out + (size_t)blockIdx.x * packs + i, make_uint2(q[0] | (unsigned)q[1] << 16, q[2] | (unsigned)q[3] << 16));
    }
}
