/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_238(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 63) == 3) {
            x = x * 0.75f + (float)(0.25f);
            x = x * 0.25f + (float)(0.25f);
            x = x * 0.5f + (float)(0.5f);
            x = (x + (float)(0.5f)) * 0.25f;
            x = (x + (float)(0.25f)) * 0.25f;
        } else {
            x = (x + (float)(0.25f)) * 0.5f;
            x = x * 0.5f + (float)(0.25f);
            x = (x + (float)(i)) * 0.25f;
        }
    }
    out[i] = x;
}
