// Lines of functions: inlined twice, within one another, and called.
__device__ __forceinline__ float square(float x)
{
    return x * x;
}

__device__ __forceinline__ float norm(const float *p, int n)
{
    return square(p[0]) + square(p[n]);
}

__device__ __noinline__ float apart(const float *p, int i)
{
    return rsqrtf(p[i]) * square(p[i + 1]);
}

extern "C" __global__ void sum_up(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = norm(in + i, n);
    sum += square(in[i + 2 * n]);
    sum += apart(in, i);
    sum += apart(in, i + 3 * n);
    out[i] = sum;
}
