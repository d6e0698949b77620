/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_128(double *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 3) < 2) {
            x = max(x, (double)(0.5)) * 0.5;
            x = x * 0.5 + (double)(0.25);
            x = x * 0.5 + (double)(0.5);
        } else {
            x = max(x, (double)(0.25)) * 0.25;
            x = x * 0.25 + (double)(i);
        }
    }
    for (int r = 0; r < n1; r++) {
        if ((threadIdx.x & 7) == 6) {
            x = x * 0.5 + (double)(0.25);
            x = max(x, (double)(0.5)) * 0.25;
            x = max(x, (double)(0.5)) * 0.25;
        } else {
            x = (x + (double)(0.5)) * 0.25;
            x = max(x, (double)(0.25)) * 0.5;
            x = x * 0.25 + (double)(0.5);
            x = x * 0.5 + (double)(0.25);
            x = max(x, (double)(0.5)) * 0.25;
            x = x * 0.5 + (double)(i);
        }
    }
    out[i] = x;
}
