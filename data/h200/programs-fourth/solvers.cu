/* Parts of solvers: grids of several levels, factors by blocks, batches of small systems. */

/* Full weighting of a fine grid of 2 n + 1 points to a coarse one of n, 27 neighbours. */
extern "C" __global__ void restrict_grid(const float *fine, float *coarse, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= n)
        return;
    int m = 2 * n + 1;
    float sum = 0;
    for (int dz = 0; dz < 3; dz++)
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++) {
                float w = (dx == 1 ? 2 : 1) * (dy == 1 ? 2 : 1) * (dz == 1 ? 2 : 1) / 64.0f;
                sum += w * fine[((2 * z + dz) * m + 2 * y + dy) * m + 2 * x + dx];
            }
    coarse[(z * n + y) * n + x] = sum;
}

/* Linear interpolation of a coarse grid of n points to a fine one of 2 n - 1, added: which neighbours by parity. */
extern "C" __global__ void prolong_grid(const float *__restrict__ coarse, float *__restrict__ fine, int n)
{
    int m = 2 * n - 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= m || y >= m)
        return;
    float sum = 0;
    for (int k = 0; k <= z % 2; k++)
        for (int j = 0; j <= y % 2; j++) {
            const float *row = coarse + ((z / 2 + k) * n + y / 2 + j) * n + x / 2;
            sum += x % 2 ? 0.5f * (row[0] + row[1]) : row[0];
        }
    if (z % 2)
        sum *= 0.5f;
    if (y % 2)
        sum *= 0.5f;
    fine[(z * m + y) * m + x] += sum;
}

/* What lies behind a panel of 64 columns in a factor by blocks: a tile of 32 x 32 a block, four rows a thread. */
extern "C" __global__ void trailing_update(float *a, int n, int k)
{
    __shared__ float left[32][33], upper[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, row = k + 64 + blockIdx.y * 32, column = k + 64 + blockIdx.x * 32;
    float sum[4] = {0, 0, 0, 0};
    for (int p = k; p < k + 64; p += 32) {
        for (int r = ty; r < 32; r += 8) {
            left[r][tx] = row + r < n ? a[(row + r) * n + p + tx] : 0.0f;
            upper[r][tx] = column + tx < n ? a[(p + r) * n + column + tx] : 0.0f;
        }
        __syncthreads();
        for (int q = 0; q < 32; q++)
            for (int r = 0; r < 4; r++)
                sum[r] += left[ty + 8 * r][q] * upper[q][tx];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        if (row + ty + 8 * r < n && column + tx < n)
            a[(row + ty + 8 * r) * n + column + tx] -= sum[r];
}

/* A sparse matrix of blocks of 4 x 4 times a vector: a thread a row, at most 16 blocks a row of blocks. */
extern "C" __global__ void block_sparse_product(const int *count, const int *column, const float *value, const float *x, float *y, int block_rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, b = r / 4;
    if (b >= block_rows)
        return;
    float sum = 0;
    int blocks = count[b];
    for (int k = 0; k < blocks; k++) {
        int c = column[b * 16 + k];
        const float *v = value + ((size_t)b * 16 + k) * 16 + r % 4 * 4;
        for (int j = 0; j < 4; j++)
            sum += v[j] * x[c * 4 + j];
    }
    y[r] = sum;
}

/* Tridiagonal systems of 512 equations by parallel cyclic reduction, a block a system. */
extern "C" __global__ void cyclic_reduction(const float *lower, const float *middle, const float *upper, const float *right, float *solution)
{
    __shared__ float a[512], b[512], c[512], d[512];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    a[t] = t > 0 ? lower[i] : 0.0f;
    b[t] = middle[i];
    c[t] = t < 511 ? upper[i] : 0.0f;
    d[t] = right[i];
    __syncthreads();
    for (int s = 1; s < 512; s *= 2) {
        float na = 0, nb = b[t], nc = 0, nd = d[t];
        if (t >= s) {
            float f = a[t] / b[t - s];
            na = -f * a[t - s];
            nb -= f * c[t - s];
            nd -= f * d[t - s];
        }
        if (t + s < 512) {
            float f = c[t] / b[t + s];
            nc = -f * c[t + s];
            nb -= f * a[t + s];
            nd -= f * d[t + s];
        }
        __syncthreads();
        a[t] = na;
        b[t] = nb;
        c[t] = nc;
        d[t] = nd;
        __syncthreads();
    }
    solution[i] = d[t] / b[t];
}

/* Predict and update of Kalman filters with four states and two measurements, a thread a filter. */
extern "C" __global__ void kalman_filters(float *state, float *covariance, const float2 *measured, int filters, float dt, float q, float r)
{
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= filters)
        return;
    float x[4], p[4][4], n[4][4];
    for (int i = 0; i < 4; i++) {
        x[i] = state[f * 4 + i];
        for (int j = 0; j < 4; j++)
            p[i][j] = covariance[f * 16 + i * 4 + j];
    }
    x[0] += dt * x[2];
    x[1] += dt * x[3];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            n[i][j] = i < 2 ? p[i][j] + dt * p[i + 2][j] : p[i][j];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            p[i][j] = (j < 2 ? n[i][j] + dt * n[i][j + 2] : n[i][j]) + (i == j ? q : 0.0f);
    float2 z = measured[f];
    float e0 = z.x - x[0], e1 = z.y - x[1];
    float s00 = p[0][0] + r, s01 = p[0][1], s10 = p[1][0], s11 = p[1][1] + r, inverse = 1.0f / (s00 * s11 - s01 * s10);
    for (int i = 0; i < 4; i++) {
        float k0 = (p[i][0] * s11 - p[i][1] * s10) * inverse, k1 = (p[i][1] * s00 - p[i][0] * s01) * inverse;
        state[f * 4 + i] = x[i] + k0 * e0 + k1 * e1;
        for (int j = 0; j < 4; j++)
            covariance[f * 16 + i * 4 + j] = p[i][j] - k0 * p[0][j] - k1 * p[1][j];
    }
}

/* A Gauss-Seidel step of nine points on one of four colours of a grid. */
extern "C" __global__ void four_colours(float *u, const float *f, int n, int cx, int cy)
{
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + cx, y = 2 * (blockIdx.y * blockDim.y + threadIdx.y) + 1 + cy;
    if (x < n - 1 && y < n - 1) {
        int i = y * n + x;
        float edge = u[i - 1] + u[i + 1] + u[i - n] + u[i + n];
        float corner = u[i - n - 1] + u[i - n + 1] + u[i + n - 1] + u[i + n + 1];
        u[i] = 0.2f * edge + 0.05f * corner - 0.3f * f[i];
    }
}
