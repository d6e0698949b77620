// The end of a language model: which logits are among the k largest, and the gradient of its loss.
#include <cuda_bf16.h>

__device__ __forceinline__ unsigned ordered(float f)
{
    unsigned u = __float_as_uint(f);
    return u ^ ((u >> 31) ? 0xffffffffu : 0x80000000u);
}

// The k-th largest logit of a row, eight bits a pass.
extern "C" __global__ void __launch_bounds__(512) kth_logit(const float *__restrict__ logits, float *__restrict__ threshold, int vocab, int k)
{
    __shared__ int counts[256];
    __shared__ unsigned s_prefix;
    __shared__ int s_left;
    const float *row = logits + (size_t)blockIdx.x * vocab;
    if (threadIdx.x == 0) {
        s_prefix = 0;
        s_left = k;
    }
    unsigned mask = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (threadIdx.x < 256)
            counts[threadIdx.x] = 0;
        __syncthreads();
        const unsigned prefix = s_prefix;
        for (int i = threadIdx.x; i < vocab; i += blockDim.x) {
            const unsigned key = ordered(row[i]);
            if ((key & mask) == prefix)
                atomicAdd(&counts[key >> shift & 255], 1);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            int left = s_left, digit = 255;
            while (digit > 0 && counts[digit] < left)
                left -= counts[digit--];
            s_left = left;
            s_prefix = prefix | (unsigned)digit << shift;
        }
        mask |= 255u << shift;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const unsigned u = s_prefix;
        threshold[blockIdx.x] = __uint_as_float(u ^ ((u >> 31) ? 0x80000000u : 0xffffffffu));
    }
}

struct __align__(16) bf16x8 {
    __nv_bfloat162 p[4];
};

// dlogits = (softmax - one hot) * scale, the sums of the forward pass at hand; labels below zero are left out.
extern "C" __global__ void xent_backward(const __nv_bfloat16 *__restrict__ logits, const float *__restrict__ lse, const long long *__restrict__ labels,
    __nv_bfloat16 *__restrict__ grad, int vocab, float scale)
{
    const size_t row = blockIdx.y;
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (i >= vocab)
        return;
    const long long label = labels[row];
    const float sum = lse[row];
    const bf16x8 in = *reinterpret_cast<const bf16x8 *>(logits + row * vocab + i);
    bf16x8 out;
    if (label < 0) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            out.p[j] = __floats2bfloat162_rn(0.f, 0.f);
    } else {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float2 f = __bfloat1622float2(in.p[j]);
            f.x = __expf(f.x - sum);
            f.y = __expf(f.y - sum);
            if (i + 2 * j == label)
                f.x -= 1.f;
            if (i + 2 * j + 1 == label)
                f.y -= 1.f;
            out.p[j] = __floats2bfloat162_rn(f.x * scale, f.y * scale);
        }
    }
    *reinterpret_cast<bf16x8 *>(grad + row * vocab + i) = out;
}
