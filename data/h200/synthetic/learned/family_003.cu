/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_003(float *__restrict__ out, int rounds, const float *__restrict__ a0u, int n0, const float *__restrict__ a1u, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++)
        x = x * 0.5f + (float)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x]);
        #pragma unroll 2
        for (int r = 0; r < n1; r++)
        x = max(x, (float)(a1u[r * threads + i])) * 0.25f;
    }
    out[i] = x;
}
