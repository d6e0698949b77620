/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_190(float *__restrict__ out, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    float y01 = x + 1;
    float y02 = x + 2;
    float y03 = x + 3;
    #pragma unroll 16
    for (int r = 0; r < n0; r++) {
        x = (x + (float)(0.25f)) * 0.75f;
        x = x * 0.25f + (float)(0.25f);
        x = max(x, (float)(0.75f)) * 0.25f;
        y01 = (y01 + (float)(0.25f)) * 0.5f;
        y01 = (y01 + (float)(0.5f)) * 0.25f;
        y01 = (y01 + (float)(0.25f)) * 0.5f;
        y02 = y02 * 0.25f + (float)(0.5f);
        y02 = y02 * 0.5f + (float)(0.5f);
        y02 = y02 * 0.5f + (float)(0.25f);
        y03 = y03 * 0.25f + (float)(0.5f);
        y03 = y03 * 0.25f + (float)(0.75f);
        y03 = y03 * 0.5f + (float)(0.75f);
    }
    x += y01;
    x += y02;
    x += y03;
    #pragma unroll 8
    for (int r = 0; r < n1; r++)
    x = x * 0.25f + (float)(a1u[threadIdx.x * gridDim.x + blockIdx.x + r] + a1v[threadIdx.x * gridDim.x + blockIdx.x + r]);
    float y21 = x + 1;
    #pragma unroll 1
    for (int r = 0; r < n2; r++) {
        x = max(x, (float)(0.75f)) * 0.75f;
        x = x * 0.5f + (float)(0.25f);
        x = max(x, (float)(0.5f)) * 0.75f;
        x = (x + (float)(0.75f)) * 0.5f;
        y21 = max(y21, (float)(0.75f)) * 0.75f;
        y21 = max(y21, (float)(0.75f)) * 0.75f;
        y21 = max(y21, (float)(0.25f)) * 0.25f;
        y21 = (y21 + (float)(0.75f)) * 0.75f;
    }
    x += y21;
    out[i] = x;
}
