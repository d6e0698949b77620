/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_152(float *__restrict__ out, int n0, float *__restrict__ w1, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 7) < 7) {
            x = max(x, (float)(0.75f)) * 0.5f;
            x = (x + (float)(0.25f)) * 0.5f;
        } else {
            x = (x + (float)(0.5f)) * 0.25f;
            x = (x + (float)(0.5f)) * 0.75f;
            x = (x + (float)(i)) * 0.25f;
        }
    }
    for (int r = 0; r < n1; r++) {
        x = x * 0.5f + (float)(r);
        w1[r * threads + i] = x;
    }
    float y21 = x + 1;
    #pragma unroll 1
    for (int r = 0; r < n2; r++) {
        x = x * 0.25f + (float)(0.25f);
        x = (x + (float)(0.25f)) * 0.25f;
        y21 = y21 * 0.25f + (float)(0.75f);
        y21 = y21 * 0.25f + (float)(0.5f);
    }
    x += y21;
    out[i] = x;
}
