/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_163(float *__restrict__ out, const float *__restrict__ a0u, const float *__restrict__ a0v, int n0, const float *__restrict__ a1u, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0u[i * n0 + r] + a0v[i * n0 + r])) * 0.5f;
    #pragma unroll 2
    for (int r = 0; r < n1; r++)
    x = x * 0.5f + (float)(a1u[r * threads + i]);
    float y21 = x + 1;
    float y22 = x + 2;
    float y23 = x + 3;
    #pragma unroll 16
    for (int r = 0; r < n2; r++) {
        x = max(x, (float)(0.75f)) * 0.75f;
        x = (x + (float)(0.25f)) * 0.5f;
        y21 = max(y21, (float)(0.5f)) * 0.75f;
        y21 = max(y21, (float)(0.25f)) * 0.75f;
        y22 = max(y22, (float)(0.25f)) * 0.25f;
        y22 = y22 * 0.5f + (float)(0.25f);
        y23 = (y23 + (float)(0.25f)) * 0.5f;
        y23 = y23 * 0.5f + (float)(0.25f);
    }
    x += y21;
    x += y22;
    x += y23;
    out[i] = x;
}
