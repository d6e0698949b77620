/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_052(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = logf(x * x + 2);
    out[i] = x;
}
