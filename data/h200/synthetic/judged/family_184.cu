/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_184(float *__restrict__ out, int rounds, const float *__restrict__ a0u, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 4
        for (int r = 0; r < n0; r++)
        x = (x + (float)(a0u[r])) * 0.25f;
    }
    out[i] = x;
}
