/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_089(float *__restrict__ out, float *__restrict__ w0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = x * 0.75f + (float)(r);
        atomicAdd(&w0[(i + r) & 0], x);
    }
    float y11 = x + 1;
    float y12 = x + 2;
    float y13 = x + 3;
    #pragma unroll 16
    for (int r = 0; r < n1; r++) {
        x = x * 0.75f + (float)(0.5f);
        x = max(x, (float)(0.25f)) * 0.75f;
        x = max(x, (float)(0.25f)) * 0.75f;
        x = (x + (float)(0.25f)) * 0.25f;
        y11 = y11 * 0.75f + (float)(0.75f);
        y11 = y11 * 0.75f + (float)(0.25f);
        y11 = (y11 + (float)(0.5f)) * 0.5f;
        y11 = y11 * 0.75f + (float)(0.75f);
        y12 = y12 * 0.75f + (float)(0.25f);
        y12 = y12 * 0.25f + (float)(0.75f);
        y12 = max(y12, (float)(0.25f)) * 0.75f;
        y12 = y12 * 0.5f + (float)(0.5f);
        y13 = (y13 + (float)(0.75f)) * 0.5f;
        y13 = y13 * 0.25f + (float)(0.25f);
        y13 = (y13 + (float)(0.5f)) * 0.25f;
        y13 = y13 * 0.75f + (float)(0.5f);
    }
    x += y11;
    x += y12;
    x += y13;
    out[i] = x;
}
