/* Interfaces between fluids and patches of finer grids; compiled by clang. */

/* Normals of an interface from fractions of volume by Youngs' differences of 27 cells. */
extern "C" __global__ void youngs_normals(const double *__restrict__ fraction, double *__restrict__ nx, double *__restrict__ ny, double *__restrict__ nz, int mx, int my, int mz)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1, z = blockIdx.z + 1;
    if (x >= mx - 1 || y >= my - 1)
        return;
    const long long row = mx, plane = (long long)mx * my, at = z * plane + y * row + x;
    double gx = 0.0, gy = 0.0, gz = 0.0;
#pragma unroll
    for (int k = -1; k <= 1; k++)
#pragma unroll
        for (int j = -1; j <= 1; j++)
#pragma unroll
            for (int i = -1; i <= 1; i++) {
                const double f = fraction[at + k * plane + j * row + i];
                gx += i * (2 - j * j) * (2 - k * k) * f;
                gy += j * (2 - i * i) * (2 - k * k) * f;
                gz += k * (2 - i * i) * (2 - j * j) * f;
            }
    const double length = sqrt(gx * gx + gy * gy + gz * gz) + 1e-12;
    nx[at] = -gx / length;
    ny[at] = -gy / length;
    nz[at] = -gz / length;
}

__device__ double limited(double a, double b)
{
    return a * b <= 0.0 ? 0.0 : fabs(a) < fabs(b) ? a : b;
}

/* Patches of 8 x 8 x 8 cells, one of ghosts around, to 16 x 16 x 16 finer cells with limited slopes: a block a patch and variable. */
extern "C" __global__ void __launch_bounds__(256) refine_patches(const double *__restrict__ coarse, double *__restrict__ fine)
{
    __shared__ double held[10 * 10 * 10];
    const long long patch = blockIdx.x;
    for (int i = threadIdx.x; i < 1000; i += 256)
        held[i] = coarse[patch * 1000 + i];
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += 256) {
        const int x = i % 16, y = i / 16 % 16, z = i / 256;
        const double *c = held + (z / 2 + 1) * 100 + (y / 2 + 1) * 10 + x / 2 + 1;
        double value = c[0];
        value += (x % 2 ? 0.25 : -0.25) * limited(c[1] - c[0], c[0] - c[-1]);
        value += (y % 2 ? 0.25 : -0.25) * limited(c[10] - c[0], c[0] - c[-10]);
        value += (z % 2 ? 0.25 : -0.25) * limited(c[100] - c[0], c[0] - c[-100]);
        fine[patch * 4096 + i] = value;
    }
}
