/*
 * Steps that each number takes to reach one: halved when even, three times and one when odd.
 *
 * Launch: one dimension, one thread a number, from 1 on.
 *
 * steps  n s32
 *
 * Depends on data: the trip count on values computed in the loop (none are loaded).
 */
extern "C" __global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        unsigned long long value = i + 1;
        int count = 0;
        while (value > 1) {
            value = (value & 1) ? 3 * value + 1 : value >> 1;
            count++;
        }
        steps[i] = count;
    }
}
