/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_018(int *__restrict__ out, int rounds, const int *__restrict__ a0u, const int *__restrict__ a0v, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 8
        for (int r = 0; r < n0; r++)
        x = x * 5 + (int)(a0u[r * threads + i] + a0v[r * threads + i]);
        for (int r = 0; r < n1; r++)
        for (int j = 0; j <= (threadIdx.x & 15); j++)
        x = x - (int)(j);
    }
    out[i] = x;
}
