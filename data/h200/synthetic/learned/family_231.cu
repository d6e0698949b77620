/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_231(float *__restrict__ out, float *__restrict__ w0, int n0, const int *__restrict__ p1, const float *__restrict__ a1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(r)) * 0.75f;
        atomicAdd(&w0[(i + r) & 1023], x);
    }
    for (int r = 0; r < n1; r++)
    x = x * 0.25f + (float)(a1[p1[(r * threads + i) & 8388607]]);
    out[i] = x;
}
