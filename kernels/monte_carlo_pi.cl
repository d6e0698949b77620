/*
 * Counts random points of the unit square inside the quarter circle, with a xorshift generator of
 * its own in each thread.
 *
 * Launch: one dimension, one thread a count.
 *
 * counts   n u32: points inside, of `samples` points
 */
__kernel void monte_carlo_pi(__global uint *counts, int n, int samples, uint seed)
{
    uint i = get_global_id(0);
    uint state = (seed ^ i) * 2654435769u | 1u;
    uint inside = 0;

    if (i >= n)
        return;
    for (int j = 0; j < samples; j++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float x = (state & 0xffff) * (1.0f / 65536.0f);
        float y = (state >> 16) * (1.0f / 65536.0f);
        inside += x * x + y * y < 1.0f;
    }
    counts[i] = inside;
}
