/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_096(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            for (int d = 16; d > 0; d /= 2)
            x += __shfl_xor_sync(0xffffffffu, x, d);
            x = x * 0.75f;
        }
    }
    out[i] = x;
}
