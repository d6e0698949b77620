/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_076(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = x * 0.25f + (float)(s0[(threadIdx.x * 1 + r) & 2047]);
    }
    __syncthreads();
    __shared__ float s1[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(s1[(threadIdx.x * 4 + r) & 4095])) * 0.25f;
    }
    __syncthreads();
    for (int r = 0; r < n2; r++) {
        if ((threadIdx.x & 1) == 1) {
            x = max(x, (float)(0.5f)) * 0.25f;
        } else {
            x = max(x, (float)(0.5f)) * 0.5f;
            x = (x + (float)(0.5f)) * 0.75f;
            x = x * 0.75f + (float)(0.25f);
            x = x * 0.25f + (float)(0.25f);
            x = x * 0.5f + (float)(i);
        }
    }
    out[i] = x;
}
