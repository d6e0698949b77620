/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_093(float *__restrict__ out, int rounds, const float *__restrict__ a0u, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++)
        x = x * 0.75f + (float)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x]);
    }
    out[i] = x;
}
