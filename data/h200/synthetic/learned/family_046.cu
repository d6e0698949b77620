/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_046(double *__restrict__ out, int rounds, int n0, double *__restrict__ w1, int n1, const double *__restrict__ a2u, const double *__restrict__ a2v, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ double s0[4096];
        for (int j = threadIdx.x; j < 4096; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = x * 0.25 + (double)(s0[(threadIdx.x * 1 + r) & 4095]);
        }
        __syncthreads();
        for (int r = 0; r < n1; r++) {
            x = x * 0.25 + (double)(r);
            atomicAdd(&w1[(i + r) & 0], x);
        }
        #pragma unroll 1
        for (int r = 0; r < n2; r++)
        x = x * 0.25 + (double)(a2u[i * n2 + r] + a2v[i * n2 + r]);
    }
    out[i] = x;
}
