/*
 * Follows a chain of indices: each load's address is the value of the load before.
 *
 * Launch: one dimension, one thread a chain; chain i starts at element i * spread.
 *
 * next   s32: index of the next element
 * last   s32, one a thread: where the chain is after `steps` steps
 *
 * Depends on data: the addresses on next.
 */
__kernel void pointer_chase(__global const int *next, __global int *last, int chains, int spread,
                            int steps)
{
    int i = get_global_id(0);

    if (i < chains) {
        int at = i * spread;
        for (int j = 0; j < steps; j++)
            at = next[at];
        last[i] = at;
    }
}
