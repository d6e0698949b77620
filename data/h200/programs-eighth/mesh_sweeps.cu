/* Sweeps over meshes: as a compiler of stencils writes them, and along lines. */

extern "C" __global__ void biharmonic13(const float *__restrict__ u_t0, const float *__restrict__ u_t1, float *__restrict__ u_t2, const float *__restrict__ damp, int x_size, int y_size, float r0, float r1,
                                        float dt2)
{
    const int y = 2 + blockIdx.x * blockDim.x + threadIdx.x;
    const int x = 2 + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= x_size - 2 || y >= y_size - 2)
        return;
    const int s = y_size, at = x * s + y;
    const float r2 = u_t1[at];
    const float r3 = u_t1[at - s] + u_t1[at + s] + u_t1[at - 1] + u_t1[at + 1];
    const float r4 = u_t1[at - s - 1] + u_t1[at - s + 1] + u_t1[at + s - 1] + u_t1[at + s + 1];
    const float r5 = u_t1[at - 2 * s] + u_t1[at + 2 * s] + u_t1[at - 2] + u_t1[at + 2];
    const float r6 = 2.0e+1F * r2 - 8.0F * r3 + 2.0F * r4 + r5;
    const float r7 = r3 - 4.0F * r2, r8 = damp[at];
    u_t2[at] = (2.0F * r2 - (1.0F - r8) * u_t0[at] + dt2 * (r0 * r7 - r1 * r6)) / (1.0F + r8);
}

/* Every column of a grid solved for its neighbours above and below, with factors known before. */
extern "C" __global__ void line_smoother(double *__restrict__ u, const double *__restrict__ f, const double *__restrict__ gamma, const double *__restrict__ beta, double *__restrict__ work, int nx, int ny, int nz,
                                         double h2)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    const int plane = nx * ny, column = j * nx + i;
    double d = 0.0;
    for (int k = 0; k < nz; k++) {
        const int at = k * plane + column;
        const double right = h2 * f[at] + u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx];
        d = (right + d) * beta[k];
        work[at] = d;
    }
    double above = 0.0;
    for (int k = nz - 1; k >= 0; k--) {
        const int at = k * plane + column;
        above = work[at] + gamma[k] * above;
        u[at] = above;
    }
}
