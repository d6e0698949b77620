/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_145(double *__restrict__ out, double *__restrict__ w0, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = x * 0.5 + (double)(r);
        w0[(r * threads + i) * 3] = x;
    }
    double y11 = x + 1;
    double y12 = x + 2;
    double y13 = x + 3;
    double y14 = x + 4;
    double y15 = x + 5;
    double y16 = x + 6;
    double y17 = x + 7;
    #pragma unroll 16
    for (int r = 0; r < n1; r++) {
        x = max(x, (double)(0.5)) * 0.5;
        x = (x + (double)(0.25)) * 0.5;
        y11 = y11 * 0.25 + (double)(0.25);
        y11 = y11 * 0.25 + (double)(0.5);
        y12 = (y12 + (double)(0.25)) * 0.5;
        y12 = y12 * 0.5 + (double)(0.25);
        y13 = y13 * 0.5 + (double)(0.25);
        y13 = (y13 + (double)(0.5)) * 0.25;
        y14 = y14 * 0.5 + (double)(0.25);
        y14 = max(y14, (double)(0.25)) * 0.5;
        y15 = y15 * 0.25 + (double)(0.25);
        y15 = (y15 + (double)(0.5)) * 0.5;
        y16 = y16 * 0.5 + (double)(0.25);
        y16 = (y16 + (double)(0.25)) * 0.5;
        y17 = y17 * 0.5 + (double)(0.25);
        y17 = y17 * 0.5 + (double)(0.25);
    }
    x += y11;
    x += y12;
    x += y13;
    x += y14;
    x += y15;
    x += y16;
    x += y17;
    out[i] = x;
}
