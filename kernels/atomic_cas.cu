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
extern "C" __global__ void atomic_cas(const float *values, int *largest, int n, int slots)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int own = __float_as_int(fabsf(values[i]));
        int *slot = &largest[i % slots];
        int seen = *slot;
        while (seen < own) {
            int before = atomicCAS(slot, seen, own);
            if (before == seen)
                break;
            seen = before;
        }
    }
}
