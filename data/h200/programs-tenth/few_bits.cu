/* Numbers of few bits: weights of three values, bytes in floating point with scales, nibbles that are packed. */
#include <cuda_bf16.h>
#include <cuda_fp8.h>

/* Weights of -1, 0, 1 in two bits, activations of eight bits: a warp a row of weights. */
extern "C" __global__ void __launch_bounds__(256) ternary_rows(const uint4 *__restrict__ weights, const int4 *__restrict__ activations, const float *__restrict__ row_scale, float *__restrict__ out, int rows, int words,
                                                              float scale)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    int sum = 0, total = 0;
    for (int w = lane; w < words; w += 32) {
        const uint4 packed = weights[(long long)row * words + w];
        const unsigned part[4] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
        for (int p = 0; p < 4; p++) {
            const int4 x = activations[w * 4 + p];
            sum = __dp4a((int)(part[p] & 0x03030303), x.x, sum);
            sum = __dp4a((int)(part[p] >> 2 & 0x03030303), x.y, sum);
            sum = __dp4a((int)(part[p] >> 4 & 0x03030303), x.z, sum);
            sum = __dp4a((int)(part[p] >> 6 & 0x03030303), x.w, sum);
            total = __dp4a(0x01010101, x.x, total);
            total = __dp4a(0x01010101, x.y, total);
            total = __dp4a(0x01010101, x.z, total);
            total = __dp4a(0x01010101, x.w, total);
        }
    }
    sum -= total;
    sum = __reduce_add_sync(0xffffffff, sum);
    if (lane == 0)
        out[row] = sum * scale * row_scale[row];
}

/* Bytes e4m3 with a scale for each 128 x 128 tile, to bfloat16. */
extern "C" __global__ void __launch_bounds__(256) unscale_fp8_tiles(const unsigned *__restrict__ in, const float *__restrict__ scales, uint2 *__restrict__ out, int rows, int quads)
{
    const int q = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
    if (q >= quads || row >= rows)
        return;
    const float s = scales[(row / 128) * ((quads + 31) / 32) + q / 32];
    const unsigned bytes = in[(long long)row * quads + q];
    __half2_raw low = __nv_cvt_fp8x2_to_halfraw2((unsigned short)(bytes & 0xffff), __NV_E4M3), high = __nv_cvt_fp8x2_to_halfraw2((unsigned short)(bytes >> 16), __NV_E4M3);
    const float2 a = __half22float2(*(__half2 *)&low), b = __half22float2(*(__half2 *)&high);
    __nv_bfloat162 x = __floats2bfloat162_rn(a.x * s, a.y * s), y = __floats2bfloat162_rn(b.x * s, b.y * s);
    out[(long long)row * quads + q] = make_uint2(*(unsigned *)&x, *(unsigned *)&y);
}

/* Groups of 32 activations to nibbles with a half's scale, in a warp: the largest magnitude, then eight to a word. */
extern "C" __global__ void __launch_bounds__(128) pack_nibbles(const float *__restrict__ in, unsigned *__restrict__ words, __half *__restrict__ scales, int groups)
{
    const int lane = threadIdx.x % 32;
    for (int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32; g < groups; g += gridDim.x * 4) {
        const float x = in[(long long)g * 32 + lane];
        float most = fabsf(x);
#pragma unroll
        for (int d = 16; d; d /= 2)
            most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
        const float s = most / 7.0f, inverse = most > 0 ? 1.0f / s : 0.0f;
        unsigned word = (unsigned)((int)rintf(x * inverse) & 15) << 4 * (lane % 8);
#pragma unroll
        for (int d = 1; d < 8; d *= 2)
            word |= __shfl_xor_sync(0xffffffff, word, d);
        if (lane % 8 == 0)
            words[g * 4 + lane / 8] = word;
        if (lane == 0)
            scales[g] = __float2half(s);
    }
}
