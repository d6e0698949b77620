/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_174(double *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    __shared__ double s0[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = max(x, (double)(s0[(threadIdx.x * 33 + r) & 1023])) * 0.25;
    }
    __syncthreads();
    double y11 = x + 1;
    #pragma unroll 1
    for (int r = 0; r < n1; r++) {
        x = x * 0.5 + (double)(0.25);
        x = x * 0.5 + (double)(0.25);
        x = x * 0.25 + (double)(0.5);
        x = x * 0.5 + (double)(0.25);
        y11 = y11 * 0.25 + (double)(0.25);
        y11 = y11 * 0.25 + (double)(0.5);
        y11 = y11 * 0.5 + (double)(0.25);
        y11 = y11 * 0.5 + (double)(0.25);
    }
    x += y11;
    for (int r = 0; r < n2; r++)
    for (int j = 0; j <= (threadIdx.x & 31); j++)
    x = x * 0.25 + (double)(j);
    out[i] = x;
}
