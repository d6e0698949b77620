/*
 * One step of a lattice-Boltzmann flow with nine directions in the plane: pull, then relax towards
 * equilibrium (Bhatnagar, Gross, Krook). The plane wraps around at its edges.
 *
 * Launch: two dimensions, one thread a cell, x along the rows of the plane, any block.
 *
 * old    f32, nine planes, one a direction, each ny rows of nx cells
 * next   f32, the same shape
 * omega  relaxation rate
 */
__kernel void lbm_d2q9(__global const float *restrict old, __global float *restrict next,
                       float omega, int nx, int ny)
{
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float weight[9] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                             1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x >= nx || y >= ny)
        return;
    int cells = nx * ny;
    int left = x > 0 ? x - 1 : nx - 1, right = x < nx - 1 ? x + 1 : 0;
    int down = y > 0 ? y - 1 : ny - 1, up = y < ny - 1 ? y + 1 : 0;
    float f[9];
    float density = 0.0f, ux = 0.0f, uy = 0.0f;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        int from_x = cx[q] > 0 ? left : cx[q] < 0 ? right : x;
        int from_y = cy[q] > 0 ? down : cy[q] < 0 ? up : y;
        f[q] = old[q * cells + from_y * nx + from_x];
        density += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
    }
    ux /= density;
    uy /= density;
    float rest = 1.0f - 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < 9; q++) {
        float along = 3.0f * (cx[q] * ux + cy[q] * uy);
        float equilibrium = weight[q] * density * (rest + along + 0.5f * along * along);
        next[q * cells + y * nx + x] = f[q] - omega * (f[q] - equilibrium);
    }
}
