/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_230(double *__restrict__ out, const int *__restrict__ p0, const double *__restrict__ a0, int n0, const double *__restrict__ a1u, const double *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++)
    x = max(x, (double)(a0[p0[(r * threads + i) & 65535]])) * 0.25;
    #pragma unroll 4
    for (int r = 0; r < n1; r++)
    x = (x + (double)(a1u[r * threads + i] + a1v[r * threads + i])) * 0.5;
    out[i] = x;
}
