/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_196(double *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++)
    for (int j = 0; j <= (i & 31); j++)
    x = max(x, (double)(j)) * 0.5;
    __shared__ double s1[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = (x + (double)(s1[(threadIdx.x * 8 + r) & 4095])) * 0.5;
    }
    __syncthreads();
    out[i] = x;
}
