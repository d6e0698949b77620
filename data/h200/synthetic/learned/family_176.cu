/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_176(double *__restrict__ out, int rounds, int n0, const double *__restrict__ a0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = x * 0.5 + (double)(a0[(r + (threadIdx.x & 1)) & 255]);
    }
    out[i] = x;
}
