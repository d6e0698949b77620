/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_236(double *__restrict__ out, const double *__restrict__ a0u, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    #pragma unroll 2
    for (int r = 0; r < n0; r++)
    x = (x + (double)(a0u[r * threads + i])) * 0.5;
    out[i] = x;
}
