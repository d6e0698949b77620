/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_000(float *__restrict__ out, const float *__restrict__ a0u, int n0, float *__restrict__ w1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 4
    for (int r = 0; r < n0; r++)
    x = x * 0.75f + (float)(a0u[i * n0 + r]);
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(r)) * 0.25f;
        w1[r * threads + i] = x;
    }
    out[i] = x;
}
