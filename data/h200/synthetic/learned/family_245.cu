/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_245(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 63) == 22) {
            x = max(x, (float)(0.75f)) * 0.25f;
            x = max(x, (float)(0.75f)) * 0.75f;
            x = max(x, (float)(0.75f)) * 0.5f;
            x = (x + (float)(0.25f)) * 0.25f;
            x = x * 0.75f + (float)(0.5f);
        } else {
            x = x * 0.25f + (float)(0.75f);
            x = x * 0.5f + (float)(0.25f);
            x = x * 0.75f + (float)(i);
        }
    }
    for (int r = 0; r < n1; r++)
    x = logf(x * x + 2);
    out[i] = x;
}
