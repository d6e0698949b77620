/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_049(float *__restrict__ out, int rounds, int n0, int n1, const float *__restrict__ a1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        float y01 = x + 1;
        float y02 = x + 2;
        float y03 = x + 3;
        float y04 = x + 4;
        float y05 = x + 5;
        float y06 = x + 6;
        float y07 = x + 7;
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = x * 0.5f + (float)(0.25f);
            x = max(x, (float)(0.5f)) * 0.75f;
            x = x * 0.75f + (float)(0.5f);
            y01 = (y01 + (float)(0.25f)) * 0.5f;
            y01 = (y01 + (float)(0.5f)) * 0.25f;
            y01 = y01 * 0.75f + (float)(0.75f);
            y02 = y02 * 0.75f + (float)(0.5f);
            y02 = (y02 + (float)(0.75f)) * 0.25f;
            y02 = y02 * 0.5f + (float)(0.25f);
            y03 = y03 * 0.5f + (float)(0.25f);
            y03 = y03 * 0.75f + (float)(0.75f);
            y03 = y03 * 0.75f + (float)(0.75f);
            y04 = (y04 + (float)(0.5f)) * 0.75f;
            y04 = (y04 + (float)(0.75f)) * 0.75f;
            y04 = y04 * 0.75f + (float)(0.5f);
            y05 = y05 * 0.25f + (float)(0.5f);
            y05 = y05 * 0.75f + (float)(0.75f);
            y05 = y05 * 0.25f + (float)(0.5f);
            y06 = y06 * 0.75f + (float)(0.25f);
            y06 = y06 * 0.5f + (float)(0.5f);
            y06 = y06 * 0.25f + (float)(0.25f);
            y07 = max(y07, (float)(0.25f)) * 0.75f;
            y07 = y07 * 0.75f + (float)(0.25f);
            y07 = (y07 + (float)(0.75f)) * 0.75f;
        }
        x += y01;
        x += y02;
        x += y03;
        x += y04;
        x += y05;
        x += y06;
        x += y07;
        for (int r = 0; r < n1; r++)
        x = (x + (float)(a1[(r + (threadIdx.x & 0)) & 1023])) * 0.5f;
    }
    out[i] = x;
}
