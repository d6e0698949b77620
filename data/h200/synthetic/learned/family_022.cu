/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_022(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 63) < 32) {
            x = max(x, (float)(0.75f)) * 0.25f;
            x = x * 0.25f + (float)(0.5f);
        } else {
            x = x * 0.5f + (float)(0.25f);
            x = x * 0.75f + (float)(0.25f);
            x = x * 0.25f + (float)(0.5f);
            x = x * 0.5f + (float)(0.25f);
            x = x * 0.25f + (float)(i);
        }
    }
    out[i] = x;
}
