/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_025(double *__restrict__ out, const double *__restrict__ a0u, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = x * 0.5 + (double)(a0u[r * threads + i]);
    for (int r = 0; r < n1; r++) {
        if ((threadIdx.x & 1) < 1) {
            x = max(x, (double)(0.25)) * 0.5;
            x = x * 0.25 + (double)(0.25);
            x = (x + (double)(0.5)) * 0.25;
        } else {
            x = x * 0.25 + (double)(i);
        }
    }
    for (int r = 0; r < n2; r++) {
        if ((threadIdx.x & 3) < 2) {
            x = x * 0.25 + (double)(0.25);
        } else {
            x = x * 0.5 + (double)(0.5);
            x = x * 0.25 + (double)(0.25);
            x = (x + (double)(0.5)) * 0.5;
            x = x * 0.25 + (double)(i);
        }
    }
    out[i] = x;
}
