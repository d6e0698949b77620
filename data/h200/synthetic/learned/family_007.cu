/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_007(float *__restrict__ out, int n0, int n1, const float *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = __expf(-x * x) + 0.5f;
    for (int r = 0; r < n1; r++) {
        if ((threadIdx.x & 63) < 23) {
            x = max(x, (float)(0.5f)) * 0.5f;
            x = x * 0.25f + (float)(0.5f);
            x = x * 0.5f + (float)(0.5f);
            x = x * 0.5f + (float)(0.75f);
        } else {
            x = (x + (float)(0.25f)) * 0.5f;
            x = max(x, (float)(0.25f)) * 0.25f;
            x = (x + (float)(i)) * 0.5f;
        }
    }
    #pragma unroll 1
    for (int r = 0; r < n2; r++)
    x = (x + (float)(a2u[r])) * 0.75f;
    out[i] = x;
}
