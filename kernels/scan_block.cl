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

__kernel void scan_block(__global const float *source, __global float *target,
                         __global float *totals, int n)
{
    __local float values[2][LARGEST_BLOCK];
    int tid = get_local_id(0);
    int i = get_global_id(0);
    int from = 0;

    values[0][tid] = i < n ? source[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < get_local_size(0); distance *= 2) {
        float value = values[from][tid];
        if (tid >= distance)
            value += values[from][tid - distance];
        values[1 - from][tid] = value;
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        target[i] = values[from][tid];
    if (tid == get_local_size(0) - 1)
        totals[get_group_id(0)] = values[from][tid];
}
