/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_082(float *__restrict__ out, const float *__restrict__ a0u, int n0, float *__restrict__ w1, int n1, const int *__restrict__ p2, const float *__restrict__ a2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = max(x, (float)(a0u[r * threads + i])) * 0.75f;
    for (int r = 0; r < n1; r++) {
        x = (x + (float)(r)) * 0.5f;
        w1[r * threads + i] = x;
    }
    for (int r = 0; r < n2; r++)
    x = max(x, (float)(a2[p2[(r * threads + i) & 1048575]])) * 0.25f;
    out[i] = x;
}
