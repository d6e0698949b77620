/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_173(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ float s0[4096];
        for (int j = threadIdx.x; j < 4096; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = (x + (float)(s0[(threadIdx.x * 1 + r) & 4095])) * 0.25f;
            __syncthreads();
            s0[(threadIdx.x + r) & 4095] = x;
            __syncthreads();
        }
        __syncthreads();
    }
    out[i] = x;
}
