/*
 * Factorises many 4 x 4 matrices into lower and upper triangles, in registers, without pivoting:
 * l * u = a + shift * identity. The diagonal of l is one and not stored.
 *
 * Launch: one dimension, one thread a matrix.
 *
 * matrices  f32, element (i, j) of matrix m at (4 * i + j) * n + m; replaced by l and u
 * shift     added to the diagonal
 * n         matrices
 */
extern "C" __global__ void lu4x4(float *matrices, float shift, int n)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;

    if (m >= n)
        return;
    float a[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            a[i][j] = matrices[(4 * i + j) * n + m] + (i == j ? shift : 0.0f);
#pragma unroll
    for (int k = 0; k < 3; k++) {
        float inverse = 1.0f / a[k][k];
#pragma unroll
        for (int i = k + 1; i < 4; i++) {
            a[i][k] *= inverse;
#pragma unroll
            for (int j = k + 1; j < 4; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            matrices[(4 * i + j) * n + m] = a[i][j];
}
