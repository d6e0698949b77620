/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_030(float *__restrict__ out, const float *__restrict__ a0u, const float *__restrict__ a0v, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 8
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0u[(r * threads + i) * 4] + a0v[(r * threads + i) * 4])) * 0.75f;
    out[i] = x;
}
