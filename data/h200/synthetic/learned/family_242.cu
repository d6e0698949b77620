/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_242(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = x * 0.75f + (float)(s0[(threadIdx.x * 8 + r) & 1023]);
        __syncthreads();
        s0[(threadIdx.x + r) & 1023] = x;
        __syncthreads();
    }
    __syncthreads();
    out[i] = x;
}
