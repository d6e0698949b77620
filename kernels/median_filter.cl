/*
 * Median of each point's 3 x 3 neighbourhood by partial selection with minima and maxima; edge
 * points are left.
 *
 * Launch: two dimensions, one thread a point, x along the rows, any block.
 *
 * source  f32, height rows of width points
 * target  f32, the same shape
 */
__kernel void median_filter(__global const float *restrict source, __global float *restrict target,
                            int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
        return;
    float v[9];
#pragma unroll
    for (int j = 0; j < 9; j++)
        v[j] = source[(y + j / 3 - 1) * width + x + j % 3 - 1];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = i + 1; j < 9; j++) {
            float low = fmin(v[i], v[j]);
            v[j] = fmax(v[i], v[j]);
            v[i] = low;
        }
    target[y * width + x] = v[4];
}
