/*
 * Inclusive prefix sums within each block: warps scan by shuffles, the first warp scans the warps'
 * sums.
 *
 * Launch: one dimension, blocks of a multiple of 32 up to 1024 threads, one thread an element.
 *
 * source  n f32
 * target  n f32: prefix sums, starting anew in each block
 */
extern "C" __global__ void scan_shuffle(const float *source, float *target, int n)
{
    __shared__ float warps[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? source[i] : 0.0f;

    for (int distance = 1; distance < 32; distance *= 2) {
        float other = __shfl_up_sync(0xffffffff, value, distance);
        if (lane >= distance)
            value += other;
    }
    if (lane == 31)
        warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        float sum = lane < blockDim.x / 32 ? warps[lane] : 0.0f;
        for (int distance = 1; distance < 32; distance *= 2) {
            float other = __shfl_up_sync(0xffffffff, sum, distance);
            if (lane >= distance)
                sum += other;
        }
        warps[lane] = sum;
    }
    __syncthreads();
    if (warp > 0)
        value += warps[warp - 1];
    if (i < n)
        target[i] = value;
}
