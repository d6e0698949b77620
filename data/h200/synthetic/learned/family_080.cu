/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_080(float *__restrict__ out, int rounds, float *__restrict__ w0, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = (x + (float)(r)) * 0.25f;
            w0[(r * threads + i) * 3] = x;
        }
        for (int r = 0; r < n1; r++) {
            for (int d = 16; d > 0; d /= 2)
            x += __shfl_xor_sync(0xffffffffu, x, d);
            x = x * 0.75f;
        }
        for (int r = 0; r < n2; r++)
        x = logf(x * x + 2);
    }
    out[i] = x;
}
