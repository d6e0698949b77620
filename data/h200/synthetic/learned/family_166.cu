/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_166(float *__restrict__ out, int rounds, int n0, int n1, const float *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        float y01 = x + 1;
        float y02 = x + 2;
        float y03 = x + 3;
        #pragma unroll 16
        for (int r = 0; r < n0; r++) {
            x = (x + (float)(0.75f)) * 0.25f;
            x = x * 0.5f + (float)(0.75f);
            x = (x + (float)(0.75f)) * 0.75f;
            y01 = y01 * 0.75f + (float)(0.5f);
            y01 = (y01 + (float)(0.75f)) * 0.25f;
            y01 = (y01 + (float)(0.5f)) * 0.5f;
            y02 = (y02 + (float)(0.5f)) * 0.25f;
            y02 = y02 * 0.25f + (float)(0.75f);
            y02 = y02 * 0.5f + (float)(0.5f);
            y03 = max(y03, (float)(0.25f)) * 0.25f;
            y03 = max(y03, (float)(0.25f)) * 0.5f;
            y03 = y03 * 0.75f + (float)(0.25f);
        }
        x += y01;
        x += y02;
        x += y03;
        for (int r = 0; r < n1; r++) {
            if ((threadIdx.x & 31) < 9) {
                x = x * 0.25f + (float)(0.25f);
                x = max(x, (float)(0.25f)) * 0.5f;
                x = (x + (float)(0.5f)) * 0.25f;
                x = max(x, (float)(0.75f)) * 0.75f;
            } else {
                x = max(x, (float)(0.25f)) * 0.5f;
                x = (x + (float)(0.25f)) * 0.5f;
                x = (x + (float)(i)) * 0.5f;
            }
        }
        #pragma unroll 4
        for (int r = 0; r < n2; r++)
        x = x * 0.25f + (float)(a2u[i + r]);
    }
    out[i] = x;
}
