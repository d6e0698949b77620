/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_227(float *__restrict__ out, int rounds, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ float s0[2048];
        for (int j = threadIdx.x; j < 2048; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = max(x, (float)(s0[(threadIdx.x * 33 + r) & 2047])) * 0.75f;
        }
        __syncthreads();
        #pragma unroll 2
        for (int r = 0; r < n1; r++)
        x = x * 0.5f + (float)(a1u[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x] + a1v[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x]);
        for (int r = 0; r < n2; r++)
        x = sqrtf(x * x + 0.5f);
    }
    out[i] = x;
}
