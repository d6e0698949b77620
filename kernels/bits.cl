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
__kernel void tile_order(__global const float *source, __global float *target, int side_log2)
{
    int i = get_global_id(0);

    if (i < 1 << (2 * side_log2)) {
        int x = i & ((1 << side_log2) - 1), y = i >> side_log2;
        int tile = (y >> 5 << (side_log2 - 5)) + (x >> 5);
        target[tile << 10 | (y & 31) << 5 | (x & 31)] = source[i];
    }
}

__kernel void morton_order(__global const float *source, __global float *target, int side_log2)
{
    int i = get_global_id(0);

    if (i < 1 << (2 * side_log2)) {
        int x = i & ((1 << side_log2) - 1), y = i >> side_log2;
        int place = 0;
        for (int bit = 0; bit < side_log2; bit++)
            place |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
        target[place] = source[i];
    }
}

__kernel void count_bits(__global const uint *source, __global uint *target, int n)
{
    int i = get_global_id(0);

    if (i < n)
        target[i] = popcount(source[i]);
}
