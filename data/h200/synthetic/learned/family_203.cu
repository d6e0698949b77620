/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_203(double *__restrict__ out, const int *__restrict__ p0, const double *__restrict__ a0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++)
    x = x * 0.5 + (double)(a0[p0[(r * threads + i) & 65535]]);
    __shared__ double s1[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 0.25 + (double)(s1[(threadIdx.x * 33 + r) & 4095]);
    }
    __syncthreads();
    out[i] = x;
}
