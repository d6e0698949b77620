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

extern "C" __global__ void bank_conflict(float *target, int stride, int trips)
{
    __shared__ float words[WORDS];
    int tid = threadIdx.x;
    float sum = 0.0f;

    for (int j = tid; j < WORDS; j += blockDim.x)
        words[j] = j;
    __syncthreads();
    for (int j = 0; j < trips; j++)
        sum += words[(tid * stride + j) & (WORDS - 1)];
    target[blockIdx.x * blockDim.x + tid] = sum;
}
