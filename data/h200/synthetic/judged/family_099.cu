/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_099(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        float y01 = x + 1;
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = x * 0.5f + (float)(0.75f);
            x = max(x, (float)(0.25f)) * 0.5f;
            x = (x + (float)(0.75f)) * 0.5f;
            x = (x + (float)(0.5f)) * 0.75f;
            y01 = y01 * 0.5f + (float)(0.75f);
            y01 = y01 * 0.5f + (float)(0.25f);
            y01 = y01 * 0.75f + (float)(0.5f);
            y01 = y01 * 0.5f + (float)(0.75f);
        }
        x += y01;
    }
    out[i] = x;
}
