/* Operators of finite elements without matrices. */
__constant__ double c_gauss[2] = {0.21132486540518713, 0.78867513459481287};

/* A hexahedron a thread on a mesh of (nx+1)(ny+1)(nz+1) nodes: gradients at eight points, sums by atomics. */
extern "C" __global__ void __launch_bounds__(64) hex8_diffusion(const double *__restrict__ u, const double *__restrict__ kappa, double *__restrict__ r, int nx, int ny, int nz, double h)
{
    const int ex = blockIdx.x * blockDim.x + threadIdx.x, ey = blockIdx.y, ez = blockIdx.z;
    if (ex >= nx)
        return;
    double v[8], s[8];
    int node[8];
#pragma unroll
    for (int a = 0; a < 8; a++) {
        node[a] = ((ez + (a >> 2)) * (ny + 1) + ey + ((a >> 1) & 1)) * (nx + 1) + ex + (a & 1);
        v[a] = u[node[a]];
        s[a] = 0.0;
    }
    const double k = kappa[(ez * ny + ey) * nx + ex] * h * 0.125;
    for (int q = 0; q < 8; q++) {
        const double x = c_gauss[q & 1], y = c_gauss[(q >> 1) & 1], z = c_gauss[q >> 2];
        double gx = 0.0, gy = 0.0, gz = 0.0;
#pragma unroll
        for (int a = 0; a < 8; a++) {
            const double fx = a & 1 ? x : 1.0 - x, fy = a & 2 ? y : 1.0 - y, fz = a & 4 ? z : 1.0 - z;
            gx += (a & 1 ? v[a] : -v[a]) * fy * fz;
            gy += (a & 2 ? v[a] : -v[a]) * fx * fz;
            gz += (a & 4 ? v[a] : -v[a]) * fx * fy;
        }
#pragma unroll
        for (int a = 0; a < 8; a++) {
            const double fx = a & 1 ? x : 1.0 - x, fy = a & 2 ? y : 1.0 - y, fz = a & 4 ? z : 1.0 - z;
            s[a] += k * ((a & 1 ? gx : -gx) * fy * fz + (a & 2 ? gy : -gy) * fx * fz + (a & 4 ? gz : -gz) * fx * fy);
        }
    }
#pragma unroll
    for (int a = 0; a < 8; a++)
        atomicAdd(&r[node[a]], s[a]);
}

#define NP 20
#define NFIELDS 3

/* Order three on tetrahedra: derivatives of three fields by matrices of 20 x 20, then the chain rule; a block an element pair. */
extern "C" __global__ void __launch_bounds__(2 * NP) dg_volume_p3(const float *__restrict__ q, const float *__restrict__ dr, const float *__restrict__ ds, const float *__restrict__ dt, const float *__restrict__ geometry,
                                                                  float *__restrict__ rhs, int elements)
{
    __shared__ float field[2][NFIELDS][NP];
    const int n = threadIdx.x, half = threadIdx.y, e = blockIdx.x * 2 + half;
    const bool live = e < elements;
    if (live)
        for (int f = 0; f < NFIELDS; f++)
            field[half][f][n] = q[((long)e * NFIELDS + f) * NP + n];
    __syncthreads();
    if (!live)
        return;
    float r[NFIELDS] = {}, s[NFIELDS] = {}, t[NFIELDS] = {};
    for (int m = 0; m < NP; m++) {
        const float a = dr[m * NP + n], b = ds[m * NP + n], c = dt[m * NP + n];
#pragma unroll
        for (int f = 0; f < NFIELDS; f++) {
            const float v = field[half][f][m];
            r[f] += a * v;
            s[f] += b * v;
            t[f] += c * v;
        }
    }
    const float *g = geometry + e * 9;
#pragma unroll
    for (int f = 0; f < NFIELDS; f++)
        rhs[((long)e * NFIELDS + f) * NP + n] = -(g[3 * f] * r[f] + g[3 * f + 1] * s[f] + g[3 * f + 2] * t[f]);
}
