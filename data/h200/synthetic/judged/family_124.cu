/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_124(double *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = max(x, (double)(0.25)) * 0.5;
            x = max(x, (double)(0.25)) * 0.5;
            x = max(x, (double)(0.25)) * 0.25;
            x = (x + (double)(0.5)) * 0.5;
        }
        double y11 = x + 1;
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = (x + (double)(0.25)) * 0.25;
            y11 = max(y11, (double)(0.25)) * 0.25;
        }
        x += y11;
    }
    out[i] = x;
}
