// Walks through trees by a stack in local memory (descended.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx descended.cu -o descended.ptx

// The nearest point of a kd-tree whose children lie at 2 at + 1 and 2 at + 2; what is too far, also when its turn comes, is left out.
extern "C" __global__ void nearest(const float3 *__restrict__ points, const float3 *__restrict__ queries, float *__restrict__ distances, int nodes)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    const float3 at = queries[q];
    int stack[32], top = 0;
    float away[32], best = 1e30f;
    stack[top] = 0;
    away[top++] = 0;
    while (top) {
        const int node = stack[--top];
        if (away[top] >= best)
            continue;
        const float3 p = points[node];
        const float dx = at.x - p.x, dy = at.y - p.y, dz = at.z - p.z;
        best = fminf(best, dx * dx + dy * dy + dz * dz);
        const int axis = (31 - __clz(node + 1)) % 3;
        const float along = axis == 0 ? dx : axis == 1 ? dy : dz;
        const int near = 2 * node + (along < 0 ? 1 : 2), far = 2 * node + (along < 0 ? 2 : 1);
        if (far < nodes && along * along < best) {
            stack[top] = far;
            away[top++] = along * along;
        }
        if (near < nodes) {
            stack[top] = near;
            away[top++] = 0;
        }
    }
    distances[q] = best;
}

// Children of an octree at 8 at + 1 to 8 at + 8, all of them.
extern "C" __global__ void octants(const float *__restrict__ sizes, const float *__restrict__ queries, float *__restrict__ sums, int nodes)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    const float at = queries[q];
    int stack[64], top = 0;
    float sum = 0;
    stack[top++] = 0;
    while (top) {
        const int node = stack[--top];
        const float size = sizes[node];
        sum += size;
        const int child = 8 * node + 1;
        if (child < nodes && size > at) {
            for (int c = 0; c < 8; c++)
                stack[top++] = child + c;
        }
    }
    sums[q] = sum;
}

// Children that are loaded: how many nodes there are is not known.
extern "C" __global__ void linked(const int2 *__restrict__ children, const float *__restrict__ queries, int *__restrict__ last, int nodes)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    int stack[32], top = 0, sum = 0;
    stack[top++] = 0;
    while (top) {
        const int node = stack[--top];
        const int2 of = children[node];
        sum += node;
        if (of.x < nodes)
            stack[top++] = of.x;
        if (of.y < nodes)
            stack[top++] = of.y;
    }
    last[q] = sum;
}
