/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_105(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        for (int j = 0; j <= (blockIdx.x & 15); j++)
        x = x * 0.75f + (float)(j);
    }
    out[i] = x;
}
