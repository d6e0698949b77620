/* Lattices of Boltzmann: in three dimensions with walls, and in two in double precision. */

#define Q 19
#define F(q, xx, yy, zz) f[(size_t)(q) * cells + ((size_t)(zz) * ny + (yy)) * nx + (xx)]

/* Pull, collide, write: 19 arrays, walls turn back what meets them. */
extern "C" __global__ void __launch_bounds__(128) d3q19_bgk(const float *__restrict__ f, float *__restrict__ f_new, const unsigned char *__restrict__ solid, int nx, int ny, int nz, float omega)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x >= nx)
        return;
    const size_t cells = (size_t)nx * ny * nz, here = ((size_t)z * ny + y) * nx + x;
    const int xm = x == 0 ? nx - 1 : x - 1, xp = x == nx - 1 ? 0 : x + 1;
    const int ym = y == 0 ? ny - 1 : y - 1, yp = y == ny - 1 ? 0 : y + 1;
    const int zm = z == 0 ? nz - 1 : z - 1, zp = z == nz - 1 ? 0 : z + 1;
    float g[Q];
    g[0] = F(0, x, y, z);
    g[1] = F(1, xm, y, z);
    g[2] = F(2, xp, y, z);
    g[3] = F(3, x, ym, z);
    g[4] = F(4, x, yp, z);
    g[5] = F(5, x, y, zm);
    g[6] = F(6, x, y, zp);
    g[7] = F(7, xm, ym, z);
    g[8] = F(8, xp, yp, z);
    g[9] = F(9, xm, yp, z);
    g[10] = F(10, xp, ym, z);
    g[11] = F(11, xm, y, zm);
    g[12] = F(12, xp, y, zp);
    g[13] = F(13, xm, y, zp);
    g[14] = F(14, xp, y, zm);
    g[15] = F(15, x, ym, zm);
    g[16] = F(16, x, yp, zp);
    g[17] = F(17, x, ym, zp);
    g[18] = F(18, x, yp, zm);
    if (solid[here] == 0) {
#pragma unroll
        for (int q = 1; q < Q; q += 2) {
            f_new[q * cells + here] = g[q + 1];
            f_new[(q + 1) * cells + here] = g[q];
        }
        f_new[here] = g[0];
        return;
    }
    float rho = 0;
#pragma unroll
    for (int q = 0; q < Q; q++)
        rho += g[q];
    const float ux = (g[1] - g[2] + g[7] - g[8] + g[9] - g[10] + g[11] - g[12] + g[13] - g[14]) / rho;
    const float uy = (g[3] - g[4] + g[7] - g[8] - g[9] + g[10] + g[15] - g[16] + g[17] - g[18]) / rho;
    const float uz = (g[5] - g[6] + g[11] - g[12] - g[13] + g[14] + g[15] - g[16] - g[17] + g[18]) / rho;
    const float usq = 1.5f * (ux * ux + uy * uy + uz * uz);
    const float w0 = rho / 3.0f, w1 = rho / 18.0f, w2 = rho / 36.0f;
    auto relax = [&](int q, float w, float cu) { f_new[q * cells + here] = g[q] + omega * (w * (1.0f + 3.0f * cu + 4.5f * cu * cu - usq) - g[q]); };
    relax(0, w0, 0.0f);
    relax(1, w1, ux);
    relax(2, w1, -ux);
    relax(3, w1, uy);
    relax(4, w1, -uy);
    relax(5, w1, uz);
    relax(6, w1, -uz);
    relax(7, w2, ux + uy);
    relax(8, w2, -ux - uy);
    relax(9, w2, ux - uy);
    relax(10, w2, uy - ux);
    relax(11, w2, ux + uz);
    relax(12, w2, -ux - uz);
    relax(13, w2, ux - uz);
    relax(14, w2, uz - ux);
    relax(15, w2, uy + uz);
    relax(16, w2, -uy - uz);
    relax(17, w2, uy - uz);
    relax(18, w2, uz - uy);
}

/* Collide here and push to neighbours; the nine of a cell lie together. */
extern "C" __global__ void d2q9_push(const double *from, double *to, int width, int height, double tau, double gravity)
{
    constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constexpr double w[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        const double *cell = from + 9 * (y * width + x);
        double f[9], rho = 0, mx = 0, my = 0;
#pragma unroll
        for (int i = 0; i < 9; i++) {
            f[i] = cell[i];
            rho += f[i];
            mx += cx[i] * f[i];
            my += cy[i] * f[i];
        }
        const double inverse = 1.0 / rho, u = mx * inverse, v = my * inverse + gravity * tau;
        const double square = 1.5 * (u * u + v * v);
#pragma unroll
        for (int i = 0; i < 9; i++) {
            const double cu = 3.0 * (cx[i] * u + cy[i] * v);
            const double equilibrium = w[i] * rho * (1.0 + cu + 0.5 * cu * cu - square);
            const int tx = (x + cx[i] + width) % width, ty = (y + cy[i] + height) % height;
            to[9 * (ty * width + tx) + i] = f[i] - (f[i] - equilibrium) / tau;
        }
    }
}
