/* Written by scripts/device/write-energies. */

extern "C" __global__ void funnel_shift(int *__restrict__ out, const int *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
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
        x0 = __funnelshift_l(x0, x0, 7);
        x1 = __funnelshift_l(x1, x1, 7);
        x2 = __funnelshift_l(x2, x2, 7);
        x3 = __funnelshift_l(x3, x3, 7);
        x4 = __funnelshift_l(x4, x4, 7);
        x5 = __funnelshift_l(x5, x5, 7);
        x6 = __funnelshift_l(x6, x6, 7);
        x7 = __funnelshift_l(x7, x7, 7);
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
