/* Rows of activations: moments in one pass, and logarithms of probabilities. */
#include <cuda_fp16.h>

struct Moments {
    float mean, m2, count;
    __device__ __forceinline__ void add(float x)
    {
        count += 1.0f;
        const float delta = x - mean;
        mean += delta / count;
        m2 += delta * (x - mean);
    }
    __device__ __forceinline__ void merge(const Moments &o)
    {
        const float total = count + o.count, delta = o.mean - mean, share = total > 0.0f ? o.count / total : 0.0f;
        mean += delta * share;
        m2 += o.m2 + delta * delta * count * share;
        count = total;
    }
};

/* A warp a row: Welford's moments, then the row again. */
extern "C" __global__ void layernorm_welford(const __half2 *__restrict__ x, const __half2 *__restrict__ gamma, const __half2 *__restrict__ beta, __half2 *__restrict__ y,
    int rows, int pairs, float eps)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows)
        return;
    const __half2 *xs = x + (size_t)row * pairs;
    Moments m = {0.0f, 0.0f, 0.0f};
    for (int c = lane; c < pairs; c += 32) {
        const float2 v = __half22float2(xs[c]);
        m.add(v.x);
        m.add(v.y);
    }
#pragma unroll
    for (int offset = 16; offset; offset >>= 1) {
        Moments o;
        o.mean = __shfl_xor_sync(0xffffffffu, m.mean, offset);
        o.m2 = __shfl_xor_sync(0xffffffffu, m.m2, offset);
        o.count = __shfl_xor_sync(0xffffffffu, m.count, offset);
        m.merge(o);
    }
    const float scale = rsqrtf(m.m2 / m.count + eps);
    __half2 *ys = y + (size_t)row * pairs;
    for (int c = lane; c < pairs; c += 32) {
        const float2 v = __half22float2(xs[c]), g = __half22float2(__ldg(gamma + c)), b = __half22float2(__ldg(beta + c));
        ys[c] = __floats2half2_rn((v.x - m.mean) * scale * g.x + b.x, (v.y - m.mean) * scale * g.y + b.y);
    }
}

struct Exponents {
    float most, sum;
};

__device__ __forceinline__ Exponents merged(Exponents a, Exponents b)
{
    const float most = fmaxf(a.most, b.most);
    return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most)};
}

/* A block a row: the largest and the sum of exponentials at once, then the row again. */
template <int THREADS> __device__ __forceinline__ Exponents over_block(Exponents e)
{
    __shared__ Exponents partial[THREADS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int offset = 16; offset; offset >>= 1)
        e = merged(e, {__shfl_xor_sync(0xffffffffu, e.most, offset), __shfl_xor_sync(0xffffffffu, e.sum, offset)});
    if (lane == 0)
        partial[warp] = e;
    __syncthreads();
    e = partial[0];
#pragma unroll
    for (int w = 1; w < THREADS / 32; w++)
        e = merged(e, partial[w]);
    return e;
}

extern "C" __global__ void __launch_bounds__(256) log_softmax_online(const float4 *__restrict__ in, float4 *__restrict__ out, int quads)
{
    const float4 *row = in + (size_t)blockIdx.x * quads;
    Exponents e = {-1e30f, 0.0f};
    for (int c = threadIdx.x; c < quads; c += 256) {
        const float4 v = row[c];
        const float most = fmaxf(e.most, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        e.sum = e.sum * __expf(e.most - most) + __expf(v.x - most) + __expf(v.y - most) + __expf(v.z - most) + __expf(v.w - most);
        e.most = most;
    }
    e = over_block<256>(e);
    const float shift = e.most + __logf(e.sum);
    float4 *to = out + (size_t)blockIdx.x * quads;
    for (int c = threadIdx.x; c < quads; c += 256) {
        const float4 v = row[c];
        to[c] = make_float4(v.x - shift, v.y - shift, v.z - shift, v.w - shift);
    }
}
