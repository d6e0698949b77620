/*
 * One time step of the two-dimensional wave equation, second order in time and space; edge points
 * are left.
 *
 * Launch: two dimensions, one thread a point, x along the rows of the grid, any block.
 *
 * u        f32, ny rows of nx points: values now
 * past     f32, the same shape: values a step before, overwritten by those a step ahead
 * courant  squared Courant number
 */
__kernel void wave2d(__global const float *u, __global float *past, float courant, int nx, int ny)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int i = y * nx + x;
        float laplacian = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4.0f * u[i];
        past[i] = 2.0f * u[i] - past[i] + courant * laplacian;
    }
}
