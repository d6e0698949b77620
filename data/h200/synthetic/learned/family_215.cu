/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_215(float *__restrict__ out, const int *__restrict__ p0, const float *__restrict__ a0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0[p0[(r * threads + i) & 4095]])) * 0.75f;
    for (int r = 0; r < n1; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x * 0.25f;
    }
    out[i] = x;
}
