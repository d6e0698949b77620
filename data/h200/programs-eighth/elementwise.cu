/* Elements of tensors, by aligned vectors and by strides that broadcast. */
#include <cuda_fp16.h>

template <typename scalar_t, int vec_size>
struct alignas(sizeof(scalar_t) * vec_size) aligned_vector {
    scalar_t val[vec_size];
};

constexpr int num_threads = 128, thread_work_size = 16, block_work_size = num_threads * thread_work_size;

struct Mish {
    __device__ __half operator()(__half a) const
    {
        const float x = __half2float(a);
        return __float2half_rn(x * tanhf(log1pf(expf(x))));
    }
};

template <int vec_size, typename func_t>
__device__ void vectorized(int n, func_t f, __half *out, const __half *in)
{
    using vec_t = aligned_vector<__half, vec_size>;
    const int remaining = n - block_work_size * blockIdx.x;
    const __half *from = in + (size_t)block_work_size * blockIdx.x;
    __half *to = out + (size_t)block_work_size * blockIdx.x;
    if (remaining < block_work_size) {
        __half args[thread_work_size];
#pragma unroll
        for (int i = 0; i < thread_work_size; i++)
            if (threadIdx.x + i * num_threads < remaining)
                args[i] = from[threadIdx.x + i * num_threads];
#pragma unroll
        for (int i = 0; i < thread_work_size; i++)
            if (threadIdx.x + i * num_threads < remaining)
                to[threadIdx.x + i * num_threads] = f(args[i]);
    } else {
#pragma unroll
        for (int i = 0; i < thread_work_size / vec_size; i++) {
            vec_t v = reinterpret_cast<const vec_t *>(from)[threadIdx.x + i * num_threads], r;
#pragma unroll
            for (int j = 0; j < vec_size; j++)
                r.val[j] = f(v.val[j]);
            reinterpret_cast<vec_t *>(to)[threadIdx.x + i * num_threads] = r;
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) mish_vec8(int n, __half *out, const __half *in)
{
    vectorized<8>(n, Mish(), out, in);
}

/* out = a + alpha * b, where b has one row of each channel: shape N C H W with C 1 W. */
extern "C" __global__ void broadcast_add(float *out, const float *a, const float *b, float alpha, unsigned numel, unsigned C, unsigned H, unsigned W)
{
    const unsigned base = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const unsigned linear = base + i * blockDim.x;
        if (linear < numel) {
            unsigned rest = linear / W;
            const unsigned w = linear - rest * W;
            rest /= H;
            const unsigned c = rest % C;
            out[linear] = a[linear] + alpha * b[c * W + w];
        }
    }
}
