/*
 * Solves many tridiagonal systems with the same matrix by Thomas's method: forward elimination,
 * then substitution from the last row up. The matrix has `diagonal` on its diagonal and -1 beside
 * it.
 *
 * Launch: one dimension, one thread a system.
 *
 * values   f32, row j of system i at j * systems + i; right-hand sides, replaced by solutions
 * factors  f32, the same shape: scratch
 * rows     of each system
 */
extern "C" __global__ void thomas(float *values, float *factors, float diagonal, int systems,
                                  int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= systems)
        return;
    float factor = 0.0f, value = 0.0f;
    for (int j = 0; j < rows; j++) {
        float inverse = 1.0f / (diagonal + factor);
        value = (values[j * systems + i] + value) * inverse;
        factor = -inverse;
        factors[j * systems + i] = factor;
        values[j * systems + i] = value;
    }
    for (int j = rows - 2; j >= 0; j--) {
        value = values[j * systems + i] - factors[j * systems + i] * value;
        values[j * systems + i] = value;
    }
}
