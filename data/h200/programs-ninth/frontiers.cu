/* Graphs: vertices that look for a parent, labels that spread, edges whose ends share neighbours. */

/* One step of a search from below: vertices that were not reached ask their neighbours until one was. */
extern "C" __global__ void __launch_bounds__(256) bottom_up_step(const int *__restrict__ offsets, const int *__restrict__ targets, const unsigned *__restrict__ reached, unsigned *__restrict__ reached_next, int *__restrict__ parent, int vertices)
{
    const int v = blockIdx.x * 256 + threadIdx.x;
    bool found = false;
    if (v < vertices && !(reached[v >> 5] >> (v & 31) & 1)) {
        const int end = offsets[v + 1];
        for (int e = offsets[v]; e < end; e++) {
            const int u = targets[e];
            if (reached[u >> 5] >> (u & 31) & 1) {
                parent[v] = u;
                found = true;
                break;
            }
        }
    }
    const unsigned bits = __ballot_sync(0xffffffff, found);
    if ((threadIdx.x & 31) == 0 && v < vertices)
        reached_next[v >> 5] = bits | reached[v >> 5];
}

/* The least label among neighbours, a quarter of a warp a vertex. */
extern "C" __global__ void least_label_pull(const int *__restrict__ offsets, const int *__restrict__ targets, const unsigned *__restrict__ labels, unsigned *__restrict__ labels_next, int vertices)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    unsigned least = 0xffffffffu;
    if (v < vertices) {
        least = labels[v];
        for (int e = offsets[v] + lane; e < offsets[v + 1]; e += 8)
            least = min(least, labels[targets[e]]);
    }
    for (int o = 4; o; o >>= 1)
        least = min(least, __shfl_xor_sync(0xffffffff, least, o, 8));
    if (v < vertices && lane == 0)
        labels_next[v] = least;
}
