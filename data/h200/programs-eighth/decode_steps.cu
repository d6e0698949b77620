/* Steps of decoding: attention of one token to its cache, and the best of a row. */
#include <cuda_fp16.h>

/* Four heads share keys and values; a warp a head, a part of the cache a block. */
extern "C" __global__ void __launch_bounds__(128) gqa_decode_split(const half *__restrict__ q, const half *__restrict__ k_cache, const half *__restrict__ v_cache, float *__restrict__ partial,
                                                                   float2 *__restrict__ partial_ml, int seq_len, int chunk, float scale)
{
    const int split = blockIdx.x, kv_head = blockIdx.y, batch = blockIdx.z, kv_heads = gridDim.y;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int head = kv_head * 4 + warp, heads = kv_heads * 4;
    const half2 *qp = reinterpret_cast<const half2 *>(q + ((size_t)batch * heads + head) * 128 + lane * 4);
    const float2 q0 = __half22float2(qp[0]), q1 = __half22float2(qp[1]);
    const int begin = split * chunk, end = min(begin + chunk, seq_len);
    const size_t base = ((size_t)batch * kv_heads + kv_head) * seq_len;
    float m = -INFINITY, l = 0.f, o0 = 0.f, o1 = 0.f, o2 = 0.f, o3 = 0.f;
    for (int t = begin; t < end; t++) {
        const uint2 kk = *reinterpret_cast<const uint2 *>(k_cache + (base + t) * 128 + lane * 4);
        const uint2 vv = *reinterpret_cast<const uint2 *>(v_cache + (base + t) * 128 + lane * 4);
        const float2 k0 = __half22float2(*reinterpret_cast<const half2 *>(&kk.x)), k1 = __half22float2(*reinterpret_cast<const half2 *>(&kk.y));
        const float2 v0 = __half22float2(*reinterpret_cast<const half2 *>(&vv.x)), v1 = __half22float2(*reinterpret_cast<const half2 *>(&vv.y));
        float s = q0.x * k0.x + q0.y * k0.y + q1.x * k1.x + q1.y * k1.y;
#pragma unroll
        for (int mask = 16; mask; mask >>= 1)
            s += __shfl_xor_sync(0xffffffffu, s, mask);
        s *= scale;
        const float next = fmaxf(m, s), old = __expf(m - next), p = __expf(s - next);
        l = l * old + p;
        o0 = o0 * old + p * v0.x;
        o1 = o1 * old + p * v0.y;
        o2 = o2 * old + p * v1.x;
        o3 = o3 * old + p * v1.y;
        m = next;
    }
    const size_t at = ((size_t)batch * heads + head) * gridDim.x + split;
    reinterpret_cast<float4 *>(partial)[at * 32 + lane] = make_float4(o0, o1, o2, o3);
    if (lane == 0)
        partial_ml[at] = make_float2(m, l);
}

template <bool Descending, int Width>
__device__ __forceinline__ void compare_with(float &key, int &value, int stride, bool keep_greater)
{
    const float other = __shfl_xor_sync(0xffffffff, key, stride, Width);
    const int other_value = __shfl_xor_sync(0xffffffff, value, stride, Width);
    const bool take = keep_greater ? other > key : other < key;
    key = take ? other : key;
    value = take ? other_value : value;
}

/* The 32 greatest of each row: a warp a row, one of them a lane. */
extern "C" __global__ void warp_select_topk(const float *__restrict__ in, float *__restrict__ best, int *__restrict__ where, int rows, int cols)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    const float *from = in + (size_t)row * cols;
    float kept = -INFINITY, least = -INFINITY;
    int kept_at = -1;
    for (int base = 0; base < cols; base += 32) {
        const int at = base + lane;
        float key = at < cols ? __ldg(from + at) : -INFINITY;
        int value = at;
        if (__any_sync(0xffffffff, key > least)) {
#pragma unroll
            for (int size = 2; size <= 32; size *= 2)
#pragma unroll
                for (int stride = size / 2; stride > 0; stride /= 2)
                    compare_with<true, 32>(key, value, stride, ((lane & stride) != 0) == ((lane & size) != 0 && size < 32));
            /* key falls over lanes, and so does kept: the greater of one and the other turned round */
            const float turned = __shfl_sync(0xffffffff, key, 31 - lane);
            const int turned_at = __shfl_sync(0xffffffff, value, 31 - lane);
            if (turned > kept) {
                kept = turned;
                kept_at = turned_at;
            }
#pragma unroll
            for (int stride = 16; stride > 0; stride /= 2)
                compare_with<true, 32>(kept, kept_at, stride, (lane & stride) == 0);
            least = __shfl_sync(0xffffffff, kept, 31);
        }
    }
    best[(size_t)row * 32 + lane] = kept;
    where[(size_t)row * 32 + lane] = kept_at;
}
