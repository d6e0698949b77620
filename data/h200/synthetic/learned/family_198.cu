/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_198(float *__restrict__ out, int rounds, float *__restrict__ w0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = x * 0.5f + (float)(r);
            w0[(r * threads + i) * 3] = x;
        }
        __shared__ float s1[2048];
        for (int j = threadIdx.x; j < 2048; j += blockDim.x)
        s1[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n1; r++) {
            x = x * 0.75f + (float)(s1[(threadIdx.x * 4 + r) & 2047]);
            __syncthreads();
            s1[(threadIdx.x + r) & 2047] = x;
            __syncthreads();
        }
        __syncthreads();
    }
    out[i] = x;
}
