/* Steps between the products of a language model that is served. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct __align__(16) bf16x8 {
    __nv_bfloat162 v[4];
};

/* Partial products of rows with a low-rank pair's first matrix: 16 ranks, a slice of k each block, sums by atomics. */
extern "C" __global__ void __launch_bounds__(128) lora_shrink_split(const bf16x8 *__restrict__ x, const bf16x8 *__restrict__ a, float *__restrict__ y, int vectors, int vectors_a_slice)
{
    const int row = blockIdx.y, warp = threadIdx.x / 32, lane = threadIdx.x % 32, begin = blockIdx.x * vectors_a_slice, end = min(begin + vectors_a_slice, vectors);
    float sum[4] = {};
    for (int k = begin + lane; k < end; k += 32) {
        const bf16x8 v = x[(size_t)row * vectors + k];
#pragma unroll
        for (int r = 0; r < 4; r++) {
            const bf16x8 w = a[(size_t)(warp * 4 + r) * vectors + k];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float2 p = __bfloat1622float2(v.v[i]), q = __bfloat1622float2(w.v[i]);
                sum[r] += p.x * q.x + p.y * q.y;
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int o = 16; o; o >>= 1)
            sum[r] += __shfl_xor_sync(0xffffffff, sum[r], o);
        if (lane == 0)
            atomicAdd(&y[row * 16 + warp * 4 + r], sum[r]);
    }
}

/* Scores less a slope times the distance, to probabilities of one row a block, by pairs of halves that stay in registers. */
extern "C" __global__ void __launch_bounds__(256) alibi_softmax_half2(const __half2 *__restrict__ scores, __half2 *__restrict__ probabilities, int pairs, int heads, float scale)
{
    __shared__ float parts[8];
    const int row = blockIdx.x, head = row % heads, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float slope = exp2f(-8.0f * (head + 1) / heads);
    float2 v[8];
    float most = -3.0e38f;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int j = k * 256 + threadIdx.x;
        if (j < pairs) {
            const float2 s = __half22float2(scores[(size_t)row * pairs + j]);
            v[k] = make_float2(s.x * scale - slope * (2 * pairs - 1 - 2 * j), s.y * scale - slope * (2 * pairs - 2 - 2 * j));
            most = fmaxf(most, fmaxf(v[k].x, v[k].y));
        } else
            v[k] = make_float2(-3.0e38f, -3.0e38f);
    }
#pragma unroll
    for (int o = 16; o; o >>= 1)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, o));
    if (lane == 0)
        parts[warp] = most;
    __syncthreads();
    most = parts[0];
#pragma unroll
    for (int w = 1; w < 8; w++)
        most = fmaxf(most, parts[w]);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        v[k].x = __expf(v[k].x - most);
        v[k].y = __expf(v[k].y - most);
        sum += v[k].x + v[k].y;
    }
#pragma unroll
    for (int o = 16; o; o >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, o);
    __syncthreads();
    if (lane == 0)
        parts[warp] = sum;
    __syncthreads();
    sum = 0.0f;
#pragma unroll
    for (int w = 0; w < 8; w++)
        sum += parts[w];
    const float inverse = 1.0f / sum;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int j = k * 256 + threadIdx.x;
        if (j < pairs)
            probabilities[(size_t)row * pairs + j] = __floats2half2_rn(v[k].x * inverse, v[k].y * inverse);
    }
}

/* Tokens into the order of their experts, and weighted: eight halves a thread, a token a row of blocks. */
extern "C" __global__ void permute_to_experts(const uint4 *__restrict__ tokens, const int *__restrict__ source, const float *__restrict__ weight, uint4 *__restrict__ out, int vectors, int top_k)
{
    const int row = blockIdx.x, from = source[row] / top_k;
    const __half2 w = __float2half2_rn(weight[row]);
    for (int k = threadIdx.x; k < vectors; k += blockDim.x) {
        uint4 v = tokens[(size_t)from * vectors + k];
        __half2 *h = (__half2 *)&v;
#pragma unroll
        for (int i = 0; i < 4; i++)
            h[i] = __hmul2(h[i], w);
        out[(size_t)row * vectors + k] = v;
    }
}
