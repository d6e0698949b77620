/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_061(float *__restrict__ out, float *__restrict__ w0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(r)) * 0.5f;
        w0[r * threads + i] = x;
    }
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (i & 255); j++)
    x = (x + (float)(j)) * 0.5f;
    out[i] = x;
}
