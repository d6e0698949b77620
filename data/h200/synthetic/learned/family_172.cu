/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_172(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = __sinf(x) + 1.5f;
    for (int r = 0; r < n1; r++)
    x = __fdividef(0.5f, x + 2.0f);
    for (int r = 0; r < n2; r++) {
        if ((threadIdx.x & 1) == 1) {
            x = x * 0.25f + (float)(0.5f);
            x = x * 0.5f + (float)(0.75f);
            x = x * 0.75f + (float)(0.25f);
            x = x * 0.5f + (float)(0.5f);
            x = x * 0.5f + (float)(0.5f);
        } else {
            x = x * 0.25f + (float)(0.5f);
            x = max(x, (float)(i)) * 0.75f;
        }
    }
    out[i] = x;
}
