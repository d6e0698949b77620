/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_038(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++) {
        x = (x + (float)(0.25f)) * 0.75f;
        x = x * 0.5f + (float)(0.75f);
        x = max(x, (float)(0.75f)) * 0.75f;
        x = max(x, (float)(0.5f)) * 0.75f;
    }
    out[i] = x;
}
