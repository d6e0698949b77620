/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_079(float *__restrict__ out, int rounds, const int *__restrict__ p0, const float *__restrict__ a0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        x = (x + (float)(a0[p0[(r * threads + i) & 1048575]])) * 0.75f;
    }
    out[i] = x;
}
