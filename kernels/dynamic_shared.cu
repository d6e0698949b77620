/*
 * Reverses each block's run of elements through dynamic shared memory.
 *
 * Launch: one dimension, one thread an element, four bytes of dynamic shared memory a thread; n a
 * multiple of the block.
 *
 * values  n f32, reversed within each block
 */
extern "C" __global__ void dynamic_shared(float *values, int n)
{
    extern __shared__ float run[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        run[threadIdx.x] = values[i];
    __syncthreads();
    if (i < n)
        values[i] = run[blockDim.x - 1 - threadIdx.x];
}
