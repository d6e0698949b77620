/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_217(float *__restrict__ out, int n0, int n1, float *__restrict__ w2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x * 0.5f;
    }
    #pragma unroll 4
    for (int r = 0; r < n1; r++) {
        x = (x + (float)(0.75f)) * 0.75f;
        x = x * 0.75f + (float)(0.25f);
        x = x * 0.5f + (float)(0.75f);
        x = x * 0.5f + (float)(0.25f);
    }
    for (int r = 0; r < n2; r++) {
        x = x * 0.75f + (float)(r);
        w2[r * threads + i] = x;
    }
    out[i] = x;
}
