/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_211(float *__restrict__ out, const float *__restrict__ a0u, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = max(x, (float)(a0u[r * threads + i])) * 0.75f;
    #pragma unroll 8
    for (int r = 0; r < n1; r++)
    x = max(x, (float)(a1u[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x] + a1v[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x])) * 0.5f;
    out[i] = x;
}
