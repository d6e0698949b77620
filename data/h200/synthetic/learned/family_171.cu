/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_171(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 7) == 4) {
            x = max(x, (float)(0.25f)) * 0.5f;
            x = (x + (float)(0.25f)) * 0.75f;
            x = (x + (float)(0.25f)) * 0.5f;
            x = max(x, (float)(0.25f)) * 0.5f;
            x = x * 0.25f + (float)(0.25f);
        } else {
            x = x * 0.25f + (float)(0.25f);
            x = (x + (float)(0.5f)) * 0.75f;
            x = (x + (float)(0.5f)) * 0.5f;
            x = x * 0.75f + (float)(0.5f);
            x = x * 0.75f + (float)(i);
        }
    }
    __shared__ float s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 0.5f + (float)(s1[(threadIdx.x * 1 + r) & 2047]);
        __syncthreads();
        s1[(threadIdx.x + r) & 2047] = x;
        __syncthreads();
    }
    __syncthreads();
    out[i] = x;
}
