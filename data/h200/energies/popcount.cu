/* Written by scripts/device/write-energies. */

extern "C" __global__ void popcount(int *__restrict__ out, const int *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int b = of[i];
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
        x0 = __popc(x0) ^ b;
        x1 = __popc(x1) ^ b;
        x2 = __popc(x2) ^ b;
        x3 = __popc(x3) ^ b;
        x4 = __popc(x4) ^ b;
        x5 = __popc(x5) ^ b;
        x6 = __popc(x6) ^ b;
        x7 = __popc(x7) ^ b;
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
