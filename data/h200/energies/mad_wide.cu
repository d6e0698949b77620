/* Written by scripts/device/write-energies. */

extern "C" __global__ void mad_wide(long long *__restrict__ out, const long long *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long a = 1664524 + of[i];
    long long x0 = of[i + 1];
    long long x1 = of[i + 2];
    long long x2 = of[i + 3];
    long long x3 = of[i + 4];
    long long x4 = of[i + 5];
    long long x5 = of[i + 6];
    long long x6 = of[i + 7];
    long long x7 = of[i + 8];
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        x0 = (long long)(int)x0 * (int)a + x0;
        x1 = (long long)(int)x1 * (int)a + x1;
        x2 = (long long)(int)x2 * (int)a + x2;
        x3 = (long long)(int)x3 * (int)a + x3;
        x4 = (long long)(int)x4 * (int)a + x4;
        x5 = (long long)(int)x5 * (int)a + x5;
        x6 = (long long)(int)x6 * (int)a + x6;
        x7 = (long long)(int)x7 * (int)a + x7;
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
