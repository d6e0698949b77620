/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_194(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(s0[(threadIdx.x * 3 + r) & 2047])) * 0.5f;
        __syncthreads();
        s0[(threadIdx.x + r) & 2047] = x;
        __syncthreads();
    }
    __syncthreads();
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = x * 0.25f + (float)(0.25f);
        x = (x + (float)(0.5f)) * 0.25f;
        x = x * 0.25f + (float)(0.5f);
    }
    for (int r = 0; r < n2; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x * 0.5f;
    }
    out[i] = x;
}
