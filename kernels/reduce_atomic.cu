/*
 * Adds all elements of an integer array to one sum: each thread sums a grid-strided share and adds
 * it atomically.
 *
 * Launch: one dimension, any grid and block.
 *
 * source  n s32
 * sum     one s32, added to
 */
extern "C" __global__ void reduce_atomic(const int *source, int *sum, int n)
{
    int own = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += source[i];
    atomicAdd(sum, own);
}
