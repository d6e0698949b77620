/*
 * Inclusive prefix sums within each block, by Hillis and Steele's method between two halves of
 * shared memory; the sum of each block is stored beside them.
 *
 * Launch: one dimension, blocks of up to 512 threads, one thread an element.
 *
 * source  n f32
 * target  n f32: prefix sums, starting anew in each block
 * totals  f32, one a block
 */
#define LARGEST_BLOCK 512

extern "C" __global__ void scan_block(const float *source, float *target, float *totals, int n)
{
    __shared__ float values[2][LARGEST_BLOCK];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    int from = 0;

    values[0][tid] = i < n ? source[i] : 0.0f;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        float value = values[from][tid];
        if (tid >= distance)
            value += values[from][tid - distance];
        values[1 - from][tid] = value;
        from = 1 - from;
        __syncthreads();
    }
    if (i < n)
        target[i] = values[from][tid];
    if (tid == blockDim.x - 1)
        totals[blockIdx.x] = values[from][tid];
}
