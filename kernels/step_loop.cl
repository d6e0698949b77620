/*
 * Sums every `step`-th element of a row, from `start` on.
 *
 * Launch: one dimension, one thread a row.
 *
 * values  f32, the elements of all rows interleaved: element j of row i at j * rows + i
 * sums    f32, one a row
 * rows    rows
 * length  elements of a row
 * start   first element
 * step    above zero
 */
__kernel void step_loop(__global const float *values, __global float *sums, int rows, int length,
                        int start, int step)
{
    int row = get_global_id(0);

    if (row < rows) {
        float sum = 0.0f;
        for (int j = start; j < length; j += step)
            sum += values[j * rows + row];
        sums[row] = sum;
    }
}
