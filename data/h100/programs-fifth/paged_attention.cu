// One new token attends to a paged cache of keys and values; parts of long sequences are combined afterwards.
#include <cuda_fp16.h>
#include <math_constants.h>

namespace {
constexpr int kHead = 128, kPage = 16, kWarps = 4;

struct Softmax {
    float max = -CUDART_INF_F, sum = 0.f;
    float4 acc = {0.f, 0.f, 0.f, 0.f};

    __device__ void add(float score, const float4 &v)
    {
        const float m = fmaxf(max, score), keep = __expf(max - m), p = __expf(score - m);
        sum = sum * keep + p;
        acc.x = acc.x * keep + p * v.x;
        acc.y = acc.y * keep + p * v.y;
        acc.z = acc.z * keep + p * v.z;
        acc.w = acc.w * keep + p * v.w;
        max = m;
    }
};

__device__ __forceinline__ float4 four(const __half *p)
{
    const uint2 raw = *reinterpret_cast<const uint2 *>(p);
    const float2 a = __half22float2(*reinterpret_cast<const __half2 *>(&raw.x)), b = __half22float2(*reinterpret_cast<const __half2 *>(&raw.y));
    return make_float4(a.x, a.y, b.x, b.y);
}
}

// grid: heads x sequences; caches: [page][kv head][slot][128]
extern "C" __global__ void __launch_bounds__(128) paged_decode(const __half *__restrict__ q, const __half *__restrict__ k_cache, const __half *__restrict__ v_cache,
    const int *__restrict__ block_tables, const int *__restrict__ context_lens, __half *__restrict__ out, int kv_heads, int max_pages, float scale)
{
    __shared__ float s_max[kWarps], s_sum[kWarps];
    __shared__ float4 s_acc[kWarps][32];
    const int head = blockIdx.x, seq = blockIdx.y, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int kv = head / (gridDim.x / kv_heads);
    const int len = context_lens[seq];
    float4 query = four(q + ((long long)seq * gridDim.x + head) * kHead + lane * 4);
    query.x *= scale, query.y *= scale, query.z *= scale, query.w *= scale;
    Softmax state;
    for (int page = warp; page < (len + kPage - 1) / kPage; page += kWarps) {
        const long long where = ((long long)block_tables[seq * max_pages + page] * kv_heads + kv) * kPage * kHead + lane * 4;
        const int here = min(kPage, len - page * kPage);
        for (int t = 0; t < here; t++) {
            const float4 k = four(k_cache + where + t * kHead);
            float score = query.x * k.x + query.y * k.y + query.z * k.z + query.w * k.w;
#pragma unroll
            for (int m = 16; m; m /= 2)
                score += __shfl_xor_sync(~0u, score, m);
            state.add(score, four(v_cache + where + t * kHead));
        }
    }
    if (lane == 0)
        s_max[warp] = state.max, s_sum[warp] = state.sum;
    s_acc[warp][lane] = state.acc;
    __syncthreads();
    if (warp == 0) {
        const float m = fmaxf(fmaxf(s_max[0], s_max[1]), fmaxf(s_max[2], s_max[3]));
        float total = 0.f;
        float4 r = {0.f, 0.f, 0.f, 0.f};
#pragma unroll
        for (int w = 0; w < kWarps; w++) {
            const float f = __expf(s_max[w] - m);
            total += f * s_sum[w];
            r.x += f * s_acc[w][lane].x, r.y += f * s_acc[w][lane].y, r.z += f * s_acc[w][lane].z, r.w += f * s_acc[w][lane].w;
        }
        const float inverse = __fdividef(1.f, total + 1e-6f);
        __half2 *to = reinterpret_cast<__half2 *>(out + ((long long)seq * gridDim.x + head) * kHead + lane * 4);
        to[0] = __floats2half2_rn(r.x * inverse, r.y * inverse);
        to[1] = __floats2half2_rn(r.z * inverse, r.w * inverse);
    }
}

// partial: [sequence][head][split][128], lse: [sequence][head][split]
extern "C" __global__ void combine_splits(const float *__restrict__ partial, const float *__restrict__ lse, __half *__restrict__ out, int splits)
{
    extern __shared__ float weight[];
    const long long row = (long long)blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x < 32) {
        float m = -CUDART_INF_F;
        for (int s = threadIdx.x; s < splits; s += 32)
            m = fmaxf(m, lse[row * splits + s]);
        for (int o = 16; o; o >>= 1)
            m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
        float sum = 0.f;
        for (int s = threadIdx.x; s < splits; s += 32)
            sum += weight[s] = __expf(lse[row * splits + s] - m);
        for (int o = 16; o; o >>= 1)
            sum += __shfl_xor_sync(~0u, sum, o);
        for (int s = threadIdx.x; s < splits; s += 32)
            weight[s] /= sum;
    }
    __syncthreads();
    float acc = 0.f;
#pragma unroll 4
    for (int s = 0; s < splits; s++)
        acc = fmaf(weight[s], partial[(row * splits + s) * kHead + threadIdx.x], acc);
    out[row * kHead + threadIdx.x] = __float2half_rn(acc);
}
