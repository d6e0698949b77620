/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_005(float *__restrict__ out, int rounds, int n0, int n1, const float *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        for (int j = 0; j <= (threadIdx.x & 15); j++)
        x = x * 0.5f + (float)(j);
        for (int r = 0; r < n1; r++)
        x = sqrtf(x * x + 0.75f);
        #pragma unroll 2
        for (int r = 0; r < n2; r++)
        x = x * 0.25f + (float)(a2u[i + r]);
    }
    out[i] = x;
}
