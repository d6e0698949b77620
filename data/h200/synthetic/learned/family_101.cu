/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_101(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = x * 0.25f + (float)(s0[(threadIdx.x * 1 + r) & 4095]);
    }
    __syncthreads();
    out[i] = x;
}
