/*
 * Counts how often each of 256 byte values occurs, adding to the counts that are there.
 * histogram_global: atomic additions in global memory. histogram_shared: in shared memory first,
 * one set of counts a block.
 *
 * Launch: one dimension, any grid; threads stride over the bytes. histogram_shared: blocks of 256.
 *
 * source  n u8
 * counts  256 u32
 *
 * Depends on data: the addresses of the atomic additions on source.
 */
#define BINS 256

extern "C" __global__ void histogram_global(const unsigned char *source, unsigned int *counts,
                                            int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[source[i]], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned char *source, unsigned int *counts,
                                            int n)
{
    __shared__ unsigned int own[BINS];
    int tid = threadIdx.x;

    own[tid] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BINS + tid; i < n; i += gridDim.x * BINS)
        atomicAdd(&own[source[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[tid], own[tid]);
}
