/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_072(float *__restrict__ out, int rounds, int n0, int n1, const float *__restrict__ a2u, const float *__restrict__ a2v, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 4
        for (int r = 0; r < n0; r++) {
            x = max(x, (float)(0.25f)) * 0.25f;
            x = x * 0.25f + (float)(0.25f);
        }
        float y11 = x + 1;
        float y12 = x + 2;
        float y13 = x + 3;
        #pragma unroll 4
        for (int r = 0; r < n1; r++) {
            x = x * 0.5f + (float)(0.25f);
            x = (x + (float)(0.75f)) * 0.25f;
            x = max(x, (float)(0.25f)) * 0.5f;
            y11 = y11 * 0.5f + (float)(0.75f);
            y11 = (y11 + (float)(0.5f)) * 0.75f;
            y11 = y11 * 0.25f + (float)(0.75f);
            y12 = y12 * 0.25f + (float)(0.75f);
            y12 = max(y12, (float)(0.75f)) * 0.25f;
            y12 = y12 * 0.25f + (float)(0.25f);
            y13 = (y13 + (float)(0.75f)) * 0.75f;
            y13 = (y13 + (float)(0.5f)) * 0.75f;
            y13 = (y13 + (float)(0.75f)) * 0.75f;
        }
        x += y11;
        x += y12;
        x += y13;
        #pragma unroll 1
        for (int r = 0; r < n2; r++)
        x = x * 0.75f + (float)(a2u[r * threads + i] + a2v[r * threads + i]);
    }
    out[i] = x;
}
