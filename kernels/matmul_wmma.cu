/*
 * c = a * b on tensor cores through nvcuda::wmma, one warp a 16 x 16 tile of c, operands straight
 * from global memory.
 *
 * Launch: blocks of 32 x 4 threads: a row of threads is a warp; the grid covers the tiles of c, x
 * along its columns (one tile a block), y along its rows (four tiles a block).
 *
 * a  f16, m rows of k elements; m, n and k multiples of 16
 * b  f16, k rows of n elements
 * c  f32, m rows of n elements
 */
#include <mma.h>

extern "C" __global__ void matmul_wmma(const __half *a, const __half *b, float *c, int m, int n,
                                       int k)
{
    using namespace nvcuda;
    int column = blockIdx.x * 16;
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * 16;

    if (row >= m)
        return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(part_a, a + row * k + i, k);
        wmma::load_matrix_sync(part_b, b + i * n + column, n);
        wmma::mma_sync(sum, part_a, part_b, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
