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

__kernel void matmul_tiled(__global const float *a, __global const float *b, __global float *c,
                           int m, int n, int k)
{
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int column = get_group_id(0) * TILE + tx;
    int row = get_group_id(1) * TILE + ty;
    float sum = 0.0f;

    for (int start = 0; start < k; start += TILE) {
        tile_a[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.0f;
        tile_b[ty][tx] = start + ty < k && column < n ? b[(start + ty) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
