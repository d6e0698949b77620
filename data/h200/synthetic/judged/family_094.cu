/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_094(double *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ double s0[1024];
        for (int j = threadIdx.x; j < 1024; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = x * 0.5 + (double)(s0[(threadIdx.x * 8 + r) & 1023]);
            __syncthreads();
            s0[(threadIdx.x + r) & 1023] = x;
            __syncthreads();
        }
        __syncthreads();
        for (int r = 0; r < n1; r++)
        for (int j = 0; j <= (threadIdx.x & 63); j++)
        x = max(x, (double)(j)) * 0.25;
    }
    out[i] = x;
}
