/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_180(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x * 0.5f;
    }
    float y11 = x + 1;
    float y12 = x + 2;
    float y13 = x + 3;
    float y14 = x + 4;
    float y15 = x + 5;
    float y16 = x + 6;
    float y17 = x + 7;
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(0.25f)) * 0.5f;
        x = x * 0.25f + (float)(0.75f);
        y11 = max(y11, (float)(0.25f)) * 0.25f;
        y11 = max(y11, (float)(0.75f)) * 0.25f;
        y12 = y12 * 0.75f + (float)(0.75f);
        y12 = (y12 + (float)(0.5f)) * 0.75f;
        y13 = y13 * 0.25f + (float)(0.25f);
        y13 = y13 * 0.25f + (float)(0.5f);
        y14 = y14 * 0.75f + (float)(0.5f);
        y14 = (y14 + (float)(0.75f)) * 0.75f;
        y15 = max(y15, (float)(0.75f)) * 0.75f;
        y15 = max(y15, (float)(0.25f)) * 0.25f;
        y16 = y16 * 0.25f + (float)(0.25f);
        y16 = y16 * 0.5f + (float)(0.5f);
        y17 = (y17 + (float)(0.25f)) * 0.75f;
        y17 = max(y17, (float)(0.25f)) * 0.75f;
    }
    x += y11;
    x += y12;
    x += y13;
    x += y14;
    x += y15;
    x += y16;
    x += y17;
    out[i] = x;
}
