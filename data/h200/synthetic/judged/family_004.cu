/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_004(float *__restrict__ out, float *__restrict__ w0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = x * 0.75f + (float)(r);
        w0[r * threads + i] = x;
    }
    out[i] = x;
}
