/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_146(double *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ double s0[1024];
        for (int j = threadIdx.x; j < 1024; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = x * 0.5 + (double)(s0[(threadIdx.x * 1 + r) & 1023]);
        }
        __syncthreads();
        double y11 = x + 1;
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = max(x, (double)(0.5)) * 0.25;
            y11 = (y11 + (double)(0.25)) * 0.5;
        }
        x += y11;
    }
    out[i] = x;
}
