/* Written by scripts/device/write-energies. */

extern "C" __global__ void mma_bf16(float *__restrict__ out, const int *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int m0 = of[i + 0] & 0x3f7f3f7f;
    int m1 = of[i + 1] & 0x3f7f3f7f;
    int m2 = of[i + 2] & 0x3f7f3f7f;
    int m3 = of[i + 3] & 0x3f7f3f7f;
    int m4 = of[i + 4] & 0x3f7f3f7f;
    int m5 = of[i + 5] & 0x3f7f3f7f;
    float c00 = 0, c01 = 0, c02 = 0, c03 = 0;
    float c10 = 1, c11 = 1, c12 = 1, c13 = 1;
    float c20 = 2, c21 = 2, c22 = 2, c23 = 2;
    float c30 = 3, c31 = 3, c32 = 3, c33 = 3;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c00), "+f"(c01), "+f"(c02), "+f"(c03) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c10), "+f"(c11), "+f"(c12), "+f"(c13) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c20), "+f"(c21), "+f"(c22), "+f"(c23) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c30), "+f"(c31), "+f"(c32), "+f"(c33) : "r"(m0), "r"(m1), "r"(m2), "r"(m3), "r"(m4), "r"(m5));
    }
    out[i] = c00 + c01 + c02 + c03 + c10 + c11 + c12 + c13 + c20 + c21 + c22 + c23 + c30 + c31 + c32 + c33;
}
