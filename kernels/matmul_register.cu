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

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul_register4(const float *__restrict__ a, const float *__restrict__ b,
                     float *__restrict__ c, int m, int n, int k)
{
    __shared__ float tile_a[DEPTH4][TILE4 + 1];
    __shared__ float tile_b[DEPTH4][TILE4];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column0 = blockIdx.x * TILE4, row0 = blockIdx.y * TILE4;
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
        __syncthreads();
        for (int i = 0; i < DEPTH4; i++)
#pragma unroll
            for (int y = 0; y < 4; y++)
#pragma unroll
                for (int x = 0; x < 4; x++)
                    sums[y][x] += tile_a[i][ty + y * SIDE] * tile_b[i][tx + x * SIDE];
        __syncthreads();
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

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul_register8(const float *__restrict__ a, const float *__restrict__ b,
                     float *__restrict__ c, int m, int n, int k)
{
    __shared__ float tile_a[DEPTH8][TILE8 + 1];
    __shared__ float tile_b[DEPTH8][TILE8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column0 = blockIdx.x * TILE8, row0 = blockIdx.y * TILE8;
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
        __syncthreads();
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
        __syncthreads();
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
