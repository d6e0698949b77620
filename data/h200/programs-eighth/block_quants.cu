/* Blocks of quantised weights, as engines for language models keep them. */
#include <cuda_fp16.h>
#include <stdint.h>

#define WARP_SIZE 32
#define QK_K 256
#define QI6_K 32
#define QI8_1 8

typedef struct {
    uint8_t ql[QK_K / 2];
    uint8_t qh[QK_K / 4];
    int8_t scales[QK_K / 16];
    half d;
} block_q6_K;

typedef struct {
    half2 ds;
    int8_t qs[32];
} block_q8_1;

static __device__ __forceinline__ int get_int_b2(const void *x, const int i32)
{
    const uint16_t *x16 = (const uint16_t *)x;
    return x16[2 * i32] | (x16[2 * i32 + 1] << 16);
}

static __device__ __forceinline__ float vec_dot_q6_K_q8_1(const block_q6_K *bq6, const block_q8_1 *bq8, const int iqs)
{
    const int bq8_offset = 4 * (iqs / (QI6_K / 2)) + (iqs % (QI6_K / 2)) / (QI6_K / 4);
    const int scale_offset = (QI6_K / 4) * (iqs / (QI6_K / 2)) + (iqs % (QI6_K / 2)) / (QI6_K / 8);
    const int vh_shift = 2 * ((iqs % (QI6_K / 2)) / (QI6_K / 4));
    const int vl = get_int_b2(bq6->ql, iqs);
    const int vh = get_int_b2(bq6->qh, (QI6_K / 4) * (iqs / (QI6_K / 2)) + iqs % (QI6_K / 4)) >> vh_shift;
    const int8_t *scales = bq6->scales + scale_offset;
    float sumf = 0.0f;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const int u = ((const int *)bq8[bq8_offset + 2 * i].qs)[iqs % QI8_1];
        const int sc = scales[4 * i];
        const int vil = (vl >> (4 * i)) & 0x0F0F0F0F, vih = ((vh >> (4 * i)) << 4) & 0x30303030;
        const int vi = __vsubss4(vil | vih, 0x20202020);
        sumf += __low2float(bq8[bq8_offset + 2 * i].ds) * (__dp4a(vi, u, 0) * sc);
    }
    return __half2float(bq6->d) * sumf;
}

/* Four warps a row. */
extern "C" __global__ void __launch_bounds__(4 * WARP_SIZE, 1) q6k_mat_vec(const void *__restrict__ vx, const void *__restrict__ vy, float *__restrict__ dst, const int ncols)
{
    constexpr int nwarps = 4;
    const int tid = WARP_SIZE * threadIdx.y + threadIdx.x, row = blockIdx.x;
    const int blocks_per_row = ncols / QK_K, blocks_per_iter = nwarps * WARP_SIZE / QI6_K;
    const block_q6_K *x = (const block_q6_K *)vx + (size_t)row * blocks_per_row;
    const block_q8_1 *y = (const block_q8_1 *)vy;
    float tmp = 0.0f;
    for (int kbx = tid / QI6_K; kbx < blocks_per_row; kbx += blocks_per_iter)
        tmp += vec_dot_q6_K_q8_1(&x[kbx], &y[kbx * (QK_K / 32)], tid % QI6_K);
    __shared__ float tmp_shared[nwarps - 1][WARP_SIZE];
    if (threadIdx.y > 0)
        tmp_shared[threadIdx.y - 1][threadIdx.x] = tmp;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
#pragma unroll
    for (int l = 0; l < nwarps - 1; ++l)
        tmp += tmp_shared[l][threadIdx.x];
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1)
        tmp += __shfl_xor_sync(0xffffffff, tmp, offset, 32);
    if (threadIdx.x == 0)
        dst[row] = tmp;
}

/* Activations to blocks of 32 bytes with their scale and sum, an element a thread. */
extern "C" __global__ void quantize_q8_1(const float *__restrict__ x, void *__restrict__ vy, const int kx, const int kx0_padded)
{
    const int ix0 = blockDim.x * blockIdx.x + threadIdx.x;
    if (ix0 >= kx0_padded)
        return;
    const int ix1 = blockIdx.y;
    const int64_t i_padded = (int64_t)ix1 * kx0_padded + ix0;
    block_q8_1 *y = (block_q8_1 *)vy;
    const int64_t ib = i_padded / 32;
    const int iqs = i_padded % 32;
    const float xi = ix0 < kx ? x[(int64_t)ix1 * kx + ix0] : 0.0f;
    float amax = fabsf(xi), sum = xi;
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
        amax = fmaxf(amax, __shfl_xor_sync(0xffffffff, amax, offset, 32));
        sum += __shfl_xor_sync(0xffffffff, sum, offset, 32);
    }
    const float d = amax / 127;
    const int8_t q = amax == 0.0f ? 0 : roundf(xi / d);
    y[ib].qs[iqs] = q;
    if (iqs > 0)
        return;
    y[ib].ds = make_half2(__float2half(d), __float2half(sum));
}
