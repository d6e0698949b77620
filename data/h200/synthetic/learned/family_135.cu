/* Written by scripts/device/write-synthetic. */

__constant__ float family_135_table2[64];
extern "C" __global__ void family_135(float *__restrict__ out, const float *__restrict__ a0u, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 2
    for (int r = 0; r < n0; r++)
    x = (x + (float)(a0u[i * n0 + r])) * 0.5f;
    float y11 = x + 1;
    float y12 = x + 2;
    float y13 = x + 3;
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = x * 0.5f + (float)(0.75f);
        x = x * 0.25f + (float)(0.5f);
        x = x * 0.5f + (float)(0.75f);
        y11 = y11 * 0.25f + (float)(0.5f);
        y11 = max(y11, (float)(0.5f)) * 0.5f;
        y11 = (y11 + (float)(0.25f)) * 0.25f;
        y12 = max(y12, (float)(0.25f)) * 0.5f;
        y12 = y12 * 0.25f + (float)(0.25f);
        y12 = y12 * 0.5f + (float)(0.25f);
        y13 = y13 * 0.5f + (float)(0.75f);
        y13 = y13 * 0.75f + (float)(0.25f);
        y13 = max(y13, (float)(0.75f)) * 0.5f;
    }
    x += y11;
    x += y12;
    x += y13;
    for (int r = 0; r < n2; r++)
    x = x * 0.5f + (float)(family_135_table2[(r + (threadIdx.x & 0)) & 63]);
    out[i] = x;
}
