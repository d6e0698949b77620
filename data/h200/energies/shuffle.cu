/* Written by scripts/device/write-energies. */

extern "C" __global__ void shuffle(int *__restrict__ out, const int *__restrict__ of, int n)
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
        x0 = __shfl_xor_sync(0xffffffffu, x0, 1) + b;
        x1 = __shfl_xor_sync(0xffffffffu, x1, 1) + b;
        x2 = __shfl_xor_sync(0xffffffffu, x2, 1) + b;
        x3 = __shfl_xor_sync(0xffffffffu, x3, 1) + b;
        x4 = __shfl_xor_sync(0xffffffffu, x4, 1) + b;
        x5 = __shfl_xor_sync(0xffffffffu, x5, 1) + b;
        x6 = __shfl_xor_sync(0xffffffffu, x6, 1) + b;
        x7 = __shfl_xor_sync(0xffffffffu, x7, 1) + b;
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
