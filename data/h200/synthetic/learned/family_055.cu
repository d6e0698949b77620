/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_055(float *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 16
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(0.25f)) * 0.25f;
        x = (x + (float)(0.5f)) * 0.25f;
    }
    out[i] = x;
}
