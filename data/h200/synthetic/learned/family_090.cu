/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_090(float *__restrict__ out, int n0, float *__restrict__ w1, int n1, int n2, const float *__restrict__ a2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = sinf(x) + 0.25f;
    for (int r = 0; r < n1; r++) {
        x = x * 0.5f + (float)(r);
        w1[i * n1 + r] = x;
    }
    for (int r = 0; r < n2; r++)
    x = x * 0.75f + (float)(a2[(r + (threadIdx.x & 7)) & 1023]);
    out[i] = x;
}
