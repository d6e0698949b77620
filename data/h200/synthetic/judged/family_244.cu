/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_244(float *__restrict__ out, float *__restrict__ w0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(r)) * 0.5f;
        w0[i * n0 + r] = x;
    }
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = (x + (float)(0.25f)) * 0.25f;
        x = max(x, (float)(0.75f)) * 0.25f;
        x = (x + (float)(0.25f)) * 0.25f;
        x = (x + (float)(0.25f)) * 0.75f;
    }
    out[i] = x;
}
