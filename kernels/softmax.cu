/*
 * Softmax of each row of a matrix.
 *
 * Launch: one block of 256 threads a row; threads stride along the row.
 *
 * source  f32, one row of `columns` elements a block
 * target  f32, the same shape
 */
#define THREADS 256

extern "C" __global__ void softmax(const float *source, float *target, int columns)
{
    __shared__ float values[THREADS];
    int tid = threadIdx.x;
    int row = blockIdx.x * columns;

    float largest = -1.0e30f;
    for (int j = tid; j < columns; j += THREADS)
        largest = fmaxf(largest, source[row + j]);
    values[tid] = largest;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s)
            values[tid] = fmaxf(values[tid], values[tid + s]);
        __syncthreads();
    }
    largest = values[0];
    __syncthreads();

    float sum = 0.0f;
    for (int j = tid; j < columns; j += THREADS)
        sum += expf(source[row + j] - largest);
    values[tid] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s)
            values[tid] += values[tid + s];
        __syncthreads();
    }
    float scale = 1.0f / values[0];
    for (int j = tid; j < columns; j += THREADS)
        target[row + j] = expf(source[row + j] - largest) * scale;
}
