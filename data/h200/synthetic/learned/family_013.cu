/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_013(float *__restrict__ out, int rounds, float *__restrict__ w0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = x * 0.5f + (float)(r);
            atomicAdd(&w0[(i + r) & 65535], x);
        }
    }
    out[i] = x;
}
