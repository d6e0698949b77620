/*
 * Permutes the axes of a three-dimensional array: target[x][z][y] = source[z][y][x].
 *
 * Launch: three dimensions, one thread an element, x along the rows of source, any block.
 *
 * source  f32, nz planes of ny rows of nx elements
 * target  f32, nx planes of nz rows of ny elements
 */
extern "C" __global__ void permute3d(const float *source, float *target, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;

    if (x < nx && y < ny && z < nz)
        target[(x * nz + z) * ny + y] = source[(z * ny + y) * nx + x];
}
