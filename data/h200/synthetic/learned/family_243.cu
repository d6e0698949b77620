/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_243(float *__restrict__ out, const float *__restrict__ a0u, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 4
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0u[(r * threads + i) * 2])) * 0.75f;
    float y11 = x + 1;
    float y12 = x + 2;
    float y13 = x + 3;
    #pragma unroll 4
    for (int r = 0; r < n1; r++) {
        x = (x + (float)(0.75f)) * 0.75f;
        x = max(x, (float)(0.25f)) * 0.75f;
        x = x * 0.5f + (float)(0.25f);
        x = max(x, (float)(0.25f)) * 0.5f;
        y11 = max(y11, (float)(0.75f)) * 0.25f;
        y11 = (y11 + (float)(0.75f)) * 0.25f;
        y11 = y11 * 0.25f + (float)(0.5f);
        y11 = y11 * 0.25f + (float)(0.75f);
        y12 = y12 * 0.25f + (float)(0.75f);
        y12 = y12 * 0.75f + (float)(0.75f);
        y12 = y12 * 0.5f + (float)(0.5f);
        y12 = (y12 + (float)(0.5f)) * 0.25f;
        y13 = (y13 + (float)(0.5f)) * 0.75f;
        y13 = y13 * 0.5f + (float)(0.75f);
        y13 = y13 * 0.75f + (float)(0.75f);
        y13 = y13 * 0.75f + (float)(0.75f);
    }
    x += y11;
    x += y12;
    x += y13;
    out[i] = x;
}
