/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_097(float *__restrict__ out, int rounds, float *__restrict__ w0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = x * 0.5f + (float)(r);
            atomicAdd(&w0[(i + r) & 1023], x);
        }
        float y11 = x + 1;
        #pragma unroll 16
        for (int r = 0; r < n1; r++) {
            x = max(x, (float)(0.5f)) * 0.75f;
            x = x * 0.75f + (float)(0.75f);
            x = x * 0.5f + (float)(0.5f);
            x = x * 0.5f + (float)(0.25f);
            y11 = y11 * 0.5f + (float)(0.5f);
            y11 = (y11 + (float)(0.5f)) * 0.25f;
            y11 = max(y11, (float)(0.5f)) * 0.25f;
            y11 = max(y11, (float)(0.75f)) * 0.25f;
        }
        x += y11;
    }
    out[i] = x;
}
