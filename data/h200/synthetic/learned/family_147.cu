/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_147(double *__restrict__ out, int n0, int n1, double *__restrict__ w2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 1) < 1) {
            x = x * 0.25 + (double)(0.25);
            x = max(x, (double)(0.5)) * 0.25;
            x = x * 0.25 + (double)(0.5);
        } else {
            x = (x + (double)(0.25)) * 0.25;
            x = x * 0.5 + (double)(i);
        }
    }
    double y11 = x + 1;
    double y12 = x + 2;
    double y13 = x + 3;
    double y14 = x + 4;
    double y15 = x + 5;
    double y16 = x + 6;
    double y17 = x + 7;
    #pragma unroll 4
    for (int r = 0; r < n1; r++) {
        x = x * 0.25 + (double)(0.25);
        x = x * 0.5 + (double)(0.5);
        x = max(x, (double)(0.25)) * 0.25;
        x = x * 0.5 + (double)(0.5);
        y11 = y11 * 0.25 + (double)(0.25);
        y11 = (y11 + (double)(0.25)) * 0.5;
        y11 = max(y11, (double)(0.5)) * 0.25;
        y11 = (y11 + (double)(0.5)) * 0.25;
        y12 = y12 * 0.25 + (double)(0.5);
        y12 = max(y12, (double)(0.25)) * 0.25;
        y12 = y12 * 0.5 + (double)(0.5);
        y12 = (y12 + (double)(0.25)) * 0.5;
        y13 = max(y13, (double)(0.25)) * 0.5;
        y13 = max(y13, (double)(0.5)) * 0.25;
        y13 = max(y13, (double)(0.5)) * 0.25;
        y13 = max(y13, (double)(0.25)) * 0.5;
        y14 = y14 * 0.25 + (double)(0.25);
        y14 = (y14 + (double)(0.25)) * 0.5;
        y14 = y14 * 0.5 + (double)(0.5);
        y14 = (y14 + (double)(0.25)) * 0.5;
        y15 = y15 * 0.5 + (double)(0.5);
        y15 = y15 * 0.5 + (double)(0.25);
        y15 = max(y15, (double)(0.5)) * 0.25;
        y15 = y15 * 0.5 + (double)(0.5);
        y16 = y16 * 0.5 + (double)(0.5);
        y16 = max(y16, (double)(0.5)) * 0.25;
        y16 = max(y16, (double)(0.5)) * 0.5;
        y16 = max(y16, (double)(0.25)) * 0.25;
        y17 = y17 * 0.25 + (double)(0.5);
        y17 = (y17 + (double)(0.5)) * 0.25;
        y17 = y17 * 0.5 + (double)(0.5);
        y17 = y17 * 0.5 + (double)(0.5);
    }
    x += y11;
    x += y12;
    x += y13;
    x += y14;
    x += y15;
    x += y16;
    x += y17;
    for (int r = 0; r < n2; r++) {
        x = x * 0.25 + (double)(r);
        atomicAdd(&w2[(i + r) & 0], x);
    }
    out[i] = x;
}
