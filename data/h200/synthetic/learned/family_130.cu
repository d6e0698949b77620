/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_130(float *__restrict__ out, const float *__restrict__ a0u, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = x * 0.5f + (float)(a0u[i * n0 + r]);
    for (int r = 0; r < n1; r++) {
        if ((threadIdx.x & 1) < 1) {
            x = x * 0.25f + (float)(0.75f);
            x = x * 0.25f + (float)(0.75f);
        } else {
            x = max(x, (float)(0.5f)) * 0.25f;
            x = (x + (float)(0.25f)) * 0.75f;
            x = x * 0.5f + (float)(0.5f);
            x = x * 0.25f + (float)(0.25f);
            x = max(x, (float)(i)) * 0.25f;
        }
    }
    float y21 = x + 1;
    #pragma unroll 1
    for (int r = 0; r < n2; r++) {
        x = x * 0.25f + (float)(0.25f);
        y21 = (y21 + (float)(0.5f)) * 0.75f;
    }
    x += y21;
    out[i] = x;
}
