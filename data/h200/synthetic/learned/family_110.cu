/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_110(int *__restrict__ out, const int *__restrict__ a0u, const int *__restrict__ a0v, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    #pragma unroll 2
    for (int r = 0; r < n0; r++)
    x = min(x, (int)(a0u[r] + a0v[r])) + 1;
    out[i] = x;
}
