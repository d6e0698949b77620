/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_150(float *__restrict__ out, int rounds, int n0, const float *__restrict__ a0, int n1, const float *__restrict__ a1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = x * 0.25f + (float)(a0[(r + (threadIdx.x & 0)) & 255]);
        for (int r = 0; r < n1; r++)
        x = x * 0.25f + (float)(a1[(r + (threadIdx.x & 0)) & 255]);
    }
    out[i] = x;
}
