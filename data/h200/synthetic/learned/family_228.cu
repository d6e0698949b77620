/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_228(int *__restrict__ out, int rounds, int *__restrict__ w0, int n0, const int *__restrict__ a1u, const int *__restrict__ a1v, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            x = x - (int)(r);
            w0[(r * threads + i) * 3] = x;
        }
        #pragma unroll 1
        for (int r = 0; r < n1; r++)
        x = x * 7 + (int)(a1u[r * threads + i] + a1v[r * threads + i]);
    }
    out[i] = x;
}
