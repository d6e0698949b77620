/* Stores of a warp that fill sectors together: lanes with K pieces of a vector each, one instruction a piece. */
#include <cuda_runtime.h>

template <typename T, int K, int GAP> __global__ void pieces(T *out, T value)
{
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * K * GAP;
#pragma unroll
    for (int k = 0; k < K; k++)
        out[i + k] = value;
}

/* The same behind loads of the same kind. */
template <typename T, int K> __global__ void moved(const T *in, T *out)
{
    size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * K;
    T v[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        v[k] = in[i + k];
#pragma unroll
    for (int k = 0; k < K; k++)
        out[i + k] = v[k];
}

int main()
{
    char *a, *b;
    cudaMalloc(&a, 1 << 28);
    cudaMalloc(&b, 1 << 28);
#define ALL(T) \
    pieces<T, 2, 1><<<1024, 128>>>((T *)a, T()); pieces<T, 4, 1><<<1024, 128>>>((T *)a, T()); pieces<T, 8, 1><<<1024, 128>>>((T *)a, T()); \
    pieces<T, 2, 2><<<1024, 128>>>((T *)a, T()); pieces<T, 4, 2><<<1024, 128>>>((T *)a, T()); \
    moved<T, 2><<<1024, 128>>>((T *)b, (T *)a); moved<T, 4><<<1024, 128>>>((T *)b, (T *)a); moved<T, 8><<<1024, 128>>>((T *)b, (T *)a);
    ALL(float) ALL(float2) ALL(float4)
    pieces<float, 16, 1><<<1024, 128>>>((float *)a, 0.0f);
    pieces<float2, 16, 1><<<1024, 128>>>((float2 *)a, float2());
    pieces<float4, 16, 1><<<1024, 128>>>((float4 *)a, float4());
    return cudaDeviceSynchronize();
}
