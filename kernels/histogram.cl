/*
 * Counts how often each of 256 byte values occurs, adding to the counts that are there.
 * histogram_global: atomic additions in global memory. histogram_shared: in shared memory first,
 * one set of counts a block.
 *
 * Launch: one dimension, any grid; threads stride over the bytes. histogram_shared: blocks of 256.
 *
 * source  n u8
 * counts  256 u32
 *
 * Depends on data: the addresses of the atomic additions on source.
 */
#define BINS 256

__kernel void histogram_global(__global const uchar *source, __global uint *counts, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_add(&counts[source[i]], 1u);
}

__kernel void histogram_shared(__global const uchar *source, __global uint *counts, int n)
{
    __local uint own[BINS];
    int tid = get_local_id(0);

    own[tid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_group_id(0) * BINS + tid; i < n; i += get_num_groups(0) * BINS)
        atomic_add(&own[source[i]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counts[tid], own[tid]);
}
