/*
 * One step of the Floyd-Warshall method: shortest ways between all points by way of point `via`.
 *
 * Launch: two dimensions, one thread a pair of points, x the goal, any block.
 *
 * lengths  f32, n rows of n lengths of ways, shortened; zero on the diagonal
 */
extern "C" __global__ void floyd_warshall(float *lengths, int n, int via)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < n && y < n && x != via && y != via)
        lengths[y * n + x] = fminf(lengths[y * n + x], lengths[y * n + via] + lengths[via * n + x]);
}
