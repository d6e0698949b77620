/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_015(float *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        for (int j = 0; j <= (threadIdx.x & 63); j++)
        x = x * 0.75f + (float)(j);
        __shared__ float s1[4096];
        for (int j = threadIdx.x; j < 4096; j += blockDim.x)
        s1[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n1; r++) {
            x = x * 0.75f + (float)(s1[(threadIdx.x * 33 + r) & 4095]);
            __syncthreads();
            s1[(threadIdx.x + r) & 4095] = x;
            __syncthreads();
        }
        __syncthreads();
    }
    out[i] = x;
}
