/* Matrices that are sparse in a shape: diagonals, blocks of three. */

/* Diagonals at offsets that an array holds. */
extern "C" __global__ void diagonals_product(const double *__restrict__ values, const int *__restrict__ at, const double *__restrict__ x, double *__restrict__ y, int n, int diagonals)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    double sum = 0;
    for (int d = 0; d < diagonals; d++) {
        const int column = row + at[d];
        if (column >= 0 && column < n)
            sum += values[(long long)d * n + row] * x[column];
    }
    y[row] = sum;
}

/* Rows of blocks 3 x 3 as finite elements have them: a warp a row, lanes take elements of blocks. */
extern "C" __global__ void __launch_bounds__(128) blocks_of_three_product(const int *__restrict__ starts, const int *__restrict__ columns, const float *__restrict__ values, const float *__restrict__ x, float *__restrict__ y,
                                                                         int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const int slot = lane / 9, inner = lane % 9, c = inner % 3;
    float sum = 0.0f;
    const int end = starts[row + 1];
    if (lane < 27)
        for (int e = starts[row] + slot; e < end; e += 3)
            sum += values[(long long)e * 9 + inner] * x[columns[e] * 3 + c];
    sum += __shfl_down_sync(0xffffffff, sum, 18) * (lane < 9) + 0.0f;
    const float other = __shfl_down_sync(0xffffffff, sum, 9);
    if (lane < 9)
        sum += other;
    const float s1 = __shfl_down_sync(0xffffffff, sum, 1), s2 = __shfl_down_sync(0xffffffff, sum, 2);
    if (lane < 9 && c == 0)
        y[row * 3 + lane / 3] = sum + s1 + s2;
}
