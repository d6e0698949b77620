/* Grids and time steps. */

extern "C" __global__ void seven_points_by_planes(const float *in, float *out, float c0, float c1, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < nx - 1 && y < ny - 1)
        for (int z = 1; z < nz - 1; z++) {
            int i = (z * ny + y) * nx + x;
            out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
        }
}

extern "C" __global__ void eleven_coefficients(const float *in, float *out, int ni, int nj, int nk, int i)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    float c11 = 2, c21 = 5, c31 = -8, c12 = -3, c22 = 6, c32 = -9, c13 = 4, c23 = 7, c33 = 10;
    if (i < ni - 1 && j < nj - 1 && k < nk - 1 && i > 0 && j > 0 && k > 0)
        out[i * nk * nj + j * nk + k] =
            c11 * in[(i - 1) * nk * nj + (j - 1) * nk + k - 1] + c13 * in[(i + 1) * nk * nj + (j - 1) * nk + k - 1] +
            c21 * in[(i - 1) * nk * nj + (j - 1) * nk + k - 1] + c23 * in[(i + 1) * nk * nj + (j - 1) * nk + k - 1] +
            c31 * in[(i - 1) * nk * nj + (j - 1) * nk + k - 1] + c33 * in[(i + 1) * nk * nj + (j - 1) * nk + k - 1] +
            c12 * in[i * nk * nj + (j - 1) * nk + k] + c22 * in[i * nk * nj + j * nk + k] +
            c32 * in[i * nk * nj + (j + 1) * nk + k] + c11 * in[(i - 1) * nk * nj + (j - 1) * nk + k + 1] +
            c13 * in[(i + 1) * nk * nj + (j - 1) * nk + k + 1];
}

extern "C" __global__ void magnetic_step(const float *ex, const float *ey, float *hz, int nx, int ny)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < nx && j < ny)
        hz[i * ny + j] -= 0.7f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

extern "C" __global__ void sweep_rows(float *x, const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 1; j < n; j++) {
            x[i * n + j] = x[i * n + j] - x[i * n + j - 1] * a[i * n + j] / b[i * n + j - 1];
            b[i * n + j] = b[i * n + j] - a[i * n + j] * a[i * n + j] / b[i * n + j - 1];
        }
}

extern "C" __global__ void sweep_columns(float *x, const float *a, float *b, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n)
        for (int i = 1; i < n; i++) {
            x[i * n + j] = x[i * n + j] - x[(i - 1) * n + j] * a[i * n + j] / b[(i - 1) * n + j];
            b[i * n + j] = b[i * n + j] - a[i * n + j] * a[i * n + j] / b[(i - 1) * n + j];
        }
}

/* Heat in a plate: `steps` steps in shared memory, with a border that shrinks. */
extern "C" __global__ void heat_steps(const float *power, const float *in, float *out, int n, int steps, float cap, float rx, float rz)
{
    __shared__ float now[16][16], next[16][16], p[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, inner = 16 - 2 * steps;
    int y = blockIdx.y * inner + ty - steps, x = blockIdx.x * inner + tx - steps;
    bool inside = x >= 0 && x < n && y >= 0 && y < n;
    if (inside) {
        now[ty][tx] = in[y * n + x];
        p[ty][tx] = power[y * n + x];
    }
    __syncthreads();
    int north = y > 0 ? ty - 1 : ty, south = y < n - 1 ? ty + 1 : ty, west = x > 0 ? tx - 1 : tx, east = x < n - 1 ? tx + 1 : tx;
    bool done = false;
    for (int s = 0; s < steps; s++) {
        done = false;
        if (tx > s && tx < 15 - s && ty > s && ty < 15 - s && inside) {
            done = true;
            next[ty][tx] = now[ty][tx] + cap * (p[ty][tx] + (now[south][tx] + now[north][tx] - 2.0f * now[ty][tx]) * rx +
                                                (now[ty][east] + now[ty][west] - 2.0f * now[ty][tx]) * rx + (80.0f - now[ty][tx]) * rz);
        }
        __syncthreads();
        if (s == steps - 1)
            break;
        if (done)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (done)
        out[y * n + x] = next[ty][tx];
}

/* Diffusion that depends on the gradient. */
extern "C" __global__ void diffusion_coefficients(const float *image, float *dn, float *ds, float *dw, float *de, float *c, int n, float q0)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    __shared__ float t[18][18];
    t[threadIdx.y + 1][threadIdx.x + 1] = image[y * n + x];
    if (threadIdx.y == 0)
        t[0][threadIdx.x + 1] = image[(y > 0 ? y - 1 : y) * n + x];
    if (threadIdx.y == 15)
        t[17][threadIdx.x + 1] = image[(y < n - 1 ? y + 1 : y) * n + x];
    if (threadIdx.x == 0)
        t[threadIdx.y + 1][0] = image[y * n + (x > 0 ? x - 1 : x)];
    if (threadIdx.x == 15)
        t[threadIdx.y + 1][17] = image[y * n + (x < n - 1 ? x + 1 : x)];
    __syncthreads();
    float j = t[threadIdx.y + 1][threadIdx.x + 1] + 1.0f;
    float north = t[threadIdx.y][threadIdx.x + 1] - j, south = t[threadIdx.y + 2][threadIdx.x + 1] - j;
    float west = t[threadIdx.y + 1][threadIdx.x] - j, east = t[threadIdx.y + 1][threadIdx.x + 2] - j;
    float g2 = (north * north + south * south + west * west + east * east) / (j * j);
    float l = (north + south + west + east) / j;
    float num = 0.5f * g2 - 0.0625f * (l * l), den = 1 + 0.25f * l;
    float q = num / (den * den);
    den = (q - q0) / (q0 * (1 + q0));
    float value = 1.0f / (1.0f + den);
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    dn[y * n + x] = north;
    ds[y * n + x] = south;
    dw[y * n + x] = west;
    de[y * n + x] = east;
    c[y * n + x] = value;
}
