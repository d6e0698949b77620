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

extern "C" __global__ void layer_norm(const float *__restrict__ source,
                                      const float *__restrict__ scale,
                                      const float *__restrict__ shift, float *__restrict__ target,
                                      float epsilon, int columns)
{
    __shared__ float sums[THREADS];
    __shared__ float squares[THREADS];
    int tid = threadIdx.x;
    int row = blockIdx.x * columns;
    float sum = 0.0f, square = 0.0f;

    for (int j = tid; j < columns; j += THREADS) {
        float value = source[row + j];
        sum += value;
        square += value * value;
    }
    sums[tid] = sum;
    squares[tid] = square;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sums[tid] += sums[tid + s];
            squares[tid] += squares[tid + s];
        }
        __syncthreads();
    }
    float mean = sums[0] / columns;
    float inverse = rsqrtf(squares[0] / columns - mean * mean + epsilon);
    for (int j = tid; j < columns; j += THREADS)
        target[row + j] = (source[row + j] - mean) * inverse * scale[j] + shift[j];
}
