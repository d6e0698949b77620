/*
 * Shifts and masks as division and remainder. tile_order: stores a square image tile by tile, 32 x
 * 32 points each. morton_order: along a Z-shaped curve. count_bits: set bits of each word.
 *
 * Launch: one dimension, one thread an element.
 *
 * source     f32, or u32 for count_bits
 * target     of the same shape
 * side_log2  the side of the image is 1 << side_log2; at least 5
 * n          words
 */
extern "C" __global__ void tile_order(const float *source, float *target, int side_log2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < 1 << (2 * side_log2)) {
        int x = i & ((1 << side_log2) - 1), y = i >> side_log2;
        int tile = (y >> 5 << (side_log2 - 5)) + (x >> 5);
        target[tile << 10 | (y & 31) << 5 | (x & 31)] = source[i];
    }
}

extern "C" __global__ void morton_order(const float *source, float *target, int side_log2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < 1 << (2 * side_log2)) {
        int x = i & ((1 << side_log2) - 1), y = i >> side_log2;
        int place = 0;
        for (int bit = 0; bit < side_log2; bit++)
            place |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
        target[place] = source[i];
    }
}

extern "C" __global__ void count_bits(const unsigned int *source, unsigned int *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        target[i] = __popc(source[i]);
}
