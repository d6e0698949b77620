/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_100(int *__restrict__ out, const int *__restrict__ a0u, int n0, const int *__restrict__ a1u, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = (x << 1) ^ (int)(a0u[i + r]);
    #pragma unroll 2
    for (int r = 0; r < n1; r++)
    x = x * 9 + (int)(a1u[r]);
    out[i] = x;
}
