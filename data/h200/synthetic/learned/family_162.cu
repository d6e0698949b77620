/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_162(double *__restrict__ out, int rounds, int n0, const double *__restrict__ a1u, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            for (int d = 16; d > 0; d /= 2)
            x += __shfl_xor_sync(0xffffffffu, x, d);
            x = x * 0.25;
        }
        #pragma unroll 1
        for (int r = 0; r < n1; r++)
        x = x * 0.25 + (double)(a1u[i + r]);
    }
    out[i] = x;
}
