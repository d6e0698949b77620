/* Written by scripts/device/write-synthetic. */

__constant__ float family_138_table0[256];
extern "C" __global__ void family_138(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = (x + (float)(family_138_table0[(r + (threadIdx.x & 7)) & 255])) * 0.25f;
    }
    out[i] = x;
}
