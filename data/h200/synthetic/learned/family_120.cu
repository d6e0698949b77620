/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_120(float *__restrict__ out, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    float y01 = x + 1;
    #pragma unroll 4
    for (int r = 0; r < n0; r++) {
        x = x * 0.25f + (float)(0.5f);
        x = max(x, (float)(0.25f)) * 0.5f;
        y01 = (y01 + (float)(0.25f)) * 0.25f;
        y01 = (y01 + (float)(0.25f)) * 0.5f;
    }
    x += y01;
    #pragma unroll 1
    for (int r = 0; r < n1; r++)
    x = (x + (float)(a1u[(r * threads + i) * 8] + a1v[(r * threads + i) * 8])) * 0.25f;
    out[i] = x;
}
