/*
 * c = a * b through 16 x 16 shared tiles of a and b; ragged edges are filled with zeros.
 *
 * Launch: blocks of 16 x 16 threads, one thread an element of c, x along its columns, y along its
 * rows.
 *
 * a  f32, m rows of k elements
 * b  f32, k rows of n elements
 * c  f32, m rows of n elements
 */
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n,
                                        int k)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    float sum = 0.0f;

    for (int start = 0; start < k; start += TILE) {
        tile_a[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.0f;
        tile_b[ty][tx] = start + ty < k && column < n ? b[(start + ty) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
