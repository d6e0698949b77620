/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_042(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    for (int j = 0; j <= (threadIdx.x & 255); j++)
    x = x * 0.25f + (float)(j);
    out[i] = x;
}
