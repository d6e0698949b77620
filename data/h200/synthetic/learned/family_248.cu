/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_248(float *__restrict__ out, const int *__restrict__ p0, const float *__restrict__ a0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = x * 0.5f + (float)(a0[p0[(r * threads + i) & 8388607]]);
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (blockIdx.x & 63); j++)
    x = x * 0.75f + (float)(j);
    out[i] = x;
}
