/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_197(float *__restrict__ out, int n0, const float *__restrict__ a1u, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = x * 0.25f + (float)(s0[(threadIdx.x * 32 + r) & 4095]);
        __syncthreads();
        s0[(threadIdx.x + r) & 4095] = x;
        __syncthreads();
    }
    __syncthreads();
    #pragma unroll 8
    for (int r = 0; r < n1; r++)
    x = (x + (float)(a1u[i * n1 + r])) * 0.75f;
    out[i] = x;
}
