/*
 * c = a * b with a block of c in the registers of each thread: 4 x 4 elements (matmul_register4) or
 * 8 x 8 elements (matmul_register8). Ragged edges are filled with zeros.
 *
 * Launch: blocks of 16 x 16 threads; a block covers 64 x 64 elements of c (matmul_register4) or
 * 128 x 128 (matmul_register8), x along its columns, y along its rows.
 *
 * a  f32, m rows of k elements
 * b  f32, k rows of n elements
 * c  f32, m rows of n elements
 */
#define SIDE    16
#define THREADS (SIDE * SIDE)

#define TILE4  (4 * SIDE)
#define DEPTH4 16

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void
matmul_register4(__global const float *restrict a, __global const float *restrict b,
                 __global float *restrict c, int m, int n, int k)
{
    __local float tile_a[DEPTH4][TILE4 + 1];
    __local float tile_b[DEPTH4][TILE4];
    int tx = get_local_id(0), ty = get_local_id(1);
    int column0 = get_group_id(0) * TILE4, row0 = get_group_id(1) * TILE4;
    float sums[4][4] = {{0.0f}};

    for (int start = 0; start < k; start += DEPTH4) {
        for (int l = ty * SIDE + tx; l < TILE4 * DEPTH4; l += THREADS) {
            int row = row0 + l / DEPTH4, inner = start + l % DEPTH4;
            tile_a[l % DEPTH4][l / DEPTH4] = row < m && inner < k ? a[row * k + inner] : 0.0f;
        }
        for (int l = ty * SIDE + tx; l < TILE4 * DEPTH4; l += THREADS) {
            int inner = start + l / TILE4, column = column0 + l % TILE4;
            tile_b[l / TILE4][l % TILE4] = inner < k && column < n ? b[inner * n + column] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < DEPTH4; i++)
#pragma unroll
            for (int y = 0; y < 4; y++)
#pragma unroll
                for (int x = 0; x < 4; x++)
                    sums[y][x] += tile_a[i][ty + y * SIDE] * tile_b[i][tx + x * SIDE];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int y = 0; y < 4; y++)
#pragma unroll
        for (int x = 0; x < 4; x++) {
            int row = row0 + ty + y * SIDE, column = column0 + tx + x * SIDE;
            if (row < m && column < n)
                c[row * n + column] = sums[y][x];
        }
}

#define TILE8  (8 * SIDE)
#define DEPTH8 8

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void
matmul_register8(__global const float *restrict a, __global const float *restrict b,
                 __global float *restrict c, int m, int n, int k)
{
    __local float tile_a[DEPTH8][TILE8 + 1];
    __local float tile_b[DEPTH8][TILE8];
    int tx = get_local_id(0), ty = get_local_id(1);
    int column0 = get_group_id(0) * TILE8, row0 = get_group_id(1) * TILE8;
    float sums[8][8] = {{0.0f}};

    for (int start = 0; start < k; start += DEPTH8) {
        for (int l = ty * SIDE + tx; l < TILE8 * DEPTH8; l += THREADS) {
            int row = row0 + l / DEPTH8, inner = start + l % DEPTH8;
            tile_a[l % DEPTH8][l / DEPTH8] = row < m && inner < k ? a[row * k + inner] : 0.0f;
        }
        for (int l = ty * SIDE + tx; l < TILE8 * DEPTH8; l += THREADS) {
            int inner = start + l / TILE8, column = column0 + l % TILE8;
            tile_b[l / TILE8][l % TILE8] = inner < k && column < n ? b[inner * n + column] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < DEPTH8; i++) {
            float own_a[8], own_b[8];
#pragma unroll
            for (int y = 0; y < 8; y++)
                own_a[y] = tile_a[i][ty + y * SIDE];
#pragma unroll
            for (int x = 0; x < 8; x++)
                own_b[x] = tile_b[i][tx + x * SIDE];
#pragma unroll
            for (int y = 0; y < 8; y++)
#pragma unroll
                for (int x = 0; x < 8; x++)
                    sums[y][x] += own_a[y] * own_b[x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int y = 0; y < 8; y++)
#pragma unroll
        for (int x = 0; x < 8; x++) {
            int row = row0 + ty + y * SIDE, column = column0 + tx + x * SIDE;
            if (row < m && column < n)
                c[row * n + column] = sums[y][x];
        }
}
