/*
 * Adds a scaled matrix to another by a grid-stride loop in both dimensions.
 *
 * Launch: two dimensions, x along the rows, any grid and block.
 *
 * source  f32, height rows of width elements
 * target  f32, the same shape, added to
 * factor  of source
 */
__kernel void grid_stride2d(__global const float *source, __global float *target, float factor,
                            int width, int height)
{
    for (int y = get_global_id(1); y < height; y += get_global_size(1))
        for (int x = get_global_id(0); x < width; x += get_global_size(0))
            target[y * width + x] += factor * source[y * width + x];
}
