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
extern "C" __global__ void find_first(const float *values, int *first, float threshold, int n,
                                      int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;

    if (x < n) {
        int y = 0;
        for (; y < rows; y++)
            if (values[y * n + x] > threshold)
                break;
        first[x] = y;
    }
}
