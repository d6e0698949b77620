/* What servers of language models run between their products: places of caches, parts of attention, samples of tokens. */
#include <cuda_bf16.h>

/* Keys and values of new tokens to pages of sixteen, a block a token. */
extern "C" __global__ void store_to_pages(const __nv_bfloat16 *__restrict__ key, const __nv_bfloat16 *__restrict__ value, const long long *__restrict__ slots, __nv_bfloat16 *__restrict__ key_cache, __nv_bfloat16 *__restrict__ value_cache, int heads, int head_size)
{
    const long long slot = slots[blockIdx.x];
    if (slot < 0)
        return;
    const long long page = slot / 16, within = slot % 16;
    const int n = heads * head_size;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int head = i / head_size, d = i % head_size;
        const long long from = (long long)blockIdx.x * n + i;
        key_cache[((page * heads + head) * (head_size / 8) + d / 8) * 128 + within * 8 + d % 8] = key[from];
        value_cache[((page * heads + head) * head_size + d) * 16 + within] = value[from];
    }
}

/* Parts of attention over pieces of a sequence to one: weights by the logarithms of their sums; a block a token and head. */
extern "C" __global__ void __launch_bounds__(128) merge_attention_parts(const float *__restrict__ parts, const float *__restrict__ sums, __nv_bfloat16 *__restrict__ out, int pieces)
{
    __shared__ float weight[64];
    const long long row = (long long)blockIdx.y * gridDim.x + blockIdx.x;
    const float *mine = sums + row * pieces;
    float most = -1e30f;
    for (int p = 0; p < pieces; p++)
        most = fmaxf(most, mine[p]);
    float total = 0.0f;
    for (int p = 0; p < pieces; p++)
        total += __expf(mine[p] - most);
    if (threadIdx.x < pieces)
        weight[threadIdx.x] = __expf(mine[threadIdx.x] - most) / total;
    __syncthreads();
    float sum = 0.0f;
    for (int p = 0; p < pieces; p++)
        sum += weight[p] * parts[(row * pieces + p) * 128 + threadIdx.x];
    out[row * 128 + threadIdx.x] = __float2bfloat16(sum);
}

__device__ float block_sum(float v, float *shared)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0.0f;
    for (int w = 0; w < blockDim.x / 32; w++)
        v += shared[w];
    return v;
}

/* The least probability such that the larger ones add up to a share: bisection over a row of the vocabulary, a block a row. */
extern "C" __global__ void __launch_bounds__(512) threshold_of_nucleus(const float *__restrict__ probabilities, float *__restrict__ thresholds, int vocabulary, float share, int steps)
{
    __shared__ float shared[16];
    const float *row = probabilities + (long long)blockIdx.x * vocabulary;
    float low = 0.0f, high = 1.0f;
    float all = 0.0f;
    for (int i = threadIdx.x; i < vocabulary; i += blockDim.x)
        all += row[i];
    all = block_sum(all, shared);
    for (int s = 0; s < steps; s++) {
        const float middle = 0.5f * (low + high);
        float above = 0.0f;
        for (int i = threadIdx.x; i < vocabulary; i += blockDim.x)
            above += row[i] >= middle ? row[i] : 0.0f;
        above = block_sum(above, shared);
        if (above >= share * all)
            low = middle;
        else
            high = middle;
    }
    if (threadIdx.x == 0)
        thresholds[blockIdx.x] = low;
}
