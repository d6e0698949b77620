/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_031(int *__restrict__ out, const int *__restrict__ a0u, const int *__restrict__ a0v, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int x = i & 63;
    #pragma unroll 2
    for (int r = 0; r < n0; r++)
    x = x - (int)(a0u[r * threads + i] + a0v[r * threads + i]);
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (i & 255); j++)
    x = (x << 1) ^ (int)(j);
    out[i] = x;
}
