/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_017(int *__restrict__ out, const int *__restrict__ a0u, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    #pragma unroll 4
    for (int r = 0; r < n0; r++)
    x = (x << 1) ^ (int)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x]);
    __shared__ int s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 3 + (int)(s1[(threadIdx.x * 1 + r) & 2047]);
    }
    __syncthreads();
    out[i] = x;
}
