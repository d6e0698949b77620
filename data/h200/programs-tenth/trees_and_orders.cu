/* Trees that threads walk by themselves, and orders of suffixes. */

/* The nearest point of a balanced kd-tree in an array: a stack in local memory. */
extern "C" __global__ void __launch_bounds__(128) kd_nearest(const float3 *__restrict__ points, const float3 *__restrict__ queries, int *__restrict__ nearest, int count, int nodes)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= count)
        return;
    const float3 at = queries[q];
    int stack[24], top = 0, best = 0;
    float best2 = 1e30f;
    stack[top++] = 0;
    while (top) {
        const int node = stack[--top];
        const float3 p = points[node];
        const float dx = at.x - p.x, dy = at.y - p.y, dz = at.z - p.z, d2 = dx * dx + dy * dy + dz * dz;
        if (d2 < best2) {
            best2 = d2;
            best = node;
        }
        const int axis = (31 - __clz(node + 1)) % 3;
        const float along = axis == 0 ? dx : axis == 1 ? dy : dz;
        const int near = 2 * node + (along < 0 ? 1 : 2), far = 2 * node + (along < 0 ? 2 : 1);
        if (far < nodes && along * along < best2 * 0.25f)
            stack[top++] = far;
        if (near < nodes && top < 23)
            stack[top++] = near;
    }
    nearest[q] = best;
}

/* Keys of suffixes for one doubling of their order: the rank here and the rank DISTANCE on. */
extern "C" __global__ void __launch_bounds__(256) double_ranks(const unsigned *__restrict__ rank, unsigned long long *__restrict__ key, unsigned *__restrict__ flags, int n, int distance)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned here = rank[i], there = i + distance < n ? rank[i + distance] + 1 : 0;
        key[i] = (unsigned long long)here << 32 | there;
        const unsigned differs = i > 0 && (here != rank[i - 1] || there != (i - 1 + distance < n ? rank[i - 1 + distance] + 1 : 0));
        const unsigned all = __ballot_sync(__activemask(), differs);
        if ((i & 31) == 0)
            flags[i / 32] = all;
    }
}
