/* Written by scripts/device/write-energies. */

extern "C" __global__ void reciprocal(float *__restrict__ out, const float *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x0 = of[i + 1] + 2;
    float x1 = of[i + 2] + 2;
    float x2 = of[i + 3] + 2;
    float x3 = of[i + 4] + 2;
    float x4 = of[i + 5] + 2;
    float x5 = of[i + 6] + 2;
    float x6 = of[i + 7] + 2;
    float x7 = of[i + 8] + 2;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x0));
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x1));
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x2));
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x3));
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x4));
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x5));
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x6));
        asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x7));
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
