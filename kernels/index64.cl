/*
 * Scales the rows of a pitched array with all indices in 64 bits.
 *
 * Launch: two dimensions, x along the rows, y the rows; threads stride over both by the whole grid.
 *
 * values  f32, height rows of `pitch` elements, of which the first `width` are scaled
 * factor  of every element
 */
__kernel void index64(__global float *values, long width, long height, long pitch, float factor)
{
    long x0 = get_global_id(0);
    long y0 = get_global_id(1);
    long step_x = get_global_size(0);
    long step_y = get_global_size(1);

    for (long y = y0; y < height; y += step_y)
        for (long x = x0; x < width; x += step_x)
            values[y * pitch + x] *= factor;
}
