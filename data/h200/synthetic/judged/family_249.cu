/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_249(int *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    __shared__ int s0[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = x - (int)(s0[(threadIdx.x * 3 + r) & 1023]);
        __syncthreads();
        s0[(threadIdx.x + r) & 1023] = x;
        __syncthreads();
    }
    __syncthreads();
    __shared__ int s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 7 + (int)(s1[(threadIdx.x * 1 + r) & 2047]);
    }
    __syncthreads();
    out[i] = x;
}
