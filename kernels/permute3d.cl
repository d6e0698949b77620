/*
 * Permutes the axes of a three-dimensional array: target[x][z][y] = source[z][y][x].
 *
 * Launch: three dimensions, one thread an element, x along the rows of source, any block.
 *
 * source  f32, nz planes of ny rows of nx elements
 * target  f32, nx planes of nz rows of ny elements
 */
__kernel void permute3d(__global const float *source, __global float *target, int nx, int ny,
                        int nz)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);

    if (x < nx && y < ny && z < nz)
        target[(x * nz + z) * ny + y] = source[(z * ny + y) * nx + x];
}
