/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_127(float *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ float s0[1024];
        for (int j = threadIdx.x; j < 1024; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = x * 0.25f + (float)(s0[(threadIdx.x * 1 + r) & 1023]);
            __syncthreads();
            s0[(threadIdx.x + r) & 1023] = x;
            __syncthreads();
        }
        __syncthreads();
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = x * 0.25f + (float)(0.5f);
        }
    }
    out[i] = x;
}
