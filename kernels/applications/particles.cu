/*
 * A step of particles in a square of side * side cells, each of which repels those of the cells around:
 * launched in this order for each step. Particles are sorted by cells through counting.
 *
 * clear_counts  sets the counts of cells to 0
 * count_cells   finds each particle's cell, and its place among those of this cell
 * find_starts   one block: where the particles of each cell start
 * place         puts particles where they belong
 * push          the force on each particle, from those of its cell and the eight around it
 * integrate     velocities and positions
 *
 * Launch: one dimension, one thread a particle (clear_counts: a cell), blocks of 256; find_starts: one
 * block of 1024.
 *
 * positions, velocities, their sorted ones, forces: float2, n; a cell is 1 wide
 * cells, ranks: s32, n; counts: s32, side * side; starts: s32, side * side + 1
 */
extern "C" __global__ void clear_counts(int *__restrict__ counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        counts[i] = 0;
}

extern "C" __global__ void count_cells(const float2 *__restrict__ positions, int *__restrict__ cells,
                                       int *__restrict__ ranks, int *__restrict__ counts, int n,
                                       int side)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float2 at = positions[i];
    int cell = (int)at.y * side + (int)at.x;
    cells[i] = cell;
    ranks[i] = atomicAdd(&counts[cell], 1);
}

extern "C" __global__ void find_starts(const int *__restrict__ counts, int *__restrict__ starts, int n)
{
    __shared__ int sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, before = 0;

    for (int from = 0; from < n; from += 1024) {
        int i = from + threadIdx.x, count = i < n ? counts[i] : 0, sum = count;
        for (int apart = 1; apart < 32; apart <<= 1) {
            int other = __shfl_up_sync(0xffffffffu, sum, apart);
            sum += lane >= apart ? other : 0;
        }
        if (lane == 31)
            sums[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            int all = sums[lane];
            for (int apart = 1; apart < 32; apart <<= 1) {
                int other = __shfl_up_sync(0xffffffffu, all, apart);
                all += lane >= apart ? other : 0;
            }
            sums[lane] = all;
        }
        __syncthreads();
        if (i < n)
            starts[i] = before + sum - count + (warp > 0 ? sums[warp - 1] : 0);
        before += sums[31];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        starts[n] = before;
}

extern "C" __global__ void place(const float2 *__restrict__ positions,
                                 const float2 *__restrict__ velocities, const int *__restrict__ cells,
                                 const int *__restrict__ ranks, const int *__restrict__ starts,
                                 float2 *__restrict__ sorted, float2 *__restrict__ sorted_velocities,
                                 int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    int to = starts[cells[i]] + ranks[i];
    sorted[to] = positions[i];
    sorted_velocities[to] = velocities[i];
}

extern "C" __global__ void push(const float2 *__restrict__ sorted, const int *__restrict__ starts,
                                float2 *__restrict__ forces, int n, int side)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float2 at = sorted[i], force = make_float2(0.0f, 0.0f);
    int cx = (int)at.x, cy = (int)at.y;
    int left = cx > 0 ? cx - 1 : 0, right = cx < side - 1 ? cx + 1 : side - 1;
    for (int y = cy > 0 ? cy - 1 : 0; y <= cy + 1 && y < side; y++) {
        int end = starts[y * side + right + 1];
        for (int j = starts[y * side + left]; j < end; j++) {
            float2 other = sorted[j];
            float dx = at.x - other.x, dy = at.y - other.y;
            float square = dx * dx + dy * dy;
            if (square < 1.0f && j != i) {
                float factor = rsqrtf(square + 1e-6f) - 1.0f;
                force.x += factor * dx;
                force.y += factor * dy;
            }
        }
    }
    forces[i] = force;
}

extern "C" __global__ void integrate(const float2 *__restrict__ sorted,
                                     const float2 *__restrict__ sorted_velocities,
                                     const float2 *__restrict__ forces, float2 *__restrict__ positions,
                                     float2 *__restrict__ velocities, int n, float step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float2 at = sorted[i], velocity = sorted_velocities[i], force = forces[i];
    velocity.x += step * force.x;
    velocity.y += step * force.y;
    positions[i] = make_float2(at.x + step * velocity.x, at.y + step * velocity.y);
    velocities[i] = velocity;
}
