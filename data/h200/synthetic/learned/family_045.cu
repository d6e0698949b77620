/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_045(float *__restrict__ out, const int *__restrict__ p0, const float *__restrict__ a0, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = x * 0.75f + (float)(a0[p0[(r * threads + i) & 65535]]);
    __shared__ float s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = (x + (float)(s1[(threadIdx.x * 1 + r) & 2047])) * 0.5f;
    }
    __syncthreads();
    #pragma unroll 16
    for (int r = 0; r < n2; r++) {
        x = x * 0.25f + (float)(0.75f);
        x = x * 0.5f + (float)(0.25f);
    }
    out[i] = x;
}
