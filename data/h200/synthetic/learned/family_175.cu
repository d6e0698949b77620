/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_175(float *__restrict__ out, const float *__restrict__ a0u, const float *__restrict__ a0v, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = x * 0.25f + (float)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x] + a0v[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x]);
    __shared__ float s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 0.75f + (float)(s1[(threadIdx.x * 3 + r) & 2047]);
    }
    __syncthreads();
    out[i] = x;
}
