/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_070(int *__restrict__ out, int rounds, const int *__restrict__ p0, const int *__restrict__ a0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = x - (int)(a0[p0[(r * threads + i) & 4095]]);
        __shared__ int s1[1024];
        for (int j = threadIdx.x; j < 1024; j += blockDim.x)
        s1[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n1; r++) {
            x = x * 3 + (int)(s1[(threadIdx.x * 32 + r) & 1023]);
            __syncthreads();
            s1[(threadIdx.x + r) & 1023] = x;
            __syncthreads();
        }
        __syncthreads();
    }
    out[i] = x;
}
