/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_011(float *__restrict__ out, const float *__restrict__ a0u, int n0, int n1, const float *__restrict__ a1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 4
    for (int r = 0; r < n0; r++)
    x = x * 0.25f + (float)(a0u[(r * threads + i) * 17]);
    for (int r = 0; r < n1; r++)
    x = max(x, (float)(a1[(r + (threadIdx.x & 0)) & 255])) * 0.5f;
    out[i] = x;
}
