/* Products of quantised weights and one vector. */
#include <cuda_fp16.h>
#include <stdint.h>

/* Weights of 4 bits, eight in a word; groups of 128 have a scale and a zero point; a warp a row. */
extern "C" __global__ void gemv_int4(const uint4 *__restrict__ qweight, const half *__restrict__ scales, const uint8_t *__restrict__ zeros, const half *__restrict__ x,
    half *__restrict__ y, int rows, int cols)
{
    const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const int words = cols / 32, groups = cols / 128;
    const uint4 *w = qweight + (size_t)row * words;
    float sum = 0;
    for (int i = lane; i < words; i += 32) {
        const uint4 packed = w[i];
        const int group = i / 4;
        const float scale = __half2float(scales[(size_t)row * groups + group]);
        const float zero = zeros[(size_t)row * groups + group];
        const half2 *xs = (const half2 *)(x + i * 32);
        const uint32_t word[4] = {packed.x, packed.y, packed.z, packed.w};
        float part = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
#pragma unroll
            for (int b = 0; b < 8; b += 2) {
                const float2 v = __half22float2(xs[k * 4 + b / 2]);
                part += ((float)(word[k] >> (4 * b) & 15) - zero) * v.x;
                part += ((float)(word[k] >> (4 * b + 4) & 15) - zero) * v.y;
            }
        }
        sum += scale * part;
    }
    for (int o = 16; o > 0; o >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, o);
    if (lane == 0)
        y[row] = __float2half(sum);
}

/* 32 numbers of 8 bits behind their scale, 34 bytes. */
struct block8 {
    half d;
    int8_t q[32];
};
static_assert(sizeof(block8) == 34, "no gaps");

static __device__ __forceinline__ int word_of(const int8_t *p, int i)
{
    const uint16_t *h = (const uint16_t *)(p + 4 * i);
    return h[0] | h[1] << 16;
}

template <int ROWS, int WARPS>
static __device__ __forceinline__ void matvec8(const block8 *w, const block8 *x, float *y, int blocks)
{
    const int tid = threadIdx.y * 32 + threadIdx.x, first = blockIdx.x * ROWS;
    float sum[ROWS] = {0};
    for (int b = tid / 8; b < blocks; b += WARPS * 4) {
        const int part = tid % 8;
        const int u = word_of(x[b].q, part);
        const float dx = __half2float(x[b].d);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const block8 *row = w + (size_t)(first + r) * blocks + b;
            sum[r] += __half2float(row->d) * dx * (float)__dp4a(word_of(row->q, part), u, 0);
        }
    }
    __shared__ float partial[WARPS][ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        for (int o = 16; o > 0; o >>= 1)
            sum[r] += __shfl_xor_sync(0xffffffff, sum[r], o);
        if (threadIdx.x == 0)
            partial[threadIdx.y][r] = sum[r];
    }
    __syncthreads();
    if (tid < ROWS) {
        float all = 0;
        for (int k = 0; k < WARPS; k++)
            all += partial[k][tid];
        y[first + tid] = all;
    }
}

extern "C" __global__ void __launch_bounds__(128) gemv_q8_blocks(const uint8_t *__restrict__ w, const uint8_t *__restrict__ x, float *__restrict__ y, int blocks)
{
    matvec8<2, 4>((const block8 *)w, (const block8 *)x, y, blocks);
}
