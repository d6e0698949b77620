/*
 * Loops that count down. suffix_sums: each thread sums one column from its last row to its first
 * and stores every sum on the way. countdown_while: a loop tested at its end, down to zero.
 *
 * Launch: one dimension, one thread a column.
 *
 * values  f32, rows of n elements
 * sums    f32, the same shape (suffix_sums), or n elements (countdown_while)
 * rows    at least one
 */
__kernel void suffix_sums(__global const float *values, __global float *sums, int n, int rows)
{
    int x = get_global_id(0);

    if (x < n) {
        float sum = 0.0f;
        for (int y = rows - 1; y >= 0; y--) {
            sum += values[y * n + x];
            sums[y * n + x] = sum;
        }
    }
}

__kernel void countdown_while(__global const float *values, __global float *sums, int n, int rows)
{
    int x = get_global_id(0);

    if (x < n) {
        float sum = 0.0f;
        int left = rows;
        do {
            left--;
            sum = 0.5f * sum + values[left * n + x];
        } while (left > 0);
        sums[x] = sum;
    }
}
