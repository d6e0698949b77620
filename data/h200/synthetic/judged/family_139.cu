/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_139(float *__restrict__ out, int rounds, float *__restrict__ w0, int n0, float *__restrict__ w1, int n1, float *__restrict__ w2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = x * 0.5f + (float)(r);
            w0[r * threads + i] = x;
        }
        for (int r = 0; r < n1; r++) {
            x = x * 0.75f + (float)(r);
            w1[r * threads + i] = x;
        }
        for (int r = 0; r < n2; r++) {
            x = (x + (float)(r)) * 0.5f;
            w2[(r * threads + i) * 3] = x;
        }
    }
    out[i] = x;
}
