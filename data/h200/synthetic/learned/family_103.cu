/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_103(double *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++) {
        x = max(x, (double)(0.5)) * 0.5;
    }
    __shared__ double s1[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 0.5 + (double)(s1[(threadIdx.x * 4 + r) & 1023]);
    }
    __syncthreads();
    out[i] = x;
}
