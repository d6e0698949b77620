/* Tiles with halos that blocks go through in a persistent loop, or one a block; for cli/tiles.py. */

/* Rows above and below, at the array's first and last row itself. */
extern "C" __global__ void __launch_bounds__(256) clamped(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    int wide = nx / 64, tiles = wide * (ny / 16), x = threadIdx.x % 64, y = threadIdx.x / 64;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int column = tile % wide * 64 + x, left = max(column - 1, 0), right = min(column + 1, nx - 1);
        float sums[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int row = tile / wide * 16 + y + 4 * i;
            const float *here = from + (size_t)row * nx;
            sums[i] = here[left] + here[right] + from[(size_t)max(row - 1, 0) * nx + column] +
                      from[(size_t)min(row + 1, ny - 1) * nx + column] - here[column];
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            to[(size_t)(tile / wide * 16 + y + 4 * i) * nx + column] = sums[i];
    }
}

__device__ static void rows_of(const float *__restrict__ from, float *__restrict__ to, int nx, int row, int column)
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float *here = from + (size_t)(row + 4 * i + 1) * nx + column;
        to[(size_t)(row + 4 * i + 1) * nx + column] = here[-nx] + here[nx] - here[0];
    }
}

/* A border row above and below; columns need not fill the last tile. */
extern "C" __global__ void __launch_bounds__(256) bordered(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    int wide = (nx + 63) / 64, tiles = wide * (ny / 16);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        if (tile % wide * 64 + threadIdx.x % 64 < nx)
            rows_of(from, to, nx, tile / wide * 16 + threadIdx.x / 64, tile % wide * 64 + threadIdx.x % 64);
}

extern "C" __global__ void __launch_bounds__(256) once(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    int wide = nx / 64;
    rows_of(from, to, nx, blockIdx.x / wide * 16 + threadIdx.x / 64, blockIdx.x % wide * 64 + threadIdx.x % 64);
}

extern "C" __global__ void __launch_bounds__(256) axes(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    rows_of(from, to, nx, blockIdx.y * 16 + threadIdx.x / 64, blockIdx.x * 64 + threadIdx.x % 64);
}

/* By shared memory: rows of nx + 2 and ny + 2 elements. */
extern "C" __global__ void __launch_bounds__(256) shared_tiles(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    __shared__ float s[18][66];
    int wide = nx / 64, tiles = wide * (ny / 16), x = threadIdx.x % 64, y = threadIdx.x / 64;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int left = tile % wide * 64, top = tile / wide * 16;
        for (int k = threadIdx.x; k < 18 * 66; k += 256)
            s[k / 66][k % 66] = from[(size_t)(top + k / 66) * (nx + 2) + left + k % 66];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; i++)
            to[(size_t)(top + y + 4 * i) * nx + left + x] = s[y + 4 * i + 1][x] + s[y + 4 * i + 1][x + 2] + s[y + 4 * i][x + 1] + s[y + 4 * i + 2][x + 1];
        __syncthreads();
    }
}

__device__ static void box_of(const float *__restrict__ from, float *__restrict__ to, int nx, int ny, int tile)
{
    int wx = nx / 32, wy = ny / 8, x = tile % wx * 32 + threadIdx.x % 32, y = tile / wx % wy * 8 + threadIdx.x / 32 + 1;
    size_t plane = (size_t)(ny + 2) * nx;
    for (int z = 0; z < 8; z++) {
        const float *here = from + (tile / (wx * wy) * 8 + z + 1) * plane + (size_t)y * nx + x;
        to[(tile / (wx * wy) * 8 + z + 1) * plane + (size_t)y * nx + x] = here[-(long long)plane] + here[plane] + here[-nx] + here[nx] - here[0];
    }
}

/* Planes of boxes of 32 by 8 by 8. */
extern "C" __global__ void __launch_bounds__(256) boxes(const float *__restrict__ from, float *__restrict__ to, int nx, int ny, int nz)
{
    for (int tile = blockIdx.x; tile < nx / 32 * (ny / 8) * (nz / 8); tile += gridDim.x)
        box_of(from, to, nx, ny, tile);
}

extern "C" __global__ void __launch_bounds__(256) boxes_once(const float *__restrict__ from, float *__restrict__ to, int nx, int ny, int nz)
{
    box_of(from, to, nx, ny, blockIdx.x);
}

/* Rows of 256 elements and two on either side, in one dimension. */
extern "C" __global__ void __launch_bounds__(256) line(const float *__restrict__ from, float *__restrict__ to, int n)
{
    for (int tile = blockIdx.x; tile < n / 256; tile += gridDim.x) {
        const float *here = from + tile * 256 + threadIdx.x + 2;
        to[tile * 256 + threadIdx.x] = here[-2] + here[-1] + here[0] + here[1] + here[2];
    }
}
