/* Written by scripts/device/write-energies. */

extern "C" __global__ void mma_s8(int *__restrict__ out, const int *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int m0 = of[i + 0] ;
    int m1 = of[i + 1] ;
    int m2 = of[i + 2] ;
    int m3 = of[i + 3] ;
    int m4 = of[i + 4] ;
    int m5 = of[i + 5] ;
    int c00 = 0, c01 = 0, c02 = 0, c03 = 0;
    int c10 = 1, c11 = 1, c12 = 1, c13 = 1;
    int c20 = 2, c21 = 2, c22 = 2, c23 = 2;
    int c30 = 3, c31 = 3, c32 = 3, c33 = 3;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(c00), "+r"(c01), "+r"(c02), "+r"(c03) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(c10), "+r"(c11), "+r"(c12), "+r"(c13) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(c20), "+r"(c21), "+r"(c22), "+r"(c23) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(c30), "+r"(c31), "+r"(c32), "+r"(c33) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
    }
    out[i] = c00 + c01 + c02 + c03 + c10 + c11 + c12 + c13 + c20 + c21 + c22 + c23 + c30 + c31 + c32 + c33;
}
