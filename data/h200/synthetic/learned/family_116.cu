/* Written by scripts/device/write-synthetic. */

__constant__ int family_116_table1[256];
extern "C" __global__ void family_116(int *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    __shared__ int s0[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = x - (int)(s0[(threadIdx.x * 1 + r) & 2047]);
        __syncthreads();
        s0[(threadIdx.x + r) & 2047] = x;
        __syncthreads();
    }
    __syncthreads();
    for (int r = 0; r < n1; r++)
    x = (x << 1) ^ (int)(family_116_table1[(r + (threadIdx.x & 0)) & 255]);
    out[i] = x;
}
