/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_154(float *__restrict__ out, int rounds, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = x * 0.75f + (float)(0.5f);
            x = (x + (float)(0.5f)) * 0.5f;
            x = (x + (float)(0.75f)) * 0.75f;
            x = max(x, (float)(0.5f)) * 0.5f;
        }
        #pragma unroll 8
        for (int r = 0; r < n1; r++)
        x = (x + (float)(a1u[i + r] + a1v[i + r])) * 0.75f;
    }
    out[i] = x;
}
