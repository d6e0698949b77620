// Rotary embedding of queries and keys, and the way of new keys and values into a paged cache.
#include <cuda_fp16.h>

static __device__ __forceinline__ void rotate_heads(__half *__restrict__ base, const float *__restrict__ cs, int heads, int head_size, int half_rot)
{
    for (int i = threadIdx.x; i < heads * half_rot; i += blockDim.x) {
        const int head = i / half_rot;
        const int j = i % half_rot;
        __half *p = base + head * head_size;
        const float x = __half2float(p[j]), y = __half2float(p[j + half_rot]);
        const float c = __ldg(cs + j), s = __ldg(cs + half_rot + j);
        p[j] = __float2half(x * c - y * s);
        p[j + half_rot] = __float2half(y * c + x * s);
    }
}

extern "C" __global__ void rotary_neox(const long long *__restrict__ positions, __half *__restrict__ query, __half *__restrict__ key, const float *__restrict__ cos_sin,
    int rot_dim, long long query_stride, long long key_stride, int num_heads, int num_kv_heads, int head_size)
{
    const int token = blockIdx.x;
    const float *cs = cos_sin + positions[token] * rot_dim;
    rotate_heads(query + token * query_stride, cs, num_heads, head_size, rot_dim / 2);
    rotate_heads(key + token * key_stride, cs, num_kv_heads, head_size, rot_dim / 2);
}

// keys: [block][head][size / 8][slot][8], values: [block][head][size][slot]
extern "C" __global__ void append_to_cache(const __half *__restrict__ key, const __half *__restrict__ value, __half *__restrict__ key_cache, __half *__restrict__ value_cache,
    const long long *__restrict__ slot_mapping, int key_stride, int value_stride, int num_heads, int head_size, int block_size)
{
    const long long token = blockIdx.x;
    const long long slot = slot_mapping[token];
    if (slot < 0)
        return;
    const long long block = slot / block_size, offset = slot % block_size;
    const int n = num_heads * head_size;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int head = i / head_size, d = i % head_size, x = d / 8, r = d % 8;
        const long long k = ((block * num_heads + head) * (head_size / 8) + x) * block_size * 8 + offset * 8 + r;
        const long long v = ((block * num_heads + head) * head_size + d) * block_size + offset;
        key_cache[k] = __ldg(&key[token * key_stride + i]);
        value_cache[v] = __ldg(&value[token * value_stride + i]);
    }
}
