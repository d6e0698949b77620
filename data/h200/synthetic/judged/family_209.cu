/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_209(float *__restrict__ out, int rounds, int n0, int n1, const int *__restrict__ p2, const float *__restrict__ a2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        float y01 = x + 1;
        float y02 = x + 2;
        float y03 = x + 3;
        #pragma unroll 16
        for (int r = 0; r < n0; r++) {
            x = x * 0.25f + (float)(0.25f);
            y01 = max(y01, (float)(0.75f)) * 0.75f;
            y02 = y02 * 0.5f + (float)(0.25f);
            y03 = (y03 + (float)(0.25f)) * 0.25f;
        }
        x += y01;
        x += y02;
        x += y03;
        float y11 = x + 1;
        float y12 = x + 2;
        float y13 = x + 3;
        float y14 = x + 4;
        float y15 = x + 5;
        float y16 = x + 6;
        float y17 = x + 7;
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = max(x, (float)(0.75f)) * 0.25f;
            x = (x + (float)(0.75f)) * 0.25f;
            y11 = y11 * 0.75f + (float)(0.25f);
            y11 = y11 * 0.5f + (float)(0.25f);
            y12 = y12 * 0.5f + (float)(0.5f);
            y12 = y12 * 0.25f + (float)(0.75f);
            y13 = y13 * 0.75f + (float)(0.5f);
            y13 = max(y13, (float)(0.75f)) * 0.75f;
            y14 = max(y14, (float)(0.5f)) * 0.5f;
            y14 = (y14 + (float)(0.25f)) * 0.75f;
            y15 = max(y15, (float)(0.5f)) * 0.25f;
            y15 = max(y15, (float)(0.25f)) * 0.5f;
            y16 = max(y16, (float)(0.25f)) * 0.5f;
            y16 = y16 * 0.5f + (float)(0.25f);
            y17 = y17 * 0.5f + (float)(0.5f);
            y17 = y17 * 0.75f + (float)(0.25f);
        }
        x += y11;
        x += y12;
        x += y13;
        x += y14;
        x += y15;
        x += y16;
        x += y17;
        for (int r = 0; r < n2; r++)
        x = x * 0.25f + (float)(a2[p2[(r * threads + i) & 8388607]]);
    }
    out[i] = x;
}
