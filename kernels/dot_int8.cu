/*
 * Dot products of rows of 8-bit integers, four at a time (dp4a).
 *
 * Launch: one dimension, one thread a row.
 *
 * a, b      s8, four elements a word; word j of row i at j * rows + i
 * products  s32, one a row
 * words     words of a row
 */
extern "C" __global__ void dot_int8(const int *__restrict__ a, const int *__restrict__ b,
                                    int *__restrict__ products, int rows, int words)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < rows) {
        int sum = 0;
        for (int j = 0; j < words; j++)
            sum = __dp4a(a[j * rows + row], b[j * rows + row], sum);
        products[row] = sum;
    }
}
