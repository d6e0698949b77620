/* Written by scripts/device/write-energies. */

extern "C" __global__ void waiting(float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i;
    for (int r = 0; r < n; r++)
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
    out[i] = x;
}
