/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_207(float *__restrict__ out, const float *__restrict__ a0u, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = max(x, (float)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x])) * 0.25f;
    out[i] = x;
}
