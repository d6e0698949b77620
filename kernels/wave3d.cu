/*
 * One time step of the three-dimensional acoustic wave equation, second order in time, fourth in
 * space, with a velocity at each point; points within two of an edge are left.
 *
 * Launch: three dimensions, one thread a point, x along the rows of the grid, any block.
 *
 * u         f32, nz planes of ny rows of nx points: values now
 * past      f32, the same shape: values a step before, overwritten by those a step ahead
 * velocity  f32, the same shape: squared Courant number at each point
 */
extern "C" __global__ void wave3d(const float *__restrict__ u, float *past,
                                  const float *__restrict__ velocity, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;

    if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2 || z < 2 || z >= nz - 2)
        return;
    int plane = nx * ny;
    int i = z * plane + y * nx + x;
    float near = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - plane] + u[i + plane];
    float far =
        u[i - 2] + u[i + 2] + u[i - 2 * nx] + u[i + 2 * nx] + u[i - 2 * plane] + u[i + 2 * plane];
    float laplacian = 4.0f / 3.0f * near - 1.0f / 12.0f * far - 7.5f * u[i];
    past[i] = 2.0f * u[i] - past[i] + velocity[i] * laplacian;
}
