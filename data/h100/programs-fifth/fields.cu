// Values between the places of tables: images at given places, features of a point by hashed grids.
#include <cuda_fp16.h>

template <typename scalar_t>
__device__ __forceinline__ scalar_t at_or_zero(const scalar_t *plane, int y, int x, int height, int width)
{
    return y >= 0 && y < height && x >= 0 && x < width ? plane[y * width + x] : scalar_t(0);
}

extern "C" __global__ void sample_bilinear(int nthreads, const float *__restrict__ input, const float *__restrict__ grid, float *__restrict__ output, int channels, int in_h, int in_w,
    int out_h, int out_w)
{
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < nthreads; index += blockDim.x * gridDim.x) {
        const int w = index % out_w, h = (index / out_w) % out_h, n = index / (out_h * out_w);
        const float *where = grid + index * 2;
        const float ix = ((where[0] + 1.f) * in_w - 1.f) / 2.f, iy = ((where[1] + 1.f) * in_h - 1.f) / 2.f;
        const int x = static_cast<int>(::floor(ix)), y = static_cast<int>(::floor(iy));
        const float fx = ix - x, fy = iy - y;
        const float nw = (1 - fx) * (1 - fy), ne = fx * (1 - fy), sw = (1 - fx) * fy, se = fx * fy;
        const float *plane = input + n * channels * in_h * in_w;
        float *to = output + n * channels * out_h * out_w + h * out_w + w;
        for (int c = 0; c < channels; ++c, plane += in_h * in_w, to += out_h * out_w)
            *to = at_or_zero(plane, y, x, in_h, in_w) * nw + at_or_zero(plane, y, x + 1, in_h, in_w) * ne + at_or_zero(plane, y + 1, x, in_h, in_w) * sw +
                  at_or_zero(plane, y + 1, x + 1, in_h, in_w) * se;
    }
}

// A level a row of the grid; tables of 2^bits pairs of halves, dense where a level's cells fit.
extern "C" __global__ void __launch_bounds__(512) encode_hashed(const float *__restrict__ points, const half2 *__restrict__ tables, half2 *__restrict__ features, unsigned n,
    unsigned bits, float base, float log2_growth)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, level = blockIdx.y, size = 1u << bits;
    if (i >= n)
        return;
    const float scale = exp2f(level * log2_growth) * base - 1.0f;
    const unsigned resolution = (unsigned)ceilf(scale) + 1;
    float frac[3];
    unsigned cell[3];
#pragma unroll
    for (int d = 0; d < 3; d++) {
        const float p = fmaf(scale, points[3 * i + d], 0.5f), f = floorf(p);
        cell[d] = (unsigned)(int)f;
        frac[d] = p - f;
    }
    const half2 *table = tables + ((size_t)level << bits);
    const bool dense = (unsigned long long)resolution * resolution * resolution <= size;
    float2 sum = make_float2(0.f, 0.f);
#pragma unroll
    for (int corner = 0; corner < 8; corner++) {
        float weight = 1.f;
        unsigned at[3];
#pragma unroll
        for (int d = 0; d < 3; d++) {
            const bool up = corner >> d & 1;
            weight *= up ? frac[d] : 1.f - frac[d];
            at[d] = cell[d] + up;
        }
        unsigned where = dense ? at[0] + resolution * (at[1] + resolution * at[2]) : at[0] ^ at[1] * 2654435761u ^ at[2] * 805459861u;
        const float2 v = __half22float2(table[where & (size - 1)]);
        sum.x = fmaf(weight, v.x, sum.x);
        sum.y = fmaf(weight, v.y, sum.y);
    }
    features[(size_t)level * n + i] = __floats2half2_rn(sum.x, sum.y);
}
