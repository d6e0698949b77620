/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_165(double *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    __shared__ double s0[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = max(x, (double)(s0[(threadIdx.x * 3 + r) & 2047])) * 0.5;
    }
    __syncthreads();
    __shared__ double s1[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = max(x, (double)(s1[(threadIdx.x * 1 + r) & 1023])) * 0.5;
        __syncthreads();
        s1[(threadIdx.x + r) & 1023] = x;
        __syncthreads();
    }
    __syncthreads();
    out[i] = x;
}
