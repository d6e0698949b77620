/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_237(double *__restrict__ out, int rounds, const int *__restrict__ p0, const double *__restrict__ a0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = x * 0.25 + (double)(a0[p0[(r * threads + i) & 8388607]]);
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = (x + (double)(0.25)) * 0.5;
        }
    }
    out[i] = x;
}
