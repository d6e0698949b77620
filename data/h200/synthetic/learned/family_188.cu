/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_188(double *__restrict__ out, int rounds, double *__restrict__ w0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = (x + (double)(r)) * 0.25;
            w0[r * threads + i] = x;
        }
    }
    out[i] = x;
}
