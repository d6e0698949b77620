/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_121(float *__restrict__ out, int n0, const float *__restrict__ a0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0[(r + (threadIdx.x & 0)) & 1023])) * 0.5f;
    float y11 = x + 1;
    #pragma unroll 16
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(0.25f)) * 0.25f;
        x = (x + (float)(0.75f)) * 0.75f;
        x = x * 0.5f + (float)(0.75f);
        x = x * 0.25f + (float)(0.5f);
        y11 = y11 * 0.25f + (float)(0.25f);
        y11 = y11 * 0.25f + (float)(0.5f);
        y11 = y11 * 0.25f + (float)(0.5f);
        y11 = max(y11, (float)(0.75f)) * 0.75f;
    }
    x += y11;
    out[i] = x;
}
