/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_114(float *__restrict__ out, int n0, const float *__restrict__ a0, const int *__restrict__ p1, const float *__restrict__ a1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0[(r + (threadIdx.x & 1)) & 63])) * 0.5f;
    for (int r = 0; r < n1; r++)
    x = max(x, (float)(a1[p1[(r * threads + i) & 1048575]])) * 0.5f;
    out[i] = x;
}
