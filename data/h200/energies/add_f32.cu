/* Written by scripts/device/write-energies. */

extern "C" __global__ void add_f32(float *__restrict__ out, const float *__restrict__ of, int n)
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
        x0 = b - x0;
        x1 = b - x1;
        x2 = b - x2;
        x3 = b - x3;
        x4 = b - x4;
        x5 = b - x5;
        x6 = b - x6;
        x7 = b - x7;
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
