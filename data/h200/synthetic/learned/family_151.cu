/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_151(double *__restrict__ out, int rounds, const double *__restrict__ a0u, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 2
        for (int r = 0; r < n0; r++)
        x = x * 0.5 + (double)(a0u[r]);
        for (int r = 0; r < n1; r++) {
            if ((threadIdx.x & 63) < 2) {
                x = (x + (double)(0.5)) * 0.5;
                x = (x + (double)(0.25)) * 0.5;
                x = max(x, (double)(0.25)) * 0.5;
                x = max(x, (double)(0.25)) * 0.25;
            } else {
                x = (x + (double)(0.5)) * 0.25;
                x = x * 0.25 + (double)(0.5);
                x = x * 0.5 + (double)(0.25);
                x = max(x, (double)(0.5)) * 0.5;
                x = max(x, (double)(i)) * 0.5;
            }
        }
    }
    out[i] = x;
}
