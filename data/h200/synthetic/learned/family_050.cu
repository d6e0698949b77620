/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_050(double *__restrict__ out, const double *__restrict__ a0u, const double *__restrict__ a0v, int n0, double *__restrict__ w1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    #pragma unroll 8
    for (int r = 0; r < n0; r++)
    x = x * 0.5 + (double)(a0u[r * threads + i] + a0v[r * threads + i]);
    for (int r = 0; r < n1; r++) {
        x = (x + (double)(r)) * 0.25;
        atomicAdd(&w1[(i + r) & 65535], x);
    }
    out[i] = x;
}
