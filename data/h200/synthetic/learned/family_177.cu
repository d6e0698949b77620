/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_177(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 3) < 1) {
            x = (x + (float)(0.5f)) * 0.75f;
            x = (x + (float)(0.75f)) * 0.5f;
        } else {
            x = x * 0.75f + (float)(0.5f);
            x = (x + (float)(i)) * 0.75f;
        }
    }
    #pragma unroll 16
    for (int r = 0; r < n1; r++) {
        x = x * 0.5f + (float)(0.75f);
        x = (x + (float)(0.25f)) * 0.5f;
        x = x * 0.25f + (float)(0.25f);
    }
    out[i] = x;
}
