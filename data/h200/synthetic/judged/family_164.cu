/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_164(double *__restrict__ out, int rounds, int n0, const double *__restrict__ a0, double *__restrict__ w1, int n1, double *__restrict__ w2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = x * 0.25 + (double)(a0[(r + (threadIdx.x & 0)) & 63]);
        for (int r = 0; r < n1; r++) {
            x = (x + (double)(r)) * 0.25;
            w1[r * threads + i] = x;
        }
        for (int r = 0; r < n2; r++) {
            x = x * 0.5 + (double)(r);
            atomicAdd(&w2[(i + r) & 0], x);
        }
    }
    out[i] = x;
}
