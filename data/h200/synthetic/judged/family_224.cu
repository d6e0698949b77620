/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_224(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = x * 0.75f + (float)(0.25f);
            x = max(x, (float)(0.25f)) * 0.5f;
            x = x * 0.25f + (float)(0.75f);
        }
    }
    out[i] = x;
}
