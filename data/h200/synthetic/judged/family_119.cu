/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_119(double *__restrict__ out, int n0, const double *__restrict__ a1u, const double *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 31) == 27) {
            x = x * 0.5 + (double)(0.25);
            x = (x + (double)(0.25)) * 0.5;
            x = (x + (double)(0.25)) * 0.5;
            x = max(x, (double)(0.25)) * 0.25;
        } else {
            x = x * 0.25 + (double)(i);
        }
    }
    #pragma unroll 1
    for (int r = 0; r < n1; r++)
    x = (x + (double)(a1u[r * threads + i] + a1v[r * threads + i])) * 0.25;
    out[i] = x;
}
