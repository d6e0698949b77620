/*
 * Sums an array to one partial sum a block, by a tree in shared memory.
 *
 * Launch: one dimension, blocks of a power of two up to 1024 threads, one thread an element.
 *
 * source    n f32
 * partials  f32, one a block
 */
__kernel void reduce(__global const float *source, __global float *partials, int n)
{
    __local float values[1024];
    int tid = get_local_id(0);
    int i = get_global_id(0);

    values[tid] = i < n ? source[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (tid < s)
            values[tid] += values[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        partials[get_group_id(0)] = values[0];
}
