/* Written by scripts/device/write-energies. */

extern "C" __global__ void mad_s32(int *__restrict__ out, const int *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = 1664524 + of[i], b = of[i];
    int x0 = of[i + 1];
    int x1 = of[i + 2];
    int x2 = of[i + 3];
    int x3 = of[i + 4];
    int x4 = of[i + 5];
    int x5 = of[i + 6];
    int x6 = of[i + 7];
    int x7 = of[i + 8];
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        x0 = x0 * a + b;
        x1 = x1 * a + b;
        x2 = x2 * a + b;
        x3 = x3 * a + b;
        x4 = x4 * a + b;
        x5 = x5 * a + b;
        x6 = x6 * a + b;
        x7 = x7 * a + b;
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
