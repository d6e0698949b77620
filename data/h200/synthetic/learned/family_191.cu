/* Written by scripts/device/write-synthetic. */

__constant__ double family_191_table0[1024];
extern "C" __global__ void family_191(double *__restrict__ out, int n0, int n1, const double *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++)
    x = max(x, (double)(family_191_table0[(r + (threadIdx.x & 0)) & 1023])) * 0.5;
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = x * 0.5 + (double)(0.5);
        x = x * 0.25 + (double)(0.5);
        x = max(x, (double)(0.5)) * 0.5;
    }
    #pragma unroll 1
    for (int r = 0; r < n2; r++)
    x = x * 0.25 + (double)(a2u[r * threads + i]);
    out[i] = x;
}
