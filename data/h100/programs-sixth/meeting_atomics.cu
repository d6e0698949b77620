/* Where threads meet. */

/* Edges of a graph shorten ways; a thread an edge. */
extern "C" __global__ void relax_edges(const int *__restrict__ from, const int *__restrict__ to, const int *__restrict__ weight, int *__restrict__ distance, int *__restrict__ changed,
    int edges)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges)
        return;
    const int through = distance[from[e]] + weight[e], target = to[e];
    if (through < distance[target]) {
        atomicMin(distance + target, through);
        *changed = 1;
    }
}

/* How often values of two pictures meet: 32 x 32 classes, a histogram for each two warps. */
template <int COPIES> struct Counts {
    unsigned bins[COPIES][1024];
};

extern "C" __global__ void __launch_bounds__(256) joint_histogram(const uchar4 *__restrict__ a, const uchar4 *__restrict__ b, unsigned *__restrict__ joint, int quads)
{
    __shared__ Counts<4> counts;
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
        (&counts.bins[0][0])[k] = 0;
    __syncthreads();
    unsigned *mine = counts.bins[threadIdx.x / 64];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
        const uchar4 p = a[i], q = b[i];
        atomicAdd(mine + (p.x / 8 * 32 + q.x / 8), 1u);
        atomicAdd(mine + (p.y / 8 * 32 + q.y / 8), 1u);
        atomicAdd(mine + (p.z / 8 * 32 + q.z / 8), 1u);
        atomicAdd(mine + (p.w / 8 * 32 + q.w / 8), 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
        const unsigned sum = counts.bins[0][k] + counts.bins[1][k] + counts.bins[2][k] + counts.bins[3][k];
        if (sum)
            atomicAdd(joint + k, sum);
    }
}
