/*
 * Finds, for each wanted value, the first element of a rising array that is not below it.
 *
 * Launch: one dimension, one thread a wanted value.
 *
 * sorted  s32, `length` rising elements
 * wanted  n s32
 * found   n s32: positions, `length` where all are below
 *
 * Depends on data: the addresses and, by one trip, the trip count on sorted and wanted.
 */
extern "C" __global__ void binary_search(const int *sorted, const int *wanted, int *found, int n,
                                         int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int value = wanted[i];
        int low = 0, high = length;
        while (low < high) {
            int middle = (low + high) >> 1;
            if (sorted[middle] < value)
                low = middle + 1;
            else
                high = middle;
        }
        found[i] = low;
    }
}
