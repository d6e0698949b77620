/*
 * Softmax of each row of a matrix.
 *
 * Launch: one block of 256 threads a row; threads stride along the row.
 *
 * source  f32, one row of `columns` elements a block
 * target  f32, the same shape
 */
#define THREADS 256

__kernel void softmax(__global const float *source, __global float *target, int columns)
{
    __local float values[THREADS];
    int tid = get_local_id(0);
    int row = get_group_id(0) * columns;

    float largest = -1.0e30f;
    for (int j = tid; j < columns; j += THREADS)
        largest = fmax(largest, source[row + j]);
    values[tid] = largest;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s)
            values[tid] = fmax(values[tid], values[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    largest = values[0];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int j = tid; j < columns; j += THREADS)
        sum += exp(source[row + j] - largest);
    values[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s)
            values[tid] += values[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = 1.0f / values[0];
    for (int j = tid; j < columns; j += THREADS)
        target[row + j] = exp(source[row + j] - largest) * scale;
}
