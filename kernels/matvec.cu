/*
 * Products of a row-major matrix and a vector: y = a * x, one thread a row (strided loads on
 * purpose), and y = transpose(a) * x, one thread a column.
 *
 * Launch: one dimension, one thread an element of y.
 *
 * a  f32, m rows of n elements
 * x  f32, n elements (matvec) or m elements (matvec_transposed)
 * y  f32, m elements (matvec) or n elements (matvec_transposed)
 */
extern "C" __global__ void matvec(const float *a, const float *x, float *y, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < m) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++)
            sum += a[row * n + j] * x[j];
        y[row] = sum;
    }
}

extern "C" __global__ void matvec_transposed(const float *a, const float *x, float *y, int m, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;

    if (column < n) {
        float sum = 0.0f;
        for (int j = 0; j < m; j++)
            sum += a[j * n + column] * x[j];
        y[column] = sum;
    }
}
