/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_241(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 31) < 6) {
            x = x * 0.25f + (float)(0.5f);
            x = max(x, (float)(0.75f)) * 0.75f;
        } else {
            x = max(x, (float)(0.75f)) * 0.5f;
            x = x * 0.75f + (float)(0.75f);
            x = x * 0.5f + (float)(0.5f);
            x = max(x, (float)(0.5f)) * 0.25f;
            x = (x + (float)(0.25f)) * 0.75f;
            x = (x + (float)(i)) * 0.75f;
        }
    }
    out[i] = x;
}
