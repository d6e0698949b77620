// Lattice gauge theory: links are 3 x 3 complex matrices, components apart: [direction][row * 3 + column][site].

struct Matrix {
    float2 e[9];
};

struct Lattice {
    int nx, ny, nz, nt;
    __device__ int volume() const { return nx * ny * nz * nt; }
    __device__ void split(int s, int c[4]) const
    {
        c[0] = s % nx;
        s /= nx;
        c[1] = s % ny;
        s /= ny;
        c[2] = s % nz;
        c[3] = s / nz;
    }
    __device__ int step(const int c[4], int dir, int by) const
    {
        const int n[4] = {nx, ny, nz, nt};
        int d[4] = {c[0], c[1], c[2], c[3]};
        d[dir] += by;
        if (d[dir] >= n[dir])
            d[dir] -= n[dir];
        if (d[dir] < 0)
            d[dir] += n[dir];
        return ((d[3] * nz + d[2]) * ny + d[1]) * nx + d[0];
    }
};

__device__ __forceinline__ Matrix load(const float2 *u, int dir, int site, int volume)
{
    Matrix m;
#pragma unroll
    for (int k = 0; k < 9; k++)
        m.e[k] = u[(long long)(dir * 9 + k) * volume + site];
    return m;
}

__device__ __forceinline__ Matrix times(const Matrix &a, const Matrix &b)
{
    Matrix c;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            float re = 0, im = 0;
#pragma unroll
            for (int k = 0; k < 3; k++) {
                const float2 x = a.e[3 * i + k], y = b.e[3 * k + j];
                re += x.x * y.x - x.y * y.y;
                im += x.x * y.y + x.y * y.x;
            }
            c.e[3 * i + j] = make_float2(re, im);
        }
    return c;
}

/* Re Tr (a b c+ d+), as Re Tr of ab (dc)+. */
__device__ __forceinline__ float trace_with_adjoint(const Matrix &a, const Matrix &b)
{
    float t = 0;
#pragma unroll
    for (int k = 0; k < 9; k++)
        t += a.e[k].x * b.e[k].x + a.e[k].y * b.e[k].y;
    return t;
}

extern "C" __global__ void __launch_bounds__(128) plaquettes(const float2 *__restrict__ links, double *total, int nx, int ny, int nz, int nt)
{
    const Lattice l{nx, ny, nz, nt};
    const int site = blockIdx.x * blockDim.x + threadIdx.x, volume = l.volume();
    float sum = 0;
    if (site < volume) {
        int c[4];
        l.split(site, c);
#pragma unroll
        for (int mu = 0; mu < 3; mu++)
#pragma unroll
            for (int nu = mu + 1; nu < 4; nu++) {
                const Matrix ab = times(load(links, mu, site, volume), load(links, nu, l.step(c, mu, 1), volume));
                const Matrix dc = times(load(links, nu, site, volume), load(links, mu, l.step(c, nu, 1), volume));
                sum += trace_with_adjoint(ab, dc);
            }
    }
    __shared__ double s[128];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (threadIdx.x < h)
            s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(total, s[0] / 3.0);
}

/* out(x) = sum over directions of phase (U psi(x + mu) - U+(x - mu) psi(x - mu)) / 2 + mass psi(x). */
extern "C" __global__ void staggered_hop(const float2 *__restrict__ links, const float2 *__restrict__ psi, float2 *__restrict__ out, int nx, int ny, int nz, int nt, float mass)
{
    const Lattice l{nx, ny, nz, nt};
    const int site = blockIdx.x * blockDim.x + threadIdx.x, volume = l.volume();
    if (site >= volume)
        return;
    int c[4];
    l.split(site, c);
    float2 r[3];
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const float2 p = psi[i * volume + site];
        r[i] = make_float2(mass * p.x, mass * p.y);
    }
    int parity = 0;
#pragma unroll
    for (int mu = 0; mu < 4; mu++) {
        const float phase = (parity & 1) ? -0.5f : 0.5f;
        parity += c[mu];
        const int ahead = l.step(c, mu, 1), behind = l.step(c, mu, -1);
        const Matrix u = load(links, mu, site, volume), w = load(links, mu, behind, volume);
        float2 p[3], q[3];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            p[k] = psi[k * volume + ahead];
            q[k] = psi[k * volume + behind];
        }
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int k = 0; k < 3; k++) {
                const float2 a = u.e[3 * i + k], b = w.e[3 * k + i];
                r[i].x += phase * (a.x * p[k].x - a.y * p[k].y - b.x * q[k].x - b.y * q[k].y);
                r[i].y += phase * (a.x * p[k].y + a.y * p[k].x - b.x * q[k].y + b.y * q[k].x);
            }
    }
#pragma unroll
    for (int i = 0; i < 3; i++)
        out[i * volume + site] = r[i];
}
