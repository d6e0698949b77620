/*
 * A V-cycle of multigrid for Poisson's equation on a square, cells of three levels: launched for each
 * cycle as relax, relax, defect, restrict_mean, clear on each level from the finest, relax on the
 * coarsest, and prolong, relax, relax on the way back.
 *
 * relax          next = damped Jacobi step from now, for 4 u - (neighbours) = right
 * defect         rest = right - (4 u - neighbours)
 * restrict_mean  coarse = sum of the four cells of a coarse one
 * clear          sets the unknowns of a level to 0
 * prolong        adds to each cell what its coarse cell and this one's nearest neighbours say
 *
 * Launch: two dimensions, x along the rows, a thread a cell of the array that is stored to, blocks of
 * 32 x 8; clear: one dimension.
 *
 * arrays f32, side * side cells; cells outside are 0
 */
__device__ static float at(const float *cells, int x, int y, int side)
{
    return x >= 0 && x < side && y >= 0 && y < side ? cells[y * side + x] : 0.0f;
}

extern "C" __global__ void relax(const float *__restrict__ now, const float *__restrict__ right,
                                 float *__restrict__ next, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= side || y >= side)
        return;
    float near = at(now, x - 1, y, side) + at(now, x + 1, y, side) + at(now, x, y - 1, side) +
                 at(now, x, y + 1, side);
    float old = now[y * side + x];
    next[y * side + x] = old + 0.2f * (right[y * side + x] + near - 4.0f * old);
}

extern "C" __global__ void defect(const float *__restrict__ now, const float *__restrict__ right,
                                  float *__restrict__ rest, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= side || y >= side)
        return;
    float near = at(now, x - 1, y, side) + at(now, x + 1, y, side) + at(now, x, y - 1, side) +
                 at(now, x, y + 1, side);
    rest[y * side + x] = right[y * side + x] + near - 4.0f * now[y * side + x];
}

extern "C" __global__ void restrict_mean(const float *__restrict__ rest, float *__restrict__ coarse,
                                         int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= side || y >= side)
        return;
    const float2 *above = (const float2 *)rest + 2 * y * side + x, *below = above + side;
    float2 a = *above, b = *below;
    coarse[y * side + x] = a.x + a.y + b.x + b.y;
}

extern "C" __global__ void clear(float *__restrict__ cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        cells[i] = 0.0f;
}

extern "C" __global__ void prolong(const float *__restrict__ coarse, float *__restrict__ cells, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= side || y >= side)
        return;
    int i = x / 2, j = y / 2, half = side / 2;
    int nx = x % 2 ? i + 1 : i - 1, ny = y % 2 ? j + 1 : j - 1;
    cells[y * side + x] += 0.5f * at(coarse, i, j, half) + 0.25f * at(coarse, nx, j, half) +
                           0.25f * at(coarse, i, ny, half);
}
