/*
 * One step of a bitonic sort in global memory: pairs `distance` apart are put in order, the order
 * alternating every `length` elements.
 *
 * Launch: one dimension, one thread an element.
 *
 * values    n u32, n a power of two
 * distance  1, 2, 4 ... length / 2
 * length    2, 4, 8 ... n
 *
 * Depends on data: the branch around the stores on values.
 */
extern "C" __global__ void bitonic_step(unsigned int *values, int n, int distance, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int partner = i ^ distance;

    if (i < n && partner > i) {
        unsigned int low = values[i], high = values[partner];
        int rising = (i & length) == 0;
        if ((low > high) == rising) {
            values[i] = high;
            values[partner] = low;
        }
    }
}
