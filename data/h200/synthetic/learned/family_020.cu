/* Written by scripts/device/write-synthetic. */

__constant__ float family_020_table2[64];
extern "C" __global__ void family_020(float *__restrict__ out, int n0, const float *__restrict__ a1u, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(0.75f)) * 0.5f;
    }
    #pragma unroll 8
    for (int r = 0; r < n1; r++)
    x = (x + (float)(a1u[i + r])) * 0.75f;
    for (int r = 0; r < n2; r++)
    x = max(x, (float)(family_020_table2[(r + (threadIdx.x & 7)) & 63])) * 0.25f;
    out[i] = x;
}
