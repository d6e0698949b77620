/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_113(double *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    __shared__ double s0[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = max(x, (double)(s0[(threadIdx.x * 8 + r) & 4095])) * 0.5;
    }
    __syncthreads();
    __shared__ double s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = (x + (double)(s1[(threadIdx.x * 2 + r) & 2047])) * 0.25;
    }
    __syncthreads();
    for (int r = 0; r < n2; r++)
    for (int j = 0; j <= (threadIdx.x & 15); j++)
    x = x * 0.25 + (double)(j);
    out[i] = x;
}
