/*
 * Sums an array to one partial sum a block, by a tree in shared memory.
 *
 * Launch: one dimension, blocks of a power of two up to 1024 threads, one thread an element.
 *
 * source    n f32
 * partials  f32, one a block
 */
extern "C" __global__ void reduce(const float *source, float *partials, int n)
{
    __shared__ float values[1024];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;

    values[tid] = i < n ? source[i] : 0.0f;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            values[tid] += values[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = values[0];
}
