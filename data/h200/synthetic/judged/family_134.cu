/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_134(float *__restrict__ out, int n0, const float *__restrict__ a1u, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 16
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(0.5f)) * 0.5f;
        x = (x + (float)(0.25f)) * 0.75f;
        x = max(x, (float)(0.75f)) * 0.5f;
        x = x * 0.25f + (float)(0.25f);
    }
    #pragma unroll 4
    for (int r = 0; r < n1; r++)
    x = x * 0.25f + (float)(a1u[r * threads + i]);
    out[i] = x;
}
