/*
 * Keeps the largest magnitude of a group of elements in one slot each, by a loop of compare and
 * swap.
 *
 * Launch: one dimension, one thread an element.
 *
 * values   n f32
 * largest  s32, the bits of one non-negative f32 a slot; raised
 * slots    element i goes to slot i % slots
 *
 * Depends on data: the trip count on values, on largest and on the order of threads.
 */
__kernel void atomic_cas(__global const float *values, __global int *largest, int n, int slots)
{
    int i = get_global_id(0);

    if (i < n) {
        int own = as_int(fabs(values[i]));
        volatile __global int *slot = &largest[i % slots];
        int seen = *slot;
        while (seen < own) {
            int before = atomic_cmpxchg(slot, seen, own);
            if (before == seen)
                break;
            seen = before;
        }
    }
}
