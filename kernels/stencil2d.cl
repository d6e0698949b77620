/*
 * One step of a two-dimensional stencil over the inner points of a grid; edge points are left.
 * stencil2d: five points. stencil2d_nine: nine points. stencil2d_shared: five points through a
 * shared tile with a halo of one.
 *
 * Launch: two dimensions, one thread a point, x along the rows of the grid (the fast dimension).
 * stencil2d and stencil2d_nine: any block. stencil2d_shared: blocks of 32 x 8.
 *
 * u     f32, ny rows of nx points: old values
 * next  f32, the same shape: new values
 */
#define TILE_X 32
#define TILE_Y 8

__kernel void stencil2d(__global const float *restrict u, __global float *restrict next, int nx,
                        int ny)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int i = y * nx + x;
        next[i] = 0.5f * u[i] + 0.125f * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx]);
    }
}

__kernel void stencil2d_nine(__global const float *restrict u, __global float *restrict next,
                             int nx, int ny)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int i = y * nx + x;
        float near = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx];
        float far = u[i - nx - 1] + u[i - nx + 1] + u[i + nx - 1] + u[i + nx + 1];
        next[i] = 0.25f * u[i] + 0.125f * near + 0.0625f * far;
    }
}

__kernel void stencil2d_shared(__global const float *u, __global float *next, int nx, int ny)
{
    __local float tile[TILE_Y + 2][TILE_X + 2];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x0 = get_group_id(0) * TILE_X, y0 = get_group_id(1) * TILE_Y;

    for (int j = ty; j < TILE_Y + 2; j += TILE_Y)
        for (int i = tx; i < TILE_X + 2; i += TILE_X) {
            int x = x0 + i - 1, y = y0 + j - 1;
            if (x >= 0 && x < nx && y >= 0 && y < ny)
                tile[j][i] = u[y * nx + x];
        }
    barrier(CLK_LOCAL_MEM_FENCE);

    int x = x0 + tx, y = y0 + ty;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        next[y * nx + x] =
            0.5f * tile[ty + 1][tx + 1] + 0.125f * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] +
                                                    tile[ty][tx + 1] + tile[ty + 2][tx + 1]);
}
