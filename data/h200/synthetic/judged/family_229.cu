/* Written by scripts/device/write-synthetic. */

__constant__ float family_229_table2[64];
extern "C" __global__ void family_229(float *__restrict__ out, int rounds, int n0, const float *__restrict__ a1u, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        float y01 = x + 1;
        #pragma unroll 4
        for (int r = 0; r < n0; r++) {
            x = max(x, (float)(0.5f)) * 0.25f;
            x = max(x, (float)(0.25f)) * 0.5f;
            y01 = y01 * 0.75f + (float)(0.75f);
            y01 = (y01 + (float)(0.75f)) * 0.5f;
        }
        x += y01;
        #pragma unroll 8
        for (int r = 0; r < n1; r++)
        x = x * 0.5f + (float)(a1u[r * threads + i]);
        for (int r = 0; r < n2; r++)
        x = max(x, (float)(family_229_table2[(r + (threadIdx.x & 7)) & 63])) * 0.5f;
    }
    out[i] = x;
}
