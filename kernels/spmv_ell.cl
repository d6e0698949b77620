/*
 * y = a * x for a sparse matrix of `width` stored elements in each row, the first of every row,
 * then the second of every row, and so on (ELLPACK).
 *
 * Launch: one dimension, one thread a row.
 *
 * columns  s32, `width` times one element a row: column of each stored element
 * values   f32, the same shape: value of each stored element
 * x        f32, one element a column
 * y        f32, one element a row
 *
 * Depends on data: the addresses of x on columns.
 */
__kernel void spmv_ell(__global const int *restrict columns, __global const float *restrict values,
                       __global const float *restrict x, __global float *restrict y, int rows,
                       int width)
{
    int row = get_global_id(0);

    if (row < rows) {
        float sum = 0.0f;
        for (int j = 0; j < width; j++)
            sum += values[j * rows + row] * x[columns[j * rows + row]];
        y[row] = sum;
    }
}
