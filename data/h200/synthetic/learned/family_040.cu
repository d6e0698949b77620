/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_040(float *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ float s0[2048];
        for (int j = threadIdx.x; j < 2048; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = x * 0.5f + (float)(s0[(threadIdx.x * 33 + r) & 2047]);
        }
        __syncthreads();
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = x * 0.25f + (float)(0.75f);
            x = x * 0.5f + (float)(0.5f);
            x = max(x, (float)(0.5f)) * 0.75f;
        }
    }
    out[i] = x;
}
