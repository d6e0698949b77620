/*
 * Normalises each row of a matrix to mean zero and variance one, then scales and shifts it.
 *
 * Launch: one block of 128 threads a row; threads stride along the row.
 *
 * source   f32, one row of `columns` elements a block
 * scale    f32, `columns` elements
 * shift    f32, `columns` elements
 * target   f32, the shape of source
 * epsilon  added to the variance
 */
#define THREADS 128

__kernel void layer_norm(__global const float *restrict source,
                         __global const float *restrict scale, __global const float *restrict shift,
                         __global float *restrict target, float epsilon, int columns)
{
    __local float sums[THREADS];
    __local float squares[THREADS];
    int tid = get_local_id(0);
    int row = get_group_id(0) * columns;
    float sum = 0.0f, square = 0.0f;

    for (int j = tid; j < columns; j += THREADS) {
        float value = source[row + j];
        sum += value;
        square += value * value;
    }
    sums[tid] = sum;
    squares[tid] = square;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = THREADS / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sums[tid] += sums[tid + s];
            squares[tid] += squares[tid + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float mean = sums[0] / columns;
    float inverse = rsqrt(squares[0] / columns - mean * mean + epsilon);
    for (int j = tid; j < columns; j += THREADS)
        target[row + j] = (source[row + j] - mean) * inverse * scale[j] + shift[j];
}
