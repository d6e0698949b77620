/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_178(float *__restrict__ out, int rounds, int n0, const int *__restrict__ p1, const float *__restrict__ a1, int n1, const float *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
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
        for (int r = 0; r < n1; r++)
        x = (x + (float)(a1[p1[(r * threads + i) & 65535]])) * 0.5f;
        #pragma unroll 4
        for (int r = 0; r < n2; r++)
        x = (x + (float)(a2u[r * threads + i])) * 0.75f;
    }
    out[i] = x;
}
