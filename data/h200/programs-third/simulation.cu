/* Meshes, fluids, molecules. */

/* Volumes and gradients of tetrahedra, ten numbers an element, nodes by an index array. */
extern "C" __global__ void tetrahedra(const int4 *nodes, const float *x, const float *y, const float *z, float *stiffness, int elements)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements)
        return;
    int4 n = nodes[e];
    float x0 = x[n.x], y0 = y[n.x], z0 = z[n.x];
    float ax = x[n.y] - x0, ay = y[n.y] - y0, az = z[n.y] - z0;
    float bx = x[n.z] - x0, by = y[n.z] - y0, bz = z[n.z] - z0;
    float cx = x[n.w] - x0, cy = y[n.w] - y0, cz = z[n.w] - z0;
    float g[4][3];
    g[1][0] = by * cz - bz * cy; g[1][1] = bz * cx - bx * cz; g[1][2] = bx * cy - by * cx;
    g[2][0] = cy * az - cz * ay; g[2][1] = cz * ax - cx * az; g[2][2] = cx * ay - cy * ax;
    g[3][0] = ay * bz - az * by; g[3][1] = az * bx - ax * bz; g[3][2] = ax * by - ay * bx;
    float volume = ax * g[1][0] + ay * g[1][1] + az * g[1][2];
    float scale = 1.0f / (6.0f * fabsf(volume) + 1e-6f);
    for (int d = 0; d < 3; d++)
        g[0][d] = -g[1][d] - g[2][d] - g[3][d];
    int at = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = i; j < 4; j++)
            stiffness[(long)elements * at++ + e] = scale * (g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2]);
}

/* Fluxes over the edges of an unstructured mesh, added to both ends. */
extern "C" __global__ void edge_fluxes(const int2 *ends, const float2 *normal, const float4 *state, float *residual, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges)
        return;
    int2 n = ends[e];
    float2 s = normal[e];
    float4 l = state[n.x], r = state[n.y];
    float ul = (l.y * s.x + l.z * s.y) / (l.x + 1.0f), ur = (r.y * s.x + r.z * s.y) / (r.x + 1.0f);
    float pl = 0.4f * (l.w - 0.5f * ul * ul), pr = 0.4f * (r.w - 0.5f * ur * ur);
    float speed = fmaxf(fabsf(ul), fabsf(ur)) + sqrtf(fabsf(pl + pr));
    float f0 = 0.5f * (l.x * ul + r.x * ur) - 0.5f * speed * (r.x - l.x);
    float f1 = 0.5f * (l.w * ul + r.w * ur + pl + pr) - 0.5f * speed * (r.w - l.w);
    atomicAdd(&residual[2 * n.x], f0);
    atomicAdd(&residual[2 * n.x + 1], f1);
    atomicAdd(&residual[2 * n.y], -f0);
    atomicAdd(&residual[2 * n.y + 1], -f1);
}

/* Advection in three dimensions, each axis upwind by the sign of its velocity, borders copied. */
extern "C" __global__ void upwind(const float *q, const float *u, const float *v, const float *w, float *out, int nx, int ny, int nz, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    int i = (z * ny + y) * nx + x;
    float c = q[i];
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
        out[i] = c;
        return;
    }
    float du = u[i] > 0 ? c - q[i - 1] : q[i + 1] - c;
    float dv = v[i] > 0 ? c - q[i - nx] : q[i + nx] - c;
    float dw = w[i] > 0 ? c - q[i - nx * ny] : q[i + nx * ny] - c;
    out[i] = c - k * (u[i] * du + v[i] * dv + w[i] * dw);
}

/* Half a sweep of red and black cells in place, in double precision. */
extern "C" __global__ void red_black(double *p, const double *rhs, int n, int colour, double omega)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1, x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + (y + colour) % 2;
    if (x >= n - 1 || y >= n - 1)
        return;
    long i = (long)y * n + x;
    double r = 0.25 * (p[i - 1] + p[i + 1] + p[i - n] + p[i + n] - rhs[i]);
    p[i] += omega * (r - p[i]);
}

/* Forces within a cut-off by lists of cells: a block a cell, its particles against those of 27 cells, 32 places a cell. */
extern "C" __global__ void cell_forces(const float4 *place, const int *filled, float4 *force, int side, float cut2)
{
    __shared__ float4 other[32];
    int cx = blockIdx.x, cy = blockIdx.y, cz = blockIdx.z, home = (cz * side + cy) * side + cx, t = threadIdx.x;
    float4 p = place[home * 32 + t], f = make_float4(0, 0, 0, 0);
    bool alive = t < filled[home];
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int x = cx + dx, y = cy + dy, z = cz + dz;
                if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
                    continue;
                int cell = (z * side + y) * side + x, count = filled[cell];
                __syncwarp();
                if (t < count)
                    other[t] = place[cell * 32 + t];
                __syncwarp();
                if (!alive)
                    continue;
                for (int k = 0; k < count; k++) {
                    float4 o = other[k];
                    float rx = p.x - o.x, ry = p.y - o.y, rz = p.z - o.z, r2 = rx * rx + ry * ry + rz * rz + 1e-6f;
                    if (r2 < cut2) {
                        float s = 1.0f / r2, s6 = s * s * s, g = s6 * (s6 - 0.5f) * s * 24.0f;
                        f.x += g * rx;
                        f.y += g * ry;
                        f.z += g * rz;
                        f.w += s6 * (s6 - 1.0f);
                    }
                }
            }
    if (alive)
        force[home * 32 + t] = f;
}

/* One step of shallow water: heights and flows on one grid, 32 x 8 cells a block with a rim in shared memory. */
extern "C" __global__ void shallow_water(const float *h, const float *hu, const float *hv, float *h2, float *hu2, float *hv2, int n, float k)
{
    __shared__ float s[3][10][34];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    for (int c = ty * 32 + tx; c < 340; c += 256) {
        int r = c / 34, q = c % 34;
        int x = min(max(x0 + q - 1, 0), n - 1), y = min(max(y0 + r - 1, 0), n - 1);
        s[0][r][q] = h[y * n + x];
        s[1][r][q] = hu[y * n + x];
        s[2][r][q] = hv[y * n + x];
    }
    __syncthreads();
    int x = x0 + tx, y = y0 + ty;
    if (x >= n || y >= n)
        return;
    float out[3] = {0, 0, 0};
    for (int d = 0; d < 4; d++) {
        int r = ty + 1 + (d == 2) - (d == 3), q = tx + 1 + (d == 0) - (d == 1);
        float sign = d % 2 ? -1.0f : 1.0f;
        float a = s[0][r][q] + 1.0f, u = s[1][r][q] / a, v = s[2][r][q] / a, across = d < 2 ? u : v;
        out[0] += sign * a * across;
        out[1] += sign * (a * u * across + (d < 2 ? 4.9f * a * a : 0.0f));
        out[2] += sign * (a * v * across + (d < 2 ? 0.0f : 4.9f * a * a));
    }
    h2[y * n + x] = s[0][ty + 1][tx + 1] - k * out[0];
    hu2[y * n + x] = s[1][ty + 1][tx + 1] - k * out[1];
    hv2[y * n + x] = s[2][ty + 1][tx + 1] - k * out[2];
}
