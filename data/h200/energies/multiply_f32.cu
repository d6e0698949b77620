/* Written by scripts/device/write-energies. */

extern "C" __global__ void multiply_f32(float *__restrict__ out, const float *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = -1.0f + 1e-7f * of[i];
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
        x0 = x0 * a;
        x1 = x1 * a;
        x2 = x2 * a;
        x3 = x3 * a;
        x4 = x4 * a;
        x5 = x5 * a;
        x6 = x6 * a;
        x7 = x7 * a;
    }
    out[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
