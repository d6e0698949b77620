/* Steps over graphs. */

/* Neighbours in common of both ends of each edge, in lists that are sorted; a thread an edge. */
extern "C" __global__ void count_triangles(const unsigned *from, const unsigned *to, const unsigned *offsets, const unsigned *neighbours, unsigned long long *total, unsigned edges)
{
    unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned found = 0;
    if (e < edges) {
        unsigned i = offsets[from[e]], i_end = offsets[from[e] + 1];
        unsigned j = offsets[to[e]], j_end = offsets[to[e] + 1];
        while (i < i_end && j < j_end) {
            const unsigned a = neighbours[i], b = neighbours[j];
            found += a == b;
            i += a <= b;
            j += b <= a;
        }
    }
    found = __reduce_add_sync(0xffffffff, found);
    if ((threadIdx.x & 31) == 0 && found)
        atomicAdd(total, (unsigned long long)found);
}

/* The next frontier: a warp a vertex of this one, and a place in the list for each neighbour that was not reached, taken once a
   warp. */
extern "C" __global__ void push_frontier(const int *frontier, int frontier_size, const int *offsets, const int *edges, const int *depth, int now, int *next, unsigned *next_size,
                                         unsigned capacity_mask)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (warp >= frontier_size)
        return;
    const int v = frontier[warp];
    const int begin = offsets[v], end = offsets[v + 1];
    for (int base = begin; base < end; base += warpSize) {
        int u = -1;
        if (base + lane < end) {
            u = edges[base + lane];
            if (depth[u] <= now)
                u = -1;
        }
        const unsigned takers = __ballot_sync(0xffffffff, u >= 0);
        if (takers == 0)
            continue;
        unsigned place = 0;
        if (lane == __ffs(takers) - 1)
            place = atomicAdd(next_size, __popc(takers));
        place = __shfl_sync(0xffffffff, place, __ffs(takers) - 1);
        if (u >= 0)
            next[(place + __popc(takers & ((1u << lane) - 1))) & capacity_mask] = u;
    }
}
