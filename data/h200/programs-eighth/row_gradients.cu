/* Gradients of what rows have in common. */
#include <cuda_fp16.h>

/* A warp a row that is kept in registers. */
template <typename acc_t, int log2_elements>
__device__ void softmax_warp_backward(float *gradInput, const float *grad, const float *output, int batch_size, int stride, int element_count)
{
    constexpr int next_power_of_two = 1 << log2_elements;
    constexpr int WARP_ITERATIONS = next_power_of_two / 32;
    const int row = blockDim.y * blockIdx.x + threadIdx.y;
    if (row >= batch_size)
        return;
    const int local_idx = threadIdx.x;
    const size_t offset = (size_t)row * stride + local_idx;
    acc_t grad_reg[WARP_ITERATIONS], output_reg[WARP_ITERATIONS];
#pragma unroll
    for (int it = 0; it < WARP_ITERATIONS; ++it) {
        const int element_index = local_idx + it * 32;
        grad_reg[it] = element_index < element_count ? grad[offset + it * 32] : acc_t(0);
        output_reg[it] = element_index < element_count ? output[offset + it * 32] : acc_t(0);
    }
    acc_t sum = 0;
#pragma unroll
    for (int it = 0; it < WARP_ITERATIONS; ++it)
        sum += grad_reg[it];
#pragma unroll
    for (int o = 16; o > 0; o /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, o);
#pragma unroll
    for (int it = 0; it < WARP_ITERATIONS; ++it)
        if (local_idx + it * 32 < element_count)
            gradInput[offset + it * 32] = grad_reg[it] - expf(output_reg[it]) * sum;
}

extern "C" __global__ void softmax_backward_warp(float *gradInput, const float *grad, const float *output, int batch_size, int stride, int element_count)
{
    softmax_warp_backward<float, 10>(gradInput, grad, output, batch_size, stride, element_count);
}

/* Gradients of scale and shift: 32 columns a block, rows by 32 warps, then the warps' sums turned over in shared memory. */
extern "C" __global__ void layernorm_gamma_grad(int M, int N, const __half *__restrict__ dY, const __half *__restrict__ X, const float *__restrict__ mean, const float *__restrict__ rstd,
                                                __half *dg, __half *db)
{
    __shared__ float s_dg[32][33], s_db[32][33];
    const int j = blockIdx.x * 32 + threadIdx.x;
    float dg_sum = 0, db_sum = 0;
    if (j < N) {
        for (int i0 = threadIdx.y; i0 < M; i0 += 32 * 4) {
#pragma unroll
            for (int u = 0; u < 4; u++) {
                const int i = i0 + u * 32;
                if (i < M) {
                    const float dy = __half2float(dY[(size_t)i * N + j]), x = __half2float(X[(size_t)i * N + j]);
                    db_sum += dy;
                    dg_sum += dy * (x - mean[i]) * rstd[i];
                }
            }
        }
    }
    s_dg[threadIdx.y][threadIdx.x] = dg_sum;
    s_db[threadIdx.y][threadIdx.x] = db_sum;
    __syncthreads();
    float a = s_dg[threadIdx.x][threadIdx.y], b = s_db[threadIdx.x][threadIdx.y];
    for (int o = 16; o > 0; o >>= 1) {
        a += __shfl_down_sync(0xffffffff, a, o);
        b += __shfl_down_sync(0xffffffff, b, o);
    }
    const int column = blockIdx.x * 32 + threadIdx.y;
    if (threadIdx.x == 0 && column < N) {
        dg[column] = __float2half(a);
        db[column] = __float2half(b);
    }
}
