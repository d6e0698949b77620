/* Written by scripts/device/write-synthetic. */

__constant__ double family_057_table0[256];
extern "C" __global__ void family_057(double *__restrict__ out, int rounds, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = (x + (double)(family_057_table0[(r + (threadIdx.x & 0)) & 255])) * 0.25;
        for (int r = 0; r < n1; r++)
        for (int j = 0; j <= (blockIdx.x & 63); j++)
        x = max(x, (double)(j)) * 0.25;
        for (int r = 0; r < n2; r++)
        x = 1 / (x * x + 1);
    }
    out[i] = x;
}
