// Products of f32 in a row, of which write_ports.py changes the registers: what reading registers takes.
extern "C" __global__ void __launch_bounds__(512) ports(float *to, long long *cycles, int turns)
{
    float a[8], b[8], c[32];
    for (int i = 0; i < 8; i++)
        a[i] = to[threadIdx.x + 32 * i], b[i] = to[threadIdx.x + 32 * i + 7];
    for (int i = 0; i < 32; i++)
        c[i] = to[threadIdx.x + 16 * i];
    __syncthreads();
    long long from = clock64();
#pragma unroll 1
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll
        for (int j = 0; j < 256; j++)
            asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(c[j % 32]) : "f"(a[j % 8]), "f"(b[j / 32]));
    }
    long long until = clock64();
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += c[i];
    for (int i = 0; i < 8; i++)
        sum += a[i] + b[i];
    to[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0)
        cycles[threadIdx.x / 32] = until - from;
}
