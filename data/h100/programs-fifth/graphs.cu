/* Graphs in compressed rows: a step of a search from below, ranks pulled along edges in. */
#include <stdint.h>

/* Vertices that nobody has visited look for a neighbour on the frontier; bits of a warp make a word. */
extern "C" __global__ void search_from_below(const uint32_t *__restrict__ offsets, const uint32_t *__restrict__ edges, const uint32_t *__restrict__ frontier,
    const uint32_t *__restrict__ visited, uint32_t *__restrict__ next, int *__restrict__ parent, unsigned n)
{
    const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    bool found = false;
    if (v < n && !(visited[v / 32] >> (v % 32) & 1)) {
        const uint32_t end = offsets[v + 1];
        for (uint32_t e = offsets[v]; e < end; e++) {
            const uint32_t u = edges[e];
            if (frontier[u / 32] >> (u % 32) & 1) {
                parent[v] = u;
                found = true;
                break;
            }
        }
    }
    const unsigned word = __ballot_sync(0xffffffff, found);
    if (v < n && v % 32 == 0)
        next[v / 32] = word;
}

struct VertexRange {
    uint32_t first, last;
};

extern "C" __global__ void pull_ranks(const uint32_t *__restrict__ offsets, const uint32_t *__restrict__ edges, const float *__restrict__ shares,
    const float *__restrict__ inverse_degree, float *__restrict__ rank, float *__restrict__ next_shares, unsigned n, float damping)
{
    const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    const VertexRange range{offsets[v], offsets[v + 1]};
    float sum = 0;
    for (uint32_t e = range.first; e != range.last; ++e)
        sum += __ldg(&shares[edges[e]]);
    const float r = (1 - damping) / n + damping * sum;
    rank[v] = r;
    next_shares[v] = r * inverse_degree[v];
}
