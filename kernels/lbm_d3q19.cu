/*
 * One step of a lattice-Boltzmann flow with nineteen directions in space: pull, then relax towards
 * equilibrium (Bhatnagar, Gross, Krook). Cells on the edges are left.
 *
 * Launch: three dimensions, one thread a cell, x along the rows, any block.
 *
 * old    f32, nineteen boxes, one a direction, each nz planes of ny rows of nx cells
 * next   f32, the same shape
 * omega  relaxation rate
 */
extern "C" __global__ void lbm_d3q19(const float *__restrict__ old, float *__restrict__ next,
                                     float omega, int nx, int ny, int nz)
{
    const int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    const int cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    const int cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;

    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1)
        return;
    int cells = nx * ny * nz;
    int i = (z * ny + y) * nx + x;
    float f[19];
    float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#pragma unroll
    for (int q = 0; q < 19; q++) {
        f[q] = old[q * cells + i - (cz[q] * ny + cy[q]) * nx - cx[q]];
        density += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
        uz += cz[q] * f[q];
    }
    ux /= density;
    uy /= density;
    uz /= density;
    float rest = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int q = 0; q < 19; q++) {
        float weight = q == 0 ? 1.0f / 3.0f : q < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
        float along = 3.0f * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
        float equilibrium = weight * density * (rest + along + 0.5f * along * along);
        next[q * cells + i] = f[q] - omega * (f[q] - equilibrium);
    }
}
