/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_225(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 16
    for (int r = 0; r < n0; r++) {
        x = (x + (float)(0.75f)) * 0.25f;
        x = (x + (float)(0.25f)) * 0.5f;
    }
    out[i] = x;
}
