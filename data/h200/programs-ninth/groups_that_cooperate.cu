/* Cooperative groups: tiles of 16 threads, and blocks that scan. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

/* Descriptors of 128 floats made of length one, clipped, and of length one again, as SIFT has it. */
extern "C" __global__ void __launch_bounds__(256) normalise_descriptors(float4 *__restrict__ descriptors, int n)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int d = blockIdx.x * 16 + tile.meta_group_rank();
    if (d >= n)
        return;
    float4 v[2] = {descriptors[d * 32 + tile.thread_rank()], descriptors[d * 32 + 16 + tile.thread_rank()]};
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
        float s = 0.0f;
#pragma unroll
        for (int k = 0; k < 2; k++)
            s += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
        const float scale = rsqrtf(cg::reduce(tile, s, cg::plus<float>()) + 1e-12f), most = pass ? 2.0f : 0.2f;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            v[k].x = fminf(v[k].x * scale, most);
            v[k].y = fminf(v[k].y * scale, most);
            v[k].z = fminf(v[k].z * scale, most);
            v[k].w = fminf(v[k].w * scale, most);
        }
    }
    descriptors[d * 32 + tile.thread_rank()] = v[0];
    descriptors[d * 32 + 16 + tile.thread_rank()] = v[1];
}

/* Weighted means of rows that differ in age: y_t = a y_(t-1) + (1 - a) x_t, a row a warp by a scan of pairs, 32 at a time. */
extern "C" __global__ void ewma_scan_rows(const float *__restrict__ x, float *__restrict__ y, int rows, int length, float a)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows)
        return;
    float carry = x[(size_t)row * length], power = a;
    float powers[5];
#pragma unroll
    for (int k = 0; k < 5; k++) {
        powers[k] = power;
        power *= power;
    }
    const float from_carry = powf(a, (float)(warp.thread_rank() + 1));
    for (int begin = 0; begin < length; begin += 32) {
        const int t = begin + warp.thread_rank();
        float v = t < length ? (1.0f - a) * x[(size_t)row * length + t] : 0.0f;
#pragma unroll
        for (int k = 0; k < 5; k++) {
            const float before = warp.shfl_up(v, 1 << k);
            if (warp.thread_rank() >= (1 << k))
                v += powers[k] * before;
        }
        v += from_carry * carry;
        if (t < length)
            y[(size_t)row * length + t] = v;
        carry = warp.shfl(v, 31);
    }
}
