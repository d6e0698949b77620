/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_222(float *__restrict__ out, int rounds, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        for (int j = 0; j <= (i & 63); j++)
        x = x * 0.5f + (float)(j);
        #pragma unroll 8
        for (int r = 0; r < n1; r++)
        x = max(x, (float)(a1u[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x] + a1v[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x])) * 0.75f;
    }
    out[i] = x;
}
