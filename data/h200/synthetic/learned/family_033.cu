/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_033(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    float y01 = x + 1;
    float y02 = x + 2;
    float y03 = x + 3;
    float y04 = x + 4;
    float y05 = x + 5;
    float y06 = x + 6;
    float y07 = x + 7;
    #pragma unroll 4
    for (int r = 0; r < n0; r++) {
        x = x * 0.75f + (float)(0.25f);
        x = x * 0.25f + (float)(0.5f);
        x = x * 0.5f + (float)(0.75f);
        y01 = max(y01, (float)(0.75f)) * 0.5f;
        y01 = y01 * 0.5f + (float)(0.25f);
        y01 = y01 * 0.25f + (float)(0.25f);
        y02 = y02 * 0.5f + (float)(0.25f);
        y02 = y02 * 0.75f + (float)(0.75f);
        y02 = y02 * 0.75f + (float)(0.5f);
        y03 = y03 * 0.5f + (float)(0.5f);
        y03 = (y03 + (float)(0.25f)) * 0.25f;
        y03 = y03 * 0.5f + (float)(0.25f);
        y04 = y04 * 0.25f + (float)(0.25f);
        y04 = max(y04, (float)(0.75f)) * 0.25f;
        y04 = max(y04, (float)(0.25f)) * 0.25f;
        y05 = y05 * 0.75f + (float)(0.25f);
        y05 = y05 * 0.25f + (float)(0.25f);
        y05 = (y05 + (float)(0.25f)) * 0.5f;
        y06 = y06 * 0.25f + (float)(0.25f);
        y06 = (y06 + (float)(0.75f)) * 0.75f;
        y06 = (y06 + (float)(0.25f)) * 0.25f;
        y07 = y07 * 0.25f + (float)(0.75f);
        y07 = y07 * 0.25f + (float)(0.75f);
        y07 = max(y07, (float)(0.5f)) * 0.5f;
    }
    x += y01;
    x += y02;
    x += y03;
    x += y04;
    x += y05;
    x += y06;
    x += y07;
    float y11 = x + 1;
    float y12 = x + 2;
    float y13 = x + 3;
    float y14 = x + 4;
    float y15 = x + 5;
    float y16 = x + 6;
    float y17 = x + 7;
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = x * 0.5f + (float)(0.5f);
        x = x * 0.25f + (float)(0.75f);
        x = (x + (float)(0.25f)) * 0.25f;
        y11 = y11 * 0.5f + (float)(0.75f);
        y11 = (y11 + (float)(0.75f)) * 0.25f;
        y11 = y11 * 0.25f + (float)(0.5f);
        y12 = (y12 + (float)(0.75f)) * 0.75f;
        y12 = y12 * 0.75f + (float)(0.25f);
        y12 = y12 * 0.25f + (float)(0.25f);
        y13 = max(y13, (float)(0.25f)) * 0.25f;
        y13 = y13 * 0.25f + (float)(0.75f);
        y13 = max(y13, (float)(0.75f)) * 0.5f;
        y14 = (y14 + (float)(0.75f)) * 0.5f;
        y14 = y14 * 0.75f + (float)(0.25f);
        y14 = y14 * 0.5f + (float)(0.75f);
        y15 = max(y15, (float)(0.75f)) * 0.25f;
        y15 = y15 * 0.5f + (float)(0.5f);
        y15 = y15 * 0.25f + (float)(0.5f);
        y16 = y16 * 0.5f + (float)(0.75f);
        y16 = y16 * 0.25f + (float)(0.25f);
        y16 = (y16 + (float)(0.5f)) * 0.5f;
        y17 = y17 * 0.25f + (float)(0.5f);
        y17 = y17 * 0.25f + (float)(0.25f);
        y17 = max(y17, (float)(0.5f)) * 0.5f;
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
