/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_016(double *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    __shared__ double s0[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = max(x, (double)(s0[(threadIdx.x * 3 + r) & 4095])) * 0.25;
    }
    __syncthreads();
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (blockIdx.x & 31); j++)
    x = x * 0.25 + (double)(j);
    #pragma unroll 4
    for (int r = 0; r < n2; r++) {
        x = max(x, (double)(0.5)) * 0.25;
    }
    out[i] = x;
}
