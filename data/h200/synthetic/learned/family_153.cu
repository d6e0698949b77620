/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_153(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            if ((threadIdx.x & 7) == 6) {
                x = (x + (float)(0.75f)) * 0.5f;
                x = x * 0.5f + (float)(0.5f);
                x = max(x, (float)(0.75f)) * 0.5f;
                x = x * 0.75f + (float)(0.5f);
                x = max(x, (float)(0.5f)) * 0.5f;
            } else {
                x = (x + (float)(0.25f)) * 0.75f;
                x = (x + (float)(0.75f)) * 0.25f;
                x = x * 0.25f + (float)(i);
            }
        }
    }
    out[i] = x;
}
