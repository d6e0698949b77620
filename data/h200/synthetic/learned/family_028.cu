/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_028(float *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = rsqrtf(x * x + 1);
    }
    out[i] = x;
}
