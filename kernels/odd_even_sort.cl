/*
 * Sorts each run of 512 elements by odd-even transposition in shared memory. A shorter last run is
 * filled up with the largest value.
 *
 * Launch: one dimension, blocks of 256 threads, one block a run.
 *
 * values  n u32, sorted within each run
 *
 * Depends on data: the branch around the exchange on values.
 */
#define THREADS 256
#define RUN     (2 * THREADS)

__kernel void odd_even_sort(__global uint *values, int n)
{
    __local uint run[RUN];
    int tid = get_local_id(0);
    int first = get_group_id(0) * RUN;

    for (int j = tid; j < RUN; j += THREADS)
        run[j] = first + j < n ? values[first + j] : 0xffffffffu;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int phase = 0; phase < RUN; phase++) {
        int j = 2 * tid + (phase & 1);
        if (j + 1 < RUN && run[j] > run[j + 1]) {
            uint higher = run[j];
            run[j] = run[j + 1];
            run[j + 1] = higher;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int j = tid; j < RUN; j += THREADS)
        if (first + j < n)
            values[first + j] = run[j];
}
