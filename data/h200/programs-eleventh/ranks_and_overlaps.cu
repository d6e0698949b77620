/* Graphs: ranks of pages, overlaps of neighbours. */

/* A step of PageRank that pulls along incoming edges: eight lanes a vertex, sums by shuffles. */
extern "C" __global__ void pull_ranks(const int *__restrict__ starts, const int *__restrict__ sources, const float *__restrict__ share, float *__restrict__ rank, float *__restrict__ next_share, const int *__restrict__ degree, int vertices, float damping)
{
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    float sum = 0.0f;
    if (v < vertices)
        for (int e = starts[v] + lane; e < starts[v + 1]; e += 8)
            sum += share[sources[e]];
    for (int d = 4; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d, 8);
    if (v < vertices && lane == 0) {
        const float r = (1.0f - damping) / vertices + damping * sum;
        rank[v] = r;
        next_share[v] = r / max(degree[v], 1);
    }
}

/* Jaccard's similarity of the ends of each edge: the shorter list searched in the longer by halves, a thread an edge. */
extern "C" __global__ void overlap_of_ends(const int *__restrict__ starts, const int *__restrict__ neighbours, const int2 *__restrict__ edges, float *__restrict__ similarity, int edge_count)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edge_count)
        return;
    int a = edges[e].x, b = edges[e].y;
    if (starts[a + 1] - starts[a] > starts[b + 1] - starts[b]) {
        const int other = a;
        a = b;
        b = other;
    }
    const int a0 = starts[a], a1 = starts[a + 1], b0 = starts[b], b1 = starts[b + 1];
    int both = 0;
    for (int i = a0; i < a1; i++) {
        const int wanted = neighbours[i];
        int low = b0, high = b1;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (neighbours[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        both += low < b1 && neighbours[low] == wanted;
    }
    similarity[e] = (float)both / (float)(a1 - a0 + b1 - b0 - both);
}
