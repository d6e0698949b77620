/* Written by scripts/device/write-energies. */

extern "C" __global__ void fma_f16(int *__restrict__ out, const int *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a = 0xbc00bc00, b = of[i] & 0x3bff3bff;
    int x0 = of[i + 1] & 0x3bff3bff;
    int x1 = of[i + 2] & 0x3bff3bff;
    int x2 = of[i + 3] & 0x3bff3bff;
    int x3 = of[i + 4] & 0x3bff3bff;
    int x4 = of[i + 5] & 0x3bff3bff;
    int x5 = of[i + 6] & 0x3bff3bff;
    int x6 = of[i + 7] & 0x3bff3bff;
    int x7 = of[i + 8] & 0x3bff3bff;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x0) : "r"(a), "r"(b));
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x1) : "r"(a), "r"(b));
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x2) : "r"(a), "r"(b));
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x3) : "r"(a), "r"(b));
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x4) : "r"(a), "r"(b));
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x5) : "r"(a), "r"(b));
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x6) : "r"(a), "r"(b));
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x7) : "r"(a), "r"(b));
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
