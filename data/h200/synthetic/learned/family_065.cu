/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_065(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = logf(x * x + 2);
    __shared__ float s1[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(s1[(threadIdx.x * 2 + r) & 4095])) * 0.25f;
    }
    __syncthreads();
    out[i] = x;
}
