/* Walks down binary trees, and columns that data choose.
 *
 * heap       children at 2 at + 1 and 2 at + 2, many trees one after the other; a feature of the
 *            thread's own row is compared, and which one a node tells
 * from_one   children at 2 at and 2 at + 1, chosen by a select
 * until      data end the walk, too
 * linked     children are loaded: no such walk
 * columns    an element of each row, whichever an index tells
 * offsets    rows are moved along by an offset that is loaded, and their elements by a loop: no
 *            column */
struct Node {
    int threshold, feature;
};

extern "C" __global__ void heap(const Node *__restrict__ nodes, const float *__restrict__ rows, float *__restrict__ sums, int n, int features, int trees,
                                int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int t = 0; t < trees; t++) {
        int at = 0;
        for (int level = 0; level < depth; level++) {
            const Node node = nodes[(size_t)t * ((1 << depth) - 1) + at];
            at = 2 * at + 1 + (rows[(size_t)i * features + node.feature] > node.threshold);
        }
        sum += at;
    }
    sums[i] = sum;
}

extern "C" __global__ void from_one(const float *__restrict__ splits, const float *__restrict__ values, int *__restrict__ bins, int n, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float value = values[i];
    int at = 1;
#pragma unroll 1
    for (int level = 0; level < depth; level++)
        at = value > splits[at] ? 2 * at + 1 : 2 * at;
    bins[i] = at;
}

extern "C" __global__ void until(const float *__restrict__ splits, const float *__restrict__ values, int *__restrict__ bins, int n, int nodes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float value = values[i];
    int at = 0;
#pragma unroll 1
    while (at < nodes)
        at = 2 * at + 1 + (value > splits[at]);
    bins[i] = at;
}

extern "C" __global__ void linked(const int *__restrict__ left, const int *__restrict__ right, const float *__restrict__ splits,
                                  const float *__restrict__ values, int *__restrict__ bins, int n, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float value = values[i];
    int at = 0;
#pragma unroll 1
    for (int level = 0; level < depth; level++)
        at = value > splits[at] ? right[at] : left[at];
    bins[i] = at;
}

extern "C" __global__ void columns(const float *__restrict__ rows, const int *__restrict__ chosen, float *__restrict__ to, int n, int length)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = rows[(size_t)i * length + chosen[i]];
}

extern "C" __global__ void offsets(const float *__restrict__ rows, const int *__restrict__ begins, float *__restrict__ to, int n, int length)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int begin = begins[i];
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < length; k++)
        sum += rows[begin + (size_t)i * length + k];
    to[i] = sum;
}
