/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_035(double *__restrict__ out, int rounds, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            if ((threadIdx.x & 31) < 27) {
                x = max(x, (double)(0.25)) * 0.5;
                x = (x + (double)(0.25)) * 0.25;
                x = max(x, (double)(0.5)) * 0.5;
            } else {
                x = max(x, (double)(0.5)) * 0.5;
                x = (x + (double)(0.25)) * 0.5;
                x = (x + (double)(0.5)) * 0.5;
                x = (x + (double)(0.25)) * 0.5;
                x = (x + (double)(0.5)) * 0.25;
                x = x * 0.5 + (double)(0.5);
                x = (x + (double)(i)) * 0.5;
            }
        }
        for (int r = 0; r < n1; r++)
        x = sqrt(x * x + 0.5);
        #pragma unroll 1
        for (int r = 0; r < n2; r++) {
            x = (x + (double)(0.25)) * 0.25;
            x = (x + (double)(0.5)) * 0.5;
            x = x * 0.5 + (double)(0.5);
            x = max(x, (double)(0.25)) * 0.25;
        }
    }
    out[i] = x;
}
