/* Two-dimensional lattice Boltzmann with nine velocities, streamed in two ways. */
template <typename T> struct D2Q9 {
    static constexpr int Q = 9;
    static __device__ __forceinline__ constexpr int cx(int q)
    {
        return q == 1 || q == 5 || q == 8 ? 1 : q == 3 || q == 6 || q == 7 ? -1 : 0;
    }
    static __device__ __forceinline__ constexpr int cy(int q)
    {
        return q == 2 || q == 5 || q == 6 ? 1 : q == 4 || q == 7 || q == 8 ? -1 : 0;
    }
    static __device__ __forceinline__ constexpr int opposite(int q)
    {
        return q == 0 ? 0 : q < 5 ? (q + 1) % 4 + 1 : (q - 3) % 4 + 5;
    }
    static __device__ __forceinline__ constexpr T weight(int q)
    {
        return q == 0 ? T(4) / T(9) : q < 5 ? T(1) / T(9) : T(1) / T(36);
    }
    static __device__ __forceinline__ T equilibrium(int q, T rho, T ux, T uy)
    {
        const T cu = T(3) * (cx(q) * ux + cy(q) * uy);
        return weight(q) * rho * (T(1) + cu + T(0.5) * cu * cu - T(1.5) * (ux * ux + uy * uy));
    }
};

/* Pull, a plane a direction, two relaxation times, periodic to all sides. */
extern "C" __global__ void __launch_bounds__(256) pull_two_relaxations(const float *__restrict__ from, float *__restrict__ to, int nx, int ny, float even, float odd)
{
    using L = D2Q9<float>;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= nx)
        return;
    const size_t plane = (size_t)nx * ny;
    const int west = x == 0 ? nx - 1 : x - 1, east = x == nx - 1 ? 0 : x + 1;
    const int south = y == 0 ? ny - 1 : y - 1, north = y == ny - 1 ? 0 : y + 1;
    float f[L::Q], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < L::Q; q++) {
        const int sx = L::cx(q) > 0 ? west : L::cx(q) < 0 ? east : x, sy = L::cy(q) > 0 ? south : L::cy(q) < 0 ? north : y;
        f[q] = from[q * plane + (size_t)sy * nx + sx];
        rho += f[q];
        ux += L::cx(q) * f[q];
        uy += L::cy(q) * f[q];
    }
    const float inverse = 1.0f / rho;
    ux *= inverse;
    uy *= inverse;
#pragma unroll
    for (int q = 0; q < L::Q; q++) {
        const int o = L::opposite(q);
        const float a = L::equilibrium(q, rho, ux, uy), b = L::equilibrium(o, rho, ux, uy);
        const float symmetric = 0.5f * (f[q] + f[o] - a - b), skew = 0.5f * (f[q] - f[o] - a + b);
        to[q * plane + (size_t)y * nx + x] = f[q] - even * symmetric - odd * skew;
    }
}

/* Push, the nine numbers of a cell side by side, walls below and above that throw back. */
extern "C" __global__ void push_between_walls(const double *__restrict__ from, double *__restrict__ to, int nx, int ny, double omega, double force)
{
    using L = D2Q9<double>;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    const size_t cell = (size_t)y * nx + x;
    double f[L::Q], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < L::Q; q++) {
        f[q] = from[cell * L::Q + q];
        rho += f[q];
        ux += L::cx(q) * f[q];
        uy += L::cy(q) * f[q];
    }
    ux = ux / rho + force;
    uy /= rho;
#pragma unroll
    for (int q = 0; q < L::Q; q++) {
        const double after = f[q] + omega * (L::equilibrium(q, rho, ux, uy) - f[q]);
        const int tx = (x + L::cx(q) + nx) % nx, ty = y + L::cy(q);
        if (ty < 0 || ty >= ny)
            to[cell * L::Q + L::opposite(q)] = after;
        else
            to[((size_t)ty * nx + tx) * L::Q + q] = after;
    }
}
