/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_095(float *__restrict__ out, int rounds, const int *__restrict__ p0, const float *__restrict__ a0, int n0, float *__restrict__ w1, int n1, const float *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = x * 0.75f + (float)(a0[p0[(r * threads + i) & 8388607]]);
        for (int r = 0; r < n1; r++) {
            x = max(x, (float)(r)) * 0.5f;
            atomicAdd(&w1[(i + r) & 0], x);
        }
        #pragma unroll 4
        for (int r = 0; r < n2; r++)
        x = x * 0.75f + (float)(a2u[r * threads + i]);
    }
    out[i] = x;
}
