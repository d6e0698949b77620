/*
 * One Jacobi step for Poisson's equation on the inner points of a square grid; threads outside
 * return early.
 *
 * Launch: two dimensions, one thread a point, x along the rows, any block.
 *
 * u       f32, n rows of n points: old values
 * right   f32, the same shape: right-hand side times the squared distance of points
 * next    f32, the same shape: new values
 */
__kernel void jacobi(__global const float *u, __global const float *right, __global float *next,
                     int n)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x == 0 || y == 0)
        return;
    if (x >= n - 1 || y >= n - 1)
        return;
    int i = y * n + x;
    next[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - right[i]);
}
