/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_036(float *__restrict__ out, float *__restrict__ w0, int n0, const float *__restrict__ a1u, const float *__restrict__ a1v, int n1, const int *__restrict__ p2, const float *__restrict__ a2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = (x + (float)(r)) * 0.75f;
        atomicAdd(&w0[(i + r) & 1023], x);
    }
    #pragma unroll 2
    for (int r = 0; r < n1; r++)
    x = x * 0.75f + (float)(a1u[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x] + a1v[(blockIdx.x * n1 + r) * blockDim.x + threadIdx.x]);
    for (int r = 0; r < n2; r++)
    x = max(x, (float)(a2[p2[(r * threads + i) & 65535]])) * 0.5f;
    out[i] = x;
}
