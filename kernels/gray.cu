/*
 * Turns an image of red, green and blue bytes into gray ones.
 *
 * Launch: one dimension, one thread a pixel.
 *
 * colours  3 * n u8: red, green, blue of each pixel
 * grays    n u8
 */
extern "C" __global__ void gray(const unsigned char *colours, unsigned char *grays, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int red = colours[3 * i], green = colours[3 * i + 1], blue = colours[3 * i + 2];
        grays[i] = (unsigned char)((77 * red + 150 * green + 29 * blue) >> 8);
    }
}
