/* Sweeps over grids that are kept in shared memory. */

/* 27 points with four weights, three layers at a time, 16 x 8 points a block. */
template <class Real, int BX, int BY>
struct Layers {
    Real v[3][BY + 2][BX + 2];
    __device__ void load(int slot, const Real *from, int nx, int ny, int z)
    {
        for (int t = threadIdx.y * BX + threadIdx.x; t < (BX + 2) * (BY + 2); t += BX * BY) {
            const int lx = t % (BX + 2), ly = t / (BX + 2);
            const int x = min(max((int)blockIdx.x * BX + lx - 1, 0), nx - 1), y = min(max((int)blockIdx.y * BY + ly - 1, 0), ny - 1);
            v[slot][ly][lx] = from[((size_t)z * ny + y) * nx + x];
        }
    }
};

extern "C" __global__ void __launch_bounds__(128) stencil27_layers(const double *__restrict__ in, double *__restrict__ out, int nx, int ny, int nz, double w0, double w1, double w2, double w3)
{
    __shared__ Layers<double, 16, 8> s;
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = threadIdx.x + 1, j = threadIdx.y + 1;
    s.load(0, in, nx, ny, 0);
    s.load(1, in, nx, ny, 1);
    for (int z = 1; z < nz - 1; z++) {
        s.load((z + 1) % 3, in, nx, ny, z + 1);
        __syncthreads();
        double faces = 0, edges = 0, corners = 0;
#pragma unroll
        for (int d = -1; d <= 1; d++) {
            auto &l = s.v[(z + d) % 3];
            const double cross = l[j][i - 1] + l[j][i + 1] + l[j - 1][i] + l[j + 1][i];
            const double diagonal = l[j - 1][i - 1] + l[j - 1][i + 1] + l[j + 1][i - 1] + l[j + 1][i + 1];
            if (d == 0) {
                faces += cross;
                edges += diagonal;
            } else {
                faces += l[j][i];
                edges += cross;
                corners += diagonal;
            }
        }
        if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
            out[((size_t)z * ny + y) * nx + x] = w0 * s.v[z % 3][j][i] + w1 * faces + w2 * edges + w3 * corners;
        __syncthreads();
    }
}

/* Diffusion that stops at edges, ITER steps in a tile that shrinks. */
#define TILE 32

extern "C" __global__ void perona_malik(const float *src, float *dst, int width, int height, float lambda, float kappa, int iterations)
{
    __shared__ float tile[2][TILE][TILE];
    const int inner = TILE - 2 * iterations;
    const int tx = threadIdx.x;
    const int x = (int)blockIdx.x * inner + tx - iterations, cx = x < 0 ? 0 : x >= width ? width - 1 : x;
    for (int ty = threadIdx.y; ty < TILE; ty += blockDim.y) {
        const int y = (int)blockIdx.y * inner + ty - iterations, cy = y < 0 ? 0 : y >= height ? height - 1 : y;
        tile[0][ty][tx] = src[cy * width + cx];
    }
    int now = 0;
    for (int it = 0; it < iterations; ++it) {
        __syncthreads();
        for (int ty = threadIdx.y; ty < TILE; ty += blockDim.y) {
            if (tx > it && tx < TILE - 1 - it && ty > it && ty < TILE - 1 - it) {
                const float c = tile[now][ty][tx];
                const float n = tile[now][ty - 1][tx] - c, s = tile[now][ty + 1][tx] - c;
                const float w = tile[now][ty][tx - 1] - c, e = tile[now][ty][tx + 1] - c;
                const float k = 1.0f / (kappa * kappa);
                tile[1 - now][ty][tx] = c + lambda * (expf(-n * n * k) * n + expf(-s * s * k) * s + expf(-w * w * k) * w + expf(-e * e * k) * e);
            }
        }
        now = 1 - now;
    }
    __syncthreads();
    for (int ty = threadIdx.y + iterations; ty < TILE - iterations; ty += blockDim.y) {
        const int y = (int)blockIdx.y * inner + ty - iterations;
        if (tx >= iterations && tx < TILE - iterations && x < width && y < height)
            dst[y * width + x] = tile[now][ty][tx];
    }
}
