/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_142(double *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++)
    x = log(x * x + 2);
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (i & 63); j++)
    x = x * 0.25 + (double)(j);
    out[i] = x;
}
