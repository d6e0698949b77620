/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_112(float *__restrict__ out, int n0, const float *__restrict__ a1u, int n1, const float *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    __shared__ float s0[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = (x + (float)(s0[(threadIdx.x * 3 + r) & 2047])) * 0.25f;
        __syncthreads();
        s0[(threadIdx.x + r) & 2047] = x;
        __syncthreads();
    }
    __syncthreads();
    #pragma unroll 8
    for (int r = 0; r < n1; r++)
    x = x * 0.75f + (float)(a1u[r * threads + i]);
    #pragma unroll 4
    for (int r = 0; r < n2; r++)
    x = (x + (float)(a2u[(blockIdx.x * n2 + r) * blockDim.x + threadIdx.x])) * 0.75f;
    out[i] = x;
}
