/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_239(double *__restrict__ out, const int *__restrict__ p0, const double *__restrict__ a0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++)
    x = (x + (double)(a0[p0[(r * threads + i) & 65535]])) * 0.5;
    out[i] = x;
}
