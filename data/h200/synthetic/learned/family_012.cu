/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_012(float *__restrict__ out, const float *__restrict__ a0u, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = x * 0.5f + (float)(a0u[(r * threads + i) * 4]);
    out[i] = x;
}
