/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_148(float *__restrict__ out, int rounds, const float *__restrict__ a0u, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++)
        x = x * 0.5f + (float)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x]);
        #pragma unroll 4
        for (int r = 0; r < n1; r++)
        x = x * 0.25f + (float)(a1u[(r * threads + i) * 17] + a1v[(r * threads + i) * 17]);
    }
    out[i] = x;
}
