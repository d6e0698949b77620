/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_193(float *__restrict__ out, int rounds, float *__restrict__ w0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = x * 0.25f + (float)(r);
            w0[r * threads + i] = x;
        }
    }
    out[i] = x;
}
