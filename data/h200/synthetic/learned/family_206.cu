/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_206(double *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = log(x * x + 2);
    }
    out[i] = x;
}
