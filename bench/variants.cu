// Two kernels with parameters for bench/bench_variants.c: what an autotuner would vary.
#ifndef TILE
#define TILE 16
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef WIDTH
#define WIDTH 32
#endif
#ifndef HEIGHT
#define HEIGHT 8
#endif
#define TEXT(x)        #x
#define UNROLL_BY(n)   _Pragma(TEXT(unroll n))

#ifdef MATMUL
// c = a * b through TILE x TILE shared tiles; blocks of TILE x TILE threads.
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
    float sum = 0.0f;
    for (int start = 0; start < k; start += TILE) {
        tile_a[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.0f;
        tile_b[ty][tx] = start + ty < k && column < n ? b[(start + ty) * n + column] : 0.0f;
        __syncthreads();
        UNROLL_BY(UNROLL)
        for (int i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
#else
// A five-point stencil, UNROLL rows a thread; blocks of WIDTH x HEIGHT threads.
extern "C" __global__ void stencil2d(const float *in, float *out, int m, int n)
{
    int x = blockIdx.x * WIDTH + threadIdx.x, first = (blockIdx.y * HEIGHT + threadIdx.y) * UNROLL;
#pragma unroll
    for (int r = 0; r < UNROLL; r++) {
        int y = first + r;
        if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
            out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                                     in[(y - 1) * n + x] + in[(y + 1) * n + x]);
    }
}
#endif
