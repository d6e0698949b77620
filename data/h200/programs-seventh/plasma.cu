/* Particles in cells. */

/* Charge goes to the eight corners of a particle's cell. */
extern "C" __global__ void deposit_charge(const float *x, const float *y, const float *z, const float *q, float *rho, int np, int nx, int ny, int nz)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= np)
        return;
    float px = x[p] * nx, py = y[p] * ny, pz = z[p] * nz, w = q[p];
    int i = (int)floorf(px), j = (int)floorf(py), k = (int)floorf(pz);
    float fx = px - i, fy = py - j, fz = pz - k;
    for (int c = 0; c < 8; c++) {
        int ii = (i + (c & 1)) % nx, jj = (j + (c >> 1 & 1)) % ny, kk = (k + (c >> 2)) % nz;
        float part = (c & 1 ? fx : 1 - fx) * (c & 2 ? fy : 1 - fy) * (c & 4 ? fz : 1 - fz);
        atomicAdd(&rho[(kk * ny + jj) * nx + ii], part * w);
    }
}

/* Boris' step in a field that cells hold, in double precision; arrays of structures. */
struct __align__(16) Particle {
    double x, y, z, ux, uy, uz, weight, gamma;
};

extern "C" __global__ void __launch_bounds__(128) boris_push(Particle *particles, const double4_16a *electric, const double4_16a *magnetic, int count, int cells, double half_charge, double dt)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < count) {
        Particle me = particles[p];
        const int cell = min(max((int)(me.x * cells), 0), cells - 1);
        const double4_16a e = electric[cell], b = magnetic[cell];
        double ux = me.ux + half_charge * e.x, uy = me.uy + half_charge * e.y, uz = me.uz + half_charge * e.z;
        const double inv = half_charge * rsqrt(1.0 + ux * ux + uy * uy + uz * uz);
        const double tx = inv * b.x, ty = inv * b.y, tz = inv * b.z;
        const double s = 2.0 / (1.0 + tx * tx + ty * ty + tz * tz);
        const double vx = ux + uy * tz - uz * ty, vy = uy + uz * tx - ux * tz, vz = uz + ux * ty - uy * tx;
        ux += s * (vy * tz - vz * ty) + half_charge * e.x;
        uy += s * (vz * tx - vx * tz) + half_charge * e.y;
        uz += s * (vx * ty - vy * tx) + half_charge * e.z;
        const double gamma = sqrt(1.0 + ux * ux + uy * uy + uz * uz);
        me.ux = ux, me.uy = uy, me.uz = uz, me.gamma = gamma;
        me.x += dt * ux / gamma;
        me.y += dt * uy / gamma;
        me.z += dt * uz / gamma;
        me.x -= floor(me.x);
        particles[p] = me;
    }
}
