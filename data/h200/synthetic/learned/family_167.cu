/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_167(float *__restrict__ out, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 63) < 52) {
            x = x * 0.5f + (float)(0.75f);
            x = (x + (float)(0.75f)) * 0.75f;
            x = x * 0.25f + (float)(0.75f);
            x = x * 0.5f + (float)(0.75f);
        } else {
            x = x * 0.75f + (float)(0.5f);
            x = x * 0.25f + (float)(0.25f);
            x = x * 0.5f + (float)(0.25f);
            x = (x + (float)(0.25f)) * 0.75f;
            x = x * 0.25f + (float)(i);
        }
    }
    #pragma unroll 1
    for (int r = 0; r < n1; r++)
    x = (x + (float)(a1u[i + r] + a1v[i + r])) * 0.5f;
    out[i] = x;
}
