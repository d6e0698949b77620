/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_186(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = x * 0.5f + (float)(s0[(threadIdx.x * 1 + r) & 2047]);
        __syncthreads();
        s0[(threadIdx.x + r) & 2047] = x;
        __syncthreads();
    }
    __syncthreads();
    out[i] = x;
}
