/*
 * Sums an array to one partial sum a block: each thread sums a grid-strided share, warps add up by
 * shuffles, and the first warp adds the warps' sums.
 *
 * Launch: one dimension, blocks of a multiple of 32 up to 1024 threads, any grid.
 *
 * source    n f32
 * partials  f32, one a block
 */
extern "C" __global__ void reduce_shuffle(const float *source, float *partials, int n)
{
    __shared__ float warps[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += source[i];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warps[lane] : 0.0f;
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        if (lane == 0)
            partials[blockIdx.x] = sum;
    }
}
