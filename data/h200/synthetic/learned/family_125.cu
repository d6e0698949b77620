/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_125(double *__restrict__ out, int rounds, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ double s0[1024];
        for (int j = threadIdx.x; j < 1024; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = x * 0.25 + (double)(s0[(threadIdx.x * 8 + r) & 1023]);
        }
        __syncthreads();
        for (int r = 0; r < n1; r++) {
            if ((threadIdx.x & 31) == 13) {
                x = x * 0.25 + (double)(0.5);
                x = x * 0.25 + (double)(0.5);
                x = (x + (double)(0.5)) * 0.5;
                x = x * 0.5 + (double)(0.25);
                x = x * 0.5 + (double)(0.25);
            } else {
                x = (x + (double)(0.5)) * 0.5;
                x = x * 0.5 + (double)(0.5);
                x = max(x, (double)(0.25)) * 0.5;
                x = (x + (double)(i)) * 0.25;
            }
        }
        for (int r = 0; r < n2; r++) {
            if ((threadIdx.x & 63) < 15) {
                x = (x + (double)(0.25)) * 0.25;
                x = x * 0.25 + (double)(0.5);
                x = (x + (double)(0.25)) * 0.25;
            } else {
                x = max(x, (double)(0.5)) * 0.5;
                x = x * 0.5 + (double)(i);
            }
        }
    }
    out[i] = x;
}
