/*
 * Turns an image of red, green and blue bytes into gray ones.
 *
 * Launch: one dimension, one thread a pixel.
 *
 * colours  3 * n u8: red, green, blue of each pixel
 * grays    n u8
 */
__kernel void gray(__global const uchar *colours, __global uchar *grays, int n)
{
    int i = get_global_id(0);

    if (i < n) {
        int red = colours[3 * i], green = colours[3 * i + 1], blue = colours[3 * i + 2];
        grays[i] = (uchar)((77 * red + 150 * green + 29 * blue) >> 8);
    }
}
