/* A convolution of 7 x 7 whose weights are a table in constant memory.
 *
 * Blocks of BX x BY threads; each thread makes PX x PY results, BX and BY apart.  SHARED: the block's
 * part of the image goes through shared memory first.  The image has 3 columns and rows more on each
 * side; `pitch` is its row. */
#ifndef BX
#define BX 32
#define BY 8
#define PX 1
#define PY 1
#define SHARED 1
#endif
#define R 3

__constant__ float weights[2 * R + 1][2 * R + 1] = {{0.1f, 0.2f}, {0.3f}};

extern "C" __global__ void __launch_bounds__(BX * BY)
convolution(const float *__restrict__ image, float *__restrict__ out, int n, int pitch)
{
    const int x0 = blockIdx.x * BX * PX, y0 = blockIdx.y * BY * PY;
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum[PY][PX] = {{0}};
#if SHARED
    __shared__ float tile[BY * PY + 2 * R][BX * PX + 2 * R];
    for (int y = ty; y < BY * PY + 2 * R; y += BY)
        for (int x = tx; x < BX * PX + 2 * R; x += BX)
            tile[y][x] = image[(y0 + y) * pitch + x0 + x];
    __syncthreads();
#define AT(y, x) tile[y][x]
#else
#define AT(y, x) image[(y0 + (y)) * pitch + x0 + (x)]
#endif
#pragma unroll
    for (int v = 0; v < 2 * R + 1; v++)
#pragma unroll
        for (int u = 0; u < 2 * R + 1; u++)
#pragma unroll
            for (int j = 0; j < PY; j++)
#pragma unroll
                for (int i = 0; i < PX; i++)
                    sum[j][i] += weights[v][u] * AT(ty + j * BY + v, tx + i * BX + u);
#pragma unroll
    for (int j = 0; j < PY; j++)
#pragma unroll
        for (int i = 0; i < PX; i++)
            out[(y0 + ty + j * BY) * n + x0 + tx + i * BX] = sum[j][i];
}
