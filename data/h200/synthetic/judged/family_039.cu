/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_039(float *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            if ((threadIdx.x & 7) == 7) {
                x = (x + (float)(0.75f)) * 0.25f;
                x = (x + (float)(0.25f)) * 0.25f;
                x = (x + (float)(0.5f)) * 0.75f;
            } else {
                x = x * 0.5f + (float)(0.5f);
                x = x * 0.25f + (float)(0.25f);
                x = x * 0.5f + (float)(0.5f);
                x = (x + (float)(i)) * 0.25f;
            }
        }
        for (int r = 0; r < n1; r++)
        x = rsqrtf(x * x + 1);
    }
    out[i] = x;
}
