/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_189(float *__restrict__ out, int rounds, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            if ((threadIdx.x & 1) == 1) {
                x = x * 0.25f + (float)(0.5f);
                x = x * 0.25f + (float)(0.25f);
            } else {
                x = max(x, (float)(0.5f)) * 0.5f;
                x = max(x, (float)(0.5f)) * 0.5f;
                x = (x + (float)(0.5f)) * 0.5f;
                x = x * 0.75f + (float)(0.75f);
                x = x * 0.5f + (float)(0.5f);
                x = max(x, (float)(i)) * 0.25f;
            }
        }
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = max(x, (float)(0.75f)) * 0.5f;
            x = max(x, (float)(0.25f)) * 0.75f;
        }
        for (int r = 0; r < n2; r++)
        x = sinf(x) + 0.75f;
    }
    out[i] = x;
}
