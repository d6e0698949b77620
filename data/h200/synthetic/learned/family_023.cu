/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_023(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    float y01 = x + 1;
    float y02 = x + 2;
    float y03 = x + 3;
    #pragma unroll 4
    for (int r = 0; r < n0; r++) {
        x = x * 0.75f + (float)(0.5f);
        x = (x + (float)(0.25f)) * 0.5f;
        y01 = (y01 + (float)(0.5f)) * 0.5f;
        y01 = y01 * 0.25f + (float)(0.5f);
        y02 = y02 * 0.5f + (float)(0.75f);
        y02 = max(y02, (float)(0.5f)) * 0.75f;
        y03 = y03 * 0.5f + (float)(0.5f);
        y03 = y03 * 0.25f + (float)(0.5f);
    }
    x += y01;
    x += y02;
    x += y03;
    out[i] = x;
}
