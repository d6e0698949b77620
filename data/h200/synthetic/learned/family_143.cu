/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_143(float *__restrict__ out, int n0, const float *__restrict__ a1u, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = logf(x * x + 2);
    #pragma unroll 8
    for (int r = 0; r < n1; r++)
    x = max(x, (float)(a1u[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x])) * 0.5f;
    out[i] = x;
}
