/* Attention in single precision by tiles, and the gate of a mixture of experts. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

/* 32 queries a block of 32 x 8 threads, keys and values by tiles of 32, 64 a head; sums are kept while the largest moves. */
extern "C" __global__ void __launch_bounds__(256) flash_rows(const float *Q, const float *K, const float *V, float *O, int seq, float scale)
{
    constexpr int D = 64, BR = 32, BC = 32;
    __shared__ float q[BR][D + 1], kv[BC][D + 1], s[BR][BC + 1], m[BR], l[BR], r[BR];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx, row0 = blockIdx.x * BR;
    const size_t head = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * seq * D;
    for (int i = t; i < BR * D; i += 256)
        q[i / D][i % D] = Q[head + (size_t)row0 * D + i] * scale;
    if (t < BR)
        m[t] = -1e30f, l[t] = 0.0f;
    float o[4][2] = {};
    for (int col0 = 0; col0 < row0 + BR; col0 += BC) {
        __syncthreads();
        for (int i = t; i < BC * D; i += 256)
            kv[i / D][i % D] = K[head + (size_t)col0 * D + i];
        __syncthreads();
        for (int i = 0; i < 4; i++) {
            float dot = 0;
            for (int d = 0; d < D; d++)
                dot += q[ty * 4 + i][d] * kv[tx][d];
            if (col0 + tx > row0 + ty * 4 + i)
                dot = -1e30f;
            float top = dot;
            for (int w = 16; w > 0; w >>= 1)
                top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, w));
            const float before = m[ty * 4 + i], now = fmaxf(before, top);
            const float p = expf(dot - now);
            float sum = p;
            for (int w = 16; w > 0; w >>= 1)
                sum += __shfl_xor_sync(0xffffffff, sum, w);
            s[ty * 4 + i][tx] = p;
            __syncwarp();
            if (tx == 0) {
                r[ty * 4 + i] = expf(before - now);
                l[ty * 4 + i] = l[ty * 4 + i] * r[ty * 4 + i] + sum;
                m[ty * 4 + i] = now;
            }
        }
        __syncthreads();
        for (int i = t; i < BC * D; i += 256)
            kv[i / D][i % D] = V[head + (size_t)col0 * D + i];
        __syncthreads();
        for (int i = 0; i < 4; i++)
            for (int h = 0; h < 2; h++) {
                float sum = o[i][h] * r[ty * 4 + i];
                for (int c = 0; c < BC; c++)
                    sum += s[ty * 4 + i][c] * kv[c][tx + 32 * h];
                o[i][h] = sum;
            }
    }
    __syncthreads();
    for (int i = 0; i < 4; i++)
        for (int h = 0; h < 2; h++)
            O[head + (size_t)(row0 + ty * 4 + i) * D + tx + 32 * h] = o[i][h] / l[ty * 4 + i];
}

/* The two best of 64 experts for each token, a half warp a token, and how many tokens each expert gets. */
extern "C" __global__ void gate_two_of_many(const float *__restrict__ logits, int *__restrict__ chosen, float *__restrict__ gates, unsigned *__restrict__ load, int tokens)
{
    __shared__ unsigned counts[64];
    auto block = cg::this_thread_block();
    auto group = cg::tiled_partition<16>(block);
    for (int e = threadIdx.x; e < 64; e += blockDim.x)
        counts[e] = 0;
    block.sync();
    const int token = blockIdx.x * group.meta_group_size() + group.meta_group_rank();
    if (token < tokens) {
        const float4 v = reinterpret_cast<const float4 *>(logits)[(size_t)token * 16 + group.thread_rank()];
        float mine[4] = {v.x, v.y, v.z, v.w};
        int which[2];
        float best[2];
#pragma unroll
        for (int k = 0; k < 2; k++) {
            float top = mine[0];
            int at = 0;
#pragma unroll
            for (int j = 1; j < 4; j++)
                if (mine[j] > top)
                    top = mine[j], at = j;
            at += group.thread_rank() * 4;
#pragma unroll
            for (int d = 8; d > 0; d >>= 1) {
                const float other = group.shfl_xor(top, d);
                const int place = group.shfl_xor(at, d);
                if (other > top || (other == top && place < at))
                    top = other, at = place;
            }
            which[k] = at;
            best[k] = top;
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (at == (int)group.thread_rank() * 4 + j)
                    mine[j] = -INFINITY;
        }
        if (group.thread_rank() < 2) {
            const float share = 1.0f / (1.0f + __expf(best[1] - best[0]));
            const int k = group.thread_rank();
            chosen[2 * token + k] = which[k];
            gates[2 * token + k] = k ? 1.0f - share : share;
            atomicAdd(&counts[which[k]], 1u);
        }
    }
    block.sync();
    for (int e = threadIdx.x; e < 64; e += blockDim.x)
        if (counts[e])
            atomicAdd(&load[e], counts[e]);
}
