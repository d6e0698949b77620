/*
 * Position of the first element of a column that is above a threshold, `rows` where none is: a loop
 * left early.
 *
 * Launch: one dimension, one thread a column.
 *
 * values  f32, rows of n elements
 * first   n s32
 *
 * Depends on data: the trip count on values.
 */
__kernel void find_first(__global const float *values, __global int *first, float threshold, int n,
                         int rows)
{
    int x = get_global_id(0);

    if (x < n) {
        int y = 0;
        for (; y < rows; y++)
            if (values[y * n + x] > threshold)
                break;
        first[x] = y;
    }
}
