/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_010(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x * 0.25f;
    }
    for (int r = 0; r < n1; r++)
    x = sqrtf(x * x + 0.5f);
    out[i] = x;
}
