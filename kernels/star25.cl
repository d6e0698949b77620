/*
 * One step of a 25-point star of range four in double precision over the inner points of a
 * three-dimensional grid; points within four of an edge are left. star25: one thread a point.
 * star25_march: one thread a column of points, moving along z with nine values in registers.
 *
 * Launch: x along the rows of the grid (the fast dimension), y along its rows, any block.
 * star25: z along its planes. star25_march: depth one.
 *
 * u       f64, nz planes of ny rows of nx points: old values
 * next    f64, the same shape: new values
 * c0..c4  weights at distances 0 to 4
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define RANGE 4

__kernel void star25(__global const double *restrict u, __global double *restrict next, double c0,
                     double c1, double c2, double c3, double c4, int nx, int ny, int nz)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);

    if (x >= RANGE && x < nx - RANGE && y >= RANGE && y < ny - RANGE && z >= RANGE &&
        z < nz - RANGE) {
        int p = nx * ny;
        int i = z * p + y * nx + x;
        next[i] =
            c0 * u[i] + c1 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - p] + u[i + p]) +
            c2 * (u[i - 2] + u[i + 2] + u[i - 2 * nx] + u[i + 2 * nx] + u[i - 2 * p] +
                  u[i + 2 * p]) +
            c3 * (u[i - 3] + u[i + 3] + u[i - 3 * nx] + u[i + 3 * nx] + u[i - 3 * p] +
                  u[i + 3 * p]) +
            c4 *
                (u[i - 4] + u[i + 4] + u[i - 4 * nx] + u[i + 4 * nx] + u[i - 4 * p] + u[i + 4 * p]);
    }
}

__kernel void star25_march(__global const double *restrict u, __global double *restrict next,
                           double c0, double c1, double c2, double c3, double c4, int nx, int ny,
                           int nz)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x >= RANGE && x < nx - RANGE && y >= RANGE && y < ny - RANGE) {
        int p = nx * ny;
        int i = y * nx + x;
        double queue[2 * RANGE + 1];
#pragma unroll
        for (int j = 0; j < 2 * RANGE; j++)
            queue[j + 1] = u[i + j * p];
        i += (RANGE - 1) * p;
        for (int z = RANGE; z < nz - RANGE; z++) {
            i += p;
#pragma unroll
            for (int j = 0; j < 2 * RANGE; j++)
                queue[j] = queue[j + 1];
            queue[2 * RANGE] = u[i + RANGE * p];
            next[i] =
                c0 * queue[4] +
                c1 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + queue[3] + queue[5]) +
                c2 * (u[i - 2] + u[i + 2] + u[i - 2 * nx] + u[i + 2 * nx] + queue[2] + queue[6]) +
                c3 * (u[i - 3] + u[i + 3] + u[i - 3 * nx] + u[i + 3 * nx] + queue[1] + queue[7]) +
                c4 * (u[i - 4] + u[i + 4] + u[i - 4 * nx] + u[i + 4 * nx] + queue[0] + queue[8]);
        }
    }
}
