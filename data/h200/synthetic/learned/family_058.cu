/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_058(float *__restrict__ out, int n0, float *__restrict__ w1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = logf(x * x + 2);
    for (int r = 0; r < n1; r++) {
        x = x * 0.25f + (float)(r);
        w1[(r * threads + i) * 3] = x;
    }
    out[i] = x;
}
