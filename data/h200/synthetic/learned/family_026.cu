/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_026(double *__restrict__ out, const double *__restrict__ a0u, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    #pragma unroll 2
    for (int r = 0; r < n0; r++)
    x = x * 0.5 + (double)(a0u[r]);
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (blockIdx.x & 63); j++)
    x = max(x, (double)(j)) * 0.25;
    out[i] = x;
}
