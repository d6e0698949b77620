/* Written by scripts/device/write-energies. */

extern "C" __global__ void branch(int *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (int r = 0; r < n; r++)
    asm volatile("");
    out[i] = i;
}
