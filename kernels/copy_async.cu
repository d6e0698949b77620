/*
 * Sums each block's rows of 16-byte words, fetched ahead into shared memory by cp.async, two
 * buffers in turn.
 *
 * Launch: one dimension, blocks of 128 threads; block b sums rows b * rows ... (b + 1) * rows - 1.
 *
 * source  f32, rows of 512 elements (four a thread), `rows` of them a block
 * sums    f32, 512 a block
 * rows    of a block, at least one
 */
#define THREADS 128

__device__ static void fetch(float4 *to, const float4 *from)
{
    unsigned int place = (unsigned int)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
}

extern "C" __global__ void copy_async(const float4 *source, float4 *sums, int rows)
{
    __shared__ float4 buffers[2][THREADS];
    int tid = threadIdx.x;
    const float4 *own = source + blockIdx.x * rows * THREADS + tid;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};

    fetch(&buffers[0][tid], own);
    for (int row = 0; row < rows; row++) {
        if (row + 1 < rows) {
            fetch(&buffers[(row + 1) & 1][tid], own + (row + 1) * THREADS);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        float4 value = buffers[row & 1][tid];
        sum.x += value.x;
        sum.y += value.y;
        sum.z += value.z;
        sum.w += value.w;
    }
    sums[blockIdx.x * THREADS + tid] = sum;
}
