/* A layer of a network over a graph. */
#include <cuda_fp16.h>

/* Attention over edges: a warp a vertex, weights first, then rows of 64 of its neighbours. */
extern "C" __global__ void __launch_bounds__(256) gather_by_attention(const int *__restrict__ indptr, const int *__restrict__ indices, const float *__restrict__ el, const float *__restrict__ er,
                                                                      const half2 *__restrict__ features, float2 *__restrict__ out, int vertices, float slope)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (v >= vertices)
        return;
    const int begin = indptr[v], end = indptr[v + 1];
    const float mine = er[v];
    float greatest = -1e30f;
    for (int e = begin + lane; e < end; e += 32) {
        const float s = el[indices[e]] + mine;
        greatest = fmaxf(greatest, s > 0 ? s : slope * s);
    }
    for (int o = 16; o; o >>= 1)
        greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffff, greatest, o));
    float sum = 0.0f;
    float2 acc = make_float2(0.0f, 0.0f);
    for (int e = begin; e < end; e++) {
        const int u = indices[e];
        float s = el[u] + mine;
        s = s > 0 ? s : slope * s;
        const float weight = __expf(s - greatest);
        const float2 x = __half22float2(features[(size_t)u * 32 + lane]);
        acc.x += weight * x.x;
        acc.y += weight * x.y;
        sum += weight;
    }
    const float inverse = sum > 0 ? 1.0f / sum : 0.0f;
    out[(size_t)v * 32 + lane] = make_float2(acc.x * inverse, acc.y * inverse);
}
