/* Written by scripts/device/write-energies. */

extern "C" __global__ void root_f64(double *__restrict__ out, const double *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double b = of[i];
    double x0 = of[i + 1] + 2;
    double x1 = of[i + 2] + 2;
    double x2 = of[i + 3] + 2;
    double x3 = of[i + 4] + 2;
    double x4 = of[i + 5] + 2;
    double x5 = of[i + 6] + 2;
    double x6 = of[i + 7] + 2;
    double x7 = of[i + 8] + 2;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        x0 = sqrt(x0 * x0 + b);
        x1 = sqrt(x1 * x1 + b);
        x2 = sqrt(x2 * x2 + b);
        x3 = sqrt(x3 * x3 + b);
        x4 = sqrt(x4 * x4 + b);
        x5 = sqrt(x5 * x5 + b);
        x6 = sqrt(x6 * x6 + b);
        x7 = sqrt(x7 * x7 + b);
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
