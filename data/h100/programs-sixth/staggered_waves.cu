/* Waves on staggered grids. */

/* Yee's step of the electric field, each component with a coefficient of its material. */
extern "C" __global__ void yee_electric(float *__restrict__ ex, float *__restrict__ ey, float *__restrict__ ez, const float *__restrict__ hx, const float *__restrict__ hy,
    const float *__restrict__ hz, const float *__restrict__ ca, const float *__restrict__ cb, int nx, int ny, int nz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < 1 || j < 1 || k < 1 || i >= nx || j >= ny || k >= nz)
        return;
    const int plane = nx * ny, c = k * plane + j * nx + i;
    const float a = ca[c], b = cb[c];
    const float x = hx[c], y = hy[c], z = hz[c];
    ex[c] = a * ex[c] + b * (z - hz[c - nx] - y + hy[c - plane]);
    ey[c] = a * ey[c] + b * (x - hx[c - plane] - z + hz[c - 1]);
    ez[c] = a * ez[c] + b * (y - hy[c - 1] - x + hx[c - nx]);
}

struct Fourth {
    static constexpr float near = 1.125f, far = -1.0f / 24.0f;
};

/* The derivative half a cell ahead or behind along STRIDE. */
template <bool AHEAD> __device__ __forceinline__ float slope(const float *__restrict__ f, int c, int stride)
{
    const int o = AHEAD ? stride : 0;
    return Fourth::near * (f[c + o] - f[c + o - stride]) + Fourth::far * (f[c + o + stride] - f[c + o - 2 * stride]);
}

/* Elastic waves, fourth order: velocities by the six stresses. */
extern "C" __global__ void __launch_bounds__(128) elastic_velocity(float *__restrict__ vx, float *__restrict__ vy, float *__restrict__ vz, const float *__restrict__ sxx,
    const float *__restrict__ syy, const float *__restrict__ szz, const float *__restrict__ sxy, const float *__restrict__ sxz, const float *__restrict__ syz,
    const float *__restrict__ buoyancy, int nx, int ny, int nz, float dt_by_h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 2, y = blockIdx.y * blockDim.y + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
        return;
    const int plane = nx * ny;
    for (int z = 2, c = 2 * plane + y * nx + x; z < nz - 2; z++, c += plane) {
        const float scale = dt_by_h * buoyancy[c];
        vx[c] += scale * (slope<true>(sxx, c, 1) + slope<false>(sxy, c, nx) + slope<false>(sxz, c, plane));
        vy[c] += scale * (slope<false>(sxy, c, 1) + slope<true>(syy, c, nx) + slope<false>(syz, c, plane));
        vz[c] += scale * (slope<false>(sxz, c, 1) + slope<false>(syz, c, nx) + slope<true>(szz, c, plane));
    }
}
