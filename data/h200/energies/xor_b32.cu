/* Written by scripts/device/write-energies. */

extern "C" __global__ void xor_b32(int *__restrict__ out, const int *__restrict__ of, int n)
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
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x0) : "r"(b));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x1) : "r"(b));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x2) : "r"(b));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x3) : "r"(b));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x4) : "r"(b));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x5) : "r"(b));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x6) : "r"(b));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x7) : "r"(b));
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
