/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_059(float *__restrict__ out, int n0, const int *__restrict__ p1, const float *__restrict__ a1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
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
        x = x * 0.25f + (float)(0.75f);
        y01 = y01 * 0.75f + (float)(0.25f);
        y02 = max(y02, (float)(0.5f)) * 0.75f;
        y03 = max(y03, (float)(0.75f)) * 0.5f;
        y04 = max(y04, (float)(0.5f)) * 0.75f;
        y05 = max(y05, (float)(0.75f)) * 0.5f;
        y06 = y06 * 0.75f + (float)(0.25f);
        y07 = (y07 + (float)(0.25f)) * 0.75f;
    }
    x += y01;
    x += y02;
    x += y03;
    x += y04;
    x += y05;
    x += y06;
    x += y07;
    for (int r = 0; r < n1; r++)
    x = x * 0.5f + (float)(a1[p1[(r * threads + i) & 4095]]);
    out[i] = x;
}
