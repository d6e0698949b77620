/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_233(double *__restrict__ out, const double *__restrict__ a0u, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = x * 0.25 + (double)(a0u[r * threads + i]);
    double y11 = x + 1;
    double y12 = x + 2;
    double y13 = x + 3;
    #pragma unroll 16
    for (int r = 0; r < n1; r++) {
        x = x * 0.5 + (double)(0.25);
        x = x * 0.5 + (double)(0.5);
        y11 = y11 * 0.25 + (double)(0.25);
        y11 = y11 * 0.5 + (double)(0.5);
        y12 = y12 * 0.5 + (double)(0.25);
        y12 = max(y12, (double)(0.25)) * 0.5;
        y13 = max(y13, (double)(0.25)) * 0.5;
        y13 = y13 * 0.25 + (double)(0.25);
    }
    x += y11;
    x += y12;
    x += y13;
    out[i] = x;
}
