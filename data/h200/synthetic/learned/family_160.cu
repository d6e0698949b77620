/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_160(float *__restrict__ out, int rounds, const float *__restrict__ a0u, const float *__restrict__ a0v, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 4
        for (int r = 0; r < n0; r++)
        x = x * 0.75f + (float)(a0u[(r * threads + i) * 4] + a0v[(r * threads + i) * 4]);
    }
    out[i] = x;
}
