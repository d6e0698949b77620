/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_223(double *__restrict__ out, const int *__restrict__ p0, const double *__restrict__ a0, int n0, int n1, const double *__restrict__ a1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++)
    x = x * 0.25 + (double)(a0[p0[(r * threads + i) & 1048575]]);
    for (int r = 0; r < n1; r++)
    x = x * 0.25 + (double)(a1[(r + (threadIdx.x & 1)) & 1023]);
    double y21 = x + 1;
    double y22 = x + 2;
    double y23 = x + 3;
    #pragma unroll 16
    for (int r = 0; r < n2; r++) {
        x = x * 0.25 + (double)(0.5);
        x = x * 0.25 + (double)(0.5);
        x = max(x, (double)(0.25)) * 0.5;
        x = x * 0.5 + (double)(0.25);
        y21 = max(y21, (double)(0.25)) * 0.25;
        y21 = (y21 + (double)(0.5)) * 0.25;
        y21 = y21 * 0.25 + (double)(0.25);
        y21 = y21 * 0.25 + (double)(0.25);
        y22 = y22 * 0.5 + (double)(0.25);
        y22 = (y22 + (double)(0.5)) * 0.25;
        y22 = max(y22, (double)(0.25)) * 0.5;
        y22 = y22 * 0.5 + (double)(0.5);
        y23 = (y23 + (double)(0.5)) * 0.5;
        y23 = max(y23, (double)(0.25)) * 0.25;
        y23 = y23 * 0.25 + (double)(0.25);
        y23 = y23 * 0.25 + (double)(0.5);
    }
    x += y21;
    x += y22;
    x += y23;
    out[i] = x;
}
