/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_066(float *__restrict__ out, int rounds, const float *__restrict__ a0u, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 8
        for (int r = 0; r < n0; r++)
        x = max(x, (float)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x])) * 0.25f;
        float y11 = x + 1;
        float y12 = x + 2;
        float y13 = x + 3;
        float y14 = x + 4;
        float y15 = x + 5;
        float y16 = x + 6;
        float y17 = x + 7;
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = x * 0.5f + (float)(0.75f);
            y11 = (y11 + (float)(0.75f)) * 0.25f;
            y12 = (y12 + (float)(0.5f)) * 0.75f;
            y13 = (y13 + (float)(0.25f)) * 0.75f;
            y14 = (y14 + (float)(0.25f)) * 0.75f;
            y15 = max(y15, (float)(0.25f)) * 0.25f;
            y16 = y16 * 0.25f + (float)(0.5f);
            y17 = max(y17, (float)(0.75f)) * 0.5f;
        }
        x += y11;
        x += y12;
        x += y13;
        x += y14;
        x += y15;
        x += y16;
        x += y17;
        for (int r = 0; r < n2; r++)
        for (int j = 0; j <= (threadIdx.x & 15); j++)
        x = x * 0.75f + (float)(j);
    }
    out[i] = x;
}
