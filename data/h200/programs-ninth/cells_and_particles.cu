/* Particles that are sorted by cells, and particles that ask a grid. */

/* Accelerations of smoothed particles: 27 cells around, whose particles lie one after another; a warp a cell. */
extern "C" __global__ void __launch_bounds__(128) sph_forces_by_cells(const float4 *__restrict__ at, const float4 *__restrict__ velocity, const float *__restrict__ density, const int *__restrict__ start,
                                                                      float4 *__restrict__ force, int side, float h, float viscosity)
{
    const int cell = blockIdx.x * blockDim.y + threadIdx.y;
    if (cell >= side * side * side)
        return;
    const int cx = cell % side, cy = cell / side % side, cz = cell / (side * side), last = start[cell + 1];
    const float h2 = h * h;
    for (int i = start[cell] + threadIdx.x; i < last; i += 32) {
        const float4 p = at[i], v = velocity[i];
        const float rho = density[i], pressure = rho - 1.0f;
        float fx = 0.0f, fy = 0.0f, fz = 0.0f;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++) {
                const int y = cy + dy, z = cz + dz;
                if (y < 0 || y >= side || z < 0 || z >= side)
                    continue;
                const int row = (z * side + y) * side, begin = start[row + max(cx - 1, 0)], end = start[row + min(cx + 1, side - 1) + 1];
                for (int j = begin; j < end; j++) {
                    const float4 o = at[j];
                    const float x = p.x - o.x, yy = p.y - o.y, zz = p.z - o.z, d2 = x * x + yy * yy + zz * zz;
                    if (d2 < h2 && j != i) {
                        const float d = sqrtf(d2) + 1e-6f, near = h - d, other = density[j];
                        const float push = (pressure + other - 1.0f) * 0.5f * near * near / (d * other), drag = viscosity * near / other;
                        const float4 w = velocity[j];
                        fx += push * x + drag * (w.x - v.x);
                        fy += push * yy + drag * (w.y - v.y);
                        fz += push * zz + drag * (w.z - v.z);
                    }
                }
            }
        force[i] = make_float4(fx / rho, fy / rho, fz / rho, 0.0f);
    }
}

/* The field at particles from eight corners each; places in units of cells. */
extern "C" __global__ void gather_field_linear(const double *__restrict__ px, const double *__restrict__ py, const double *__restrict__ pz, const float4 *__restrict__ field, float *__restrict__ ex, float *__restrict__ ey, float *__restrict__ ez,
                                               int n, int nx, int ny, int nz)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const double x = px[i] * (nx - 1), y = py[i] * (ny - 1), z = pz[i] * (nz - 1);
        const int a = (int)x, b = (int)y, c = (int)z;
        const float fx = (float)(x - a), fy = (float)(y - b), fz = (float)(z - c);
        float sx = 0.0f, sy = 0.0f, sz = 0.0f;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const float w = (k & 1 ? fx : 1.0f - fx) * (k & 2 ? fy : 1.0f - fy) * (k & 4 ? fz : 1.0f - fz);
            const float4 e = field[((long)(c + (k >> 2)) * ny + b + (k >> 1 & 1)) * nx + a + (k & 1)];
            sx += w * e.x;
            sy += w * e.y;
            sz += w * e.z;
        }
        ex[i] = sx;
        ey[i] = sy;
        ez[i] = sz;
    }
}
