/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_149(float *__restrict__ out, int n0, int n1, const float *__restrict__ a1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(s0[(threadIdx.x * 1 + r) & 1023])) * 0.25f;
        __syncthreads();
        s0[(threadIdx.x + r) & 1023] = x;
        __syncthreads();
    }
    __syncthreads();
    for (int r = 0; r < n1; r++)
    x = x * 0.5f + (float)(a1[(r + (threadIdx.x & 1)) & 1023]);
    for (int r = 0; r < n2; r++) {
        if ((threadIdx.x & 31) == 13) {
            x = max(x, (float)(0.75f)) * 0.5f;
        } else {
            x = max(x, (float)(0.5f)) * 0.25f;
            x = x * 0.25f + (float)(0.5f);
            x = x * 0.25f + (float)(i);
        }
    }
    out[i] = x;
}
