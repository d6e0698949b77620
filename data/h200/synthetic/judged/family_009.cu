/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_009(float *__restrict__ out, int n0, const float *__restrict__ a0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = x * 0.25f + (float)(a0[(r + (threadIdx.x & 0)) & 1023]);
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = (x + (float)(0.25f)) * 0.75f;
        x = x * 0.75f + (float)(0.75f);
        x = x * 0.25f + (float)(0.75f);
    }
    out[i] = x;
}
