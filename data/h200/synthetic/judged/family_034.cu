/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_034(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = sqrtf(x * x + 0.75f);
    for (int r = 0; r < n1; r++) {
        if ((threadIdx.x & 7) == 2) {
            x = (x + (float)(0.75f)) * 0.25f;
            x = x * 0.75f + (float)(0.75f);
        } else {
            x = x * 0.5f + (float)(0.5f);
            x = max(x, (float)(0.25f)) * 0.75f;
            x = max(x, (float)(i)) * 0.5f;
        }
    }
    out[i] = x;
}
