/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_182(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    float y01 = x + 1;
    float y02 = x + 2;
    float y03 = x + 3;
    #pragma unroll 1
    for (int r = 0; r < n0; r++) {
        x = (x + (float)(0.25f)) * 0.25f;
        y01 = y01 * 0.25f + (float)(0.5f);
        y02 = y02 * 0.75f + (float)(0.75f);
        y03 = y03 * 0.5f + (float)(0.25f);
    }
    x += y01;
    x += y02;
    x += y03;
    __shared__ float s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = (x + (float)(s1[(threadIdx.x * 33 + r) & 2047])) * 0.5f;
        __syncthreads();
        s1[(threadIdx.x + r) & 2047] = x;
        __syncthreads();
    }
    __syncthreads();
    for (int r = 0; r < n2; r++)
    x = logf(x * x + 2);
    out[i] = x;
}
