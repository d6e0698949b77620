/*
 * y = a * x for a sparse matrix in compressed rows, one thread a row.
 *
 * Launch: one dimension, one thread a row.
 *
 * starts   s32, rows + 1 positions: row i is from starts[i] to starts[i + 1]
 * columns  s32, column of each stored element
 * values   f32, value of each stored element
 * x        f32, one element a column
 * y        f32, one element a row
 *
 * Depends on data: the trip count on starts, the addresses of x on columns.
 */
extern "C" __global__ void spmv_csr(const int *starts, const int *columns, const float *values,
                                    const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < rows) {
        float sum = 0.0f;
        for (int j = starts[row]; j < starts[row + 1]; j++)
            sum += values[j] * x[columns[j]];
        y[row] = sum;
    }
}
