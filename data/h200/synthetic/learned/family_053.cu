/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_053(float *__restrict__ out, const int *__restrict__ p0, const float *__restrict__ a0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = max(x, (float)(a0[p0[(r * threads + i) & 4095]])) * 0.25f;
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (blockIdx.x & 63); j++)
    x = max(x, (float)(j)) * 0.25f;
    out[i] = x;
}
