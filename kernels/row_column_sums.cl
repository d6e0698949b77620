/*
 * Sums of the rows of a matrix (strided between threads) and of its columns (side by side).
 *
 * Launch: one dimension, one thread a row or a column.
 *
 * source  f32, rows of `columns` elements
 * sums    f32, one a row (row_sums) or a column (column_sums)
 */
__kernel void row_sums(__global const float *source, __global float *sums, int rows, int columns)
{
    int row = get_global_id(0);

    if (row < rows) {
        float sum = 0.0f;
        for (int x = 0; x < columns; x++)
            sum += source[row * columns + x];
        sums[row] = sum;
    }
}

__kernel void column_sums(__global const float *source, __global float *sums, int rows, int columns)
{
    int column = get_global_id(0);

    if (column < columns) {
        float sum = 0.0f;
        for (int y = 0; y < rows; y++)
            sum += source[y * columns + column];
        sums[column] = sum;
    }
}
