/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_137(double *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        for (int j = 0; j <= (threadIdx.x & 63); j++)
        x = x * 0.5 + (double)(j);
    }
    out[i] = x;
}
