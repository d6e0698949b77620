/*
 * One step of the Floyd-Warshall method: shortest ways between all points by way of point `via`.
 *
 * Launch: two dimensions, one thread a pair of points, x the goal, any block.
 *
 * lengths  f32, n rows of n lengths of ways, shortened; zero on the diagonal
 */
__kernel void floyd_warshall(__global float *lengths, int n, int via)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x < n && y < n && x != via && y != via)
        lengths[y * n + x] = fmin(lengths[y * n + x], lengths[y * n + via] + lengths[via * n + x]);
}
