/* Written by scripts/device/write-energies. */

extern "C" __global__ void sine(float *__restrict__ out, const float *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float b = of[i] + 1.5f;
    float x0 = of[i + 1] + 2;
    float x1 = of[i + 2] + 2;
    float x2 = of[i + 3] + 2;
    float x3 = of[i + 4] + 2;
    float x4 = of[i + 5] + 2;
    float x5 = of[i + 6] + 2;
    float x6 = of[i + 7] + 2;
    float x7 = of[i + 8] + 2;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        x0 = __sinf(x0) + b;
        x1 = __sinf(x1) + b;
        x2 = __sinf(x2) + b;
        x3 = __sinf(x3) + b;
        x4 = __sinf(x4) + b;
        x5 = __sinf(x5) + b;
        x6 = __sinf(x6) + b;
        x7 = __sinf(x7) + b;
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
