/*
 * One step of a seven-point stencil over the inner points of a three-dimensional grid; edge points
 * are left. stencil3d: one thread a point. stencil3d_march: one thread a column of points, moving
 * along z with three values in registers.
 *
 * Launch: x along the rows of the grid (the fast dimension), y along its rows, any block.
 * stencil3d: z along its planes. stencil3d_march: depth one.
 *
 * u     f32, nz planes of ny rows of nx points: old values
 * next  f32, the same shape: new values
 */
extern "C" __global__ void stencil3d(const float *__restrict__ u, float *__restrict__ next, int nx,
                                     int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;

    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        int plane = nx * ny;
        int i = z * plane + y * nx + x;
        next[i] = 0.4f * u[i] + 0.1f * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - plane] +
                                        u[i + plane]);
    }
}

extern "C" __global__ void stencil3d_march(const float *__restrict__ u, float *__restrict__ next,
                                           int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int plane = nx * ny;
        int i = y * nx + x;
        float below = u[i], here = u[i + plane];
        for (int z = 1; z < nz - 1; z++) {
            i += plane;
            float above = u[i + plane];
            next[i] =
                0.4f * here + 0.1f * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + below + above);
            below = here;
            here = above;
        }
    }
}
