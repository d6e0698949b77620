/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_091(float *__restrict__ out, int n0, const float *__restrict__ a0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0[(r + (threadIdx.x & 1)) & 63])) * 0.75f;
    __shared__ float s1[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(s1[(threadIdx.x * 32 + r) & 1023])) * 0.75f;
    }
    __syncthreads();
    out[i] = x;
}
