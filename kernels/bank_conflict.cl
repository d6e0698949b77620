/*
 * Reads shared memory with a stride between neighbouring threads: a study of bank conflicts.
 *
 * Launch: one dimension, blocks of 256 threads.
 *
 * target  f32, one a thread
 * stride  distance in elements between the elements that neighbouring threads read
 * trips   loads of each thread
 */
#define WORDS 4096

__kernel void bank_conflict(__global float *target, int stride, int trips)
{
    __local float words[WORDS];
    int tid = get_local_id(0);
    float sum = 0.0f;

    for (int j = tid; j < WORDS; j += get_local_size(0))
        words[j] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < trips; j++)
        sum += words[(tid * stride + j) & (WORDS - 1)];
    target[get_global_id(0)] = sum;
}
