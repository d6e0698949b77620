/*
 * Adds all elements of an integer array to one sum: each thread sums a grid-strided share and adds
 * it atomically.
 *
 * Launch: one dimension, any grid and block.
 *
 * source  n s32
 * sum     one s32, added to
 */
__kernel void reduce_atomic(__global const int *source, __global int *sum, int n)
{
    int own = 0;

    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        own += source[i];
    atomic_add(sum, own);
}
