/* Fluxes of gas dynamics on faces, and a level set that moves: one thread a face or a cell. */

#define GAMMA 1.4

struct State {
    double r, u, v, p, e;
};

static __device__ __forceinline__ State primitive(double r, double ru, double rv, double e)
{
    State s;
    s.r = r;
    s.u = ru / r;
    s.v = rv / r;
    s.e = e;
    s.p = (GAMMA - 1.0) * (e - 0.5 * r * (s.u * s.u + s.v * s.v));
    return s;
}

static __device__ __forceinline__ void flux_of(const State &s, double f[4])
{
    f[0] = s.r * s.u;
    f[1] = s.r * s.u * s.u + s.p;
    f[2] = s.r * s.u * s.v;
    f[3] = s.u * (s.e + s.p);
}

/* HLLC between cells i - 1 and i; walls at both ends mirror the state. */
extern "C" __global__ void hllc_faces(const double *rho, const double *mx, const double *my, const double *en, double *f0, double *f1, double *f2, double *f3, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > nx || j >= ny)
        return;
    State l, r;
    if (i == 0) {
        int c = j * nx;
        r = primitive(rho[c], mx[c], my[c], en[c]);
        l = r;
        l.u = -r.u;
    } else if (i == nx) {
        int c = j * nx + nx - 1;
        l = primitive(rho[c], mx[c], my[c], en[c]);
        r = l;
        r.u = -l.u;
    } else {
        int c = j * nx + i;
        l = primitive(rho[c - 1], mx[c - 1], my[c - 1], en[c - 1]);
        r = primitive(rho[c], mx[c], my[c], en[c]);
    }
    double al = sqrt(GAMMA * l.p / l.r), ar = sqrt(GAMMA * r.p / r.r);
    double sl = fmin(l.u - al, r.u - ar), sr = fmax(l.u + al, r.u + ar);
    double sm = (r.p - l.p + l.r * l.u * (sl - l.u) - r.r * r.u * (sr - r.u)) / (l.r * (sl - l.u) - r.r * (sr - r.u));
    double f[4];
    if (sl >= 0) {
        flux_of(l, f);
    } else if (sr <= 0) {
        flux_of(r, f);
    } else {
        const State &k = sm >= 0 ? l : r;
        double s = sm >= 0 ? sl : sr;
        double factor = k.r * (s - k.u) / (s - sm);
        double star = factor * (k.e / k.r + (sm - k.u) * (sm + k.p / (k.r * (s - k.u))));
        flux_of(k, f);
        f[0] += s * (factor - k.r);
        f[1] += s * (factor * sm - k.r * k.u);
        f[2] += s * (factor * k.v - k.r * k.v);
        f[3] += s * (star - k.e);
    }
    int face = j * (nx + 1) + i;
    f0[face] = f[0];
    f1[face] = f[1];
    f2[face] = f[2];
    f3[face] = f[3];
}

__device__ float weno5(float a, float b, float c, float d, float e)
{
    float b0 = 13.0f / 12.0f * (a - 2 * b + c) * (a - 2 * b + c) + 0.25f * (a - 4 * b + 3 * c) * (a - 4 * b + 3 * c);
    float b1 = 13.0f / 12.0f * (b - 2 * c + d) * (b - 2 * c + d) + 0.25f * (b - d) * (b - d);
    float b2 = 13.0f / 12.0f * (c - 2 * d + e) * (c - 2 * d + e) + 0.25f * (3 * c - 4 * d + e) * (3 * c - 4 * d + e);
    float w0 = 0.1f / ((b0 + 1e-6f) * (b0 + 1e-6f)), w1 = 0.6f / ((b1 + 1e-6f) * (b1 + 1e-6f)), w2 = 0.3f / ((b2 + 1e-6f) * (b2 + 1e-6f));
    return (w0 * (a / 3 - 7 * b / 6 + 11 * c / 6) + w1 * (-b / 6 + 5 * c / 6 + d / 3) + w2 * (c / 3 + 5 * d / 6 - e / 6)) / (w0 + w1 + w2);
}

/* The upwind derivative along y of a periodic volume, by the sign of the velocity. */
extern "C" __global__ void weno_derivative(const float *phi, const float *velocity, float *rate, int nx, int ny, int nz, float inverse_h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x >= nx || y >= ny)
        return;
    const float *plane = phi + (long)z * nx * ny + x;
    float p[7];
    for (int k = -3; k <= 3; k++)
        p[k + 3] = plane[(long)((y + k + ny) % ny) * nx];
    float v = velocity[((long)z * ny + y) * nx + x], d;
    if (v > 0)
        d = weno5(p[1] - p[0], p[2] - p[1], p[3] - p[2], p[4] - p[3], p[5] - p[4]);
    else
        d = weno5(p[6] - p[5], p[5] - p[4], p[4] - p[3], p[3] - p[2], p[2] - p[1]);
    rate[((long)z * ny + y) * nx + x] = -v * d * inverse_h;
}
