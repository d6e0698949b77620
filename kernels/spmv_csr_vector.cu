/*
 * y = a * x for a sparse matrix in compressed rows, one warp a row.
 *
 * Launch: one dimension, blocks of a multiple of 32 threads, 32 threads a row.
 *
 * starts   s32, rows + 1 positions: row i is from starts[i] to starts[i + 1]
 * columns  s32, column of each stored element
 * values   f32, value of each stored element
 * x        f32, one element a column
 * y        f32, one element a row
 *
 * Depends on data: the trip count on starts, the addresses of x on columns.
 */
extern "C" __global__ void spmv_csr_vector(const int *__restrict__ starts,
                                           const int *__restrict__ columns,
                                           const float *__restrict__ values,
                                           const float *__restrict__ x, float *__restrict__ y,
                                           int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;

    if (row < rows) {
        int end = starts[row + 1];
        float sum = 0.0f;
        for (int j = starts[row] + lane; j < end; j += 32)
            sum += values[j] * x[columns[j]];
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        if (lane == 0)
            y[row] = sum;
    }
}
